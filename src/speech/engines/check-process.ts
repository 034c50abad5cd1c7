// Whether a prepared model can be loaded: a process of its own tries, because a damaged file may end it.
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { childEnvironment } from "../../platform/config/load.ts";
import { runModule } from "../../platform/process/run-module.ts";

const NETWORK_CHECK_MILLISECONDS = 120_000;

/**
 * Runs the check of an engine whose networks ONNX Runtime loads.
 * @param unknownReason  for a process that ends without one
 * @param needs          which model the engine needs, a sentence
 * @throws Error with the reason and `needs`
 */
export async function checkNetworks(
  file: string,
  folder: string,
  { unknownReason, needs }: { unknownReason: string; needs: string },
): Promise<void> {
  try {
    await checkModel(file, folder, NETWORK_CHECK_MILLISECONDS);
  } catch (error) {
    const reason = /^Error: (.*)$/m.exec((error as Error).message)?.[1] ?? unknownReason;
    throw new Error(`${reason}. ${needs}`);
  }
}

/**
 * Runs the check of an engine. Its temporary files are inside the model's folder, and are removed afterwards.
 * @param file  module that loads the model of the folder in its argument
 * @throws the error of the process
 */
export async function checkModel(file: string, folder: string, timeoutMilliseconds: number): Promise<void> {
  const temporary = await mkdtemp(path.join(path.resolve(folder), ".check-"));
  try {
    await runModule(file, { arguments: [folder], environment: childEnvironment(temporary), timeoutMilliseconds });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
