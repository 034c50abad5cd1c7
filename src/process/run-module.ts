// Runs a module of this program to its end in a child process or a thread, with a child's environment only.
import { execFile } from "node:child_process";
import { Worker } from "node:worker_threads";
import type { ChildEnvironment } from "../config/load.ts";

export interface RunOptions {
  arguments: readonly string[];
  environment: ChildEnvironment;
  timeoutMilliseconds: number;
}

/**
 * @param file  compiled module, see entryFile
 * @throws Error with what the process printed, when it fails or takes too long
 */
export function runModule(file: string, options: RunOptions): Promise<void> {
  const { environment: env, timeoutMilliseconds: timeout } = options;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, ...options.arguments], { env, timeout }, (error, _, printed) => {
      if (error) reject(new Error(printed.trim() || error.message, { cause: error }));
      else resolve();
    });
  });
}

/** Starts a thread. @param data  the thread reads it as workerData */
export function startThread(file: string, data: unknown, environment: ChildEnvironment): Worker {
  return new Worker(file, { workerData: data, env: environment });
}
