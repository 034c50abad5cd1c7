// Starts the real service as its own process, as a user would, and ends it by its id.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startFleet } from "./fixtures/fleet.ts";
import { hasOwnLayout, isFleet } from "./fixtures/layout.ts";
import { givePreparedGraphs, linkPreparedGraphs } from "./fixtures/prepared-graphs.ts";

export const TEST_KEY = process.env["PARLANCE_TEST_KEY"] ?? "a-key-for-tests";

/** Statuses that each endpoint answered with in this test file. */
export const answered = new Map<string, Set<number>>();

function noteAnswer(method: string, route: string, status: number): void {
  const path = new URL(route, "http://localhost").pathname.replace(/\/[0-9a-f-]{36}/gi, "/:id");
  const endpoint = `${method} ${path}`;
  answered.set(endpoint, (answered.get(endpoint) ?? new Set()).add(status));
}

export interface RunningService {
  base: string;
  folder: string;
  log(): string;
  processId: number;
  /** The processes of a service that consists of several. */
  members?: RunningService[];
  /** SIGKILL, as a crash or the out-of-memory killer would. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

export interface StartOptions {
  folder?: string;
  /** Of the program; this repository by default. */
  program?: string;
  environment?: Record<string, string>;
  /** The Node that runs it; that of the tests where it is left out. */
  node?: string;
}

/** With graphs that are prepared already. The caller removes it. */
export async function newDataFolder(): Promise<string> {
  const data = await mkdtemp(path.join(os.tmpdir(), "parlance-test-"));
  givePreparedGraphs(data);
  return data;
}

/** Signals of defects. No test sends them. */
const CRASHES = ["SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP"];
/** Of the output of a service that crashed. */
const SHOWN_CHARACTERS = 3_000;
const START_TIMEOUT_MILLISECONDS = 60_000;

/** One process; with TEST_LAYOUT=fleet two of each role, unless the test names servers or roles itself. */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const folder = options.folder ?? (await newDataFolder());
  if (!isFleet() || hasOwnLayout(options.environment ?? {})) return startProcess({ ...options, folder });
  return startFleet({ ...options, folder }, startProcess);
}

const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** A set-up that exceeds its time leaves processes without a test that stops them: they end with the process of the tests. */
function killAtExit(child: ChildProcess): void {
  if (process.listenerCount("disconnect", killRunning) === 0) {
    process.on("exit", killRunning).on("disconnect", killRunning);
    process.once("SIGTERM", () => {
      killRunning();
      // With the default action: the test runner replaces process.exit.
      process.kill(process.pid, "SIGTERM");
    });
  }
  running.add(child);
  child.once("close", () => running.delete(child));
}

async function startProcess({
  folder: data,
  program = ".",
  environment = {},
  node = process.execPath,
}: StartOptions & { folder: string }): Promise<RunningService> {
  linkPreparedGraphs(data);
  const child: ChildProcess = spawn(node, [path.join(program, "bin/parlance.js"), "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PARLANCE_PORT: "0",
      PARLANCE_DATA_DIR: data,
      PARLANCE_API_KEY: TEST_KEY,
      PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true",
      PARLANCE_WORKERS: "2",
      // No test may need a model from elsewhere; those that fetch one have a hub of their own.
      PARLANCE_FETCH_MODELS: "false",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  // "exit" may come before the last output has been read; "close" comes after it.
  const exited = new Promise<number | null>((resolve) =>
    child.once("close", (code, signal) => {
      if (CRASHES.includes(signal ?? ""))
        process.stderr.write(`a service ended by ${signal}:\n${output.slice(-SHOWN_CHARACTERS)}\n`);
      resolve(code);
    }),
  );
  killAtExit(child);
  const base = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no start:\n${output}`)), START_TIMEOUT_MILLISECONDS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Parlance serves on (\S+)/.exec(output)?.[1];
      if (address) {
        clearTimeout(timer);
        resolve(address);
      }
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`ended at start:\n${output}`));
    });
  }).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const stop = () => {
    child.kill("SIGTERM");
    return exited;
  };
  return {
    base,
    folder: data,
    log: () => output,
    processId: child.pid as number,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
    stop,
    remove: async () => {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** fetch with the test key and JSON in and out. */
export async function call(
  service: Pick<RunningService, "base">,
  method: string,
  route: string,
  options: { body?: unknown; headers?: Record<string, string>; key?: string | null } = {},
) {
  const { body, headers = {}, key = TEST_KEY } = options;
  const isForm = body instanceof FormData || body instanceof Uint8Array;
  const response = await fetch(new URL(route, service.base), {
    method,
    headers: {
      ...(key === null ? {} : { "x-service-key": key }),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? (body as FormData) : JSON.stringify(body) }),
  });
  noteAnswer(method, route, response.status);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    json: (isJson ? JSON.parse(text) : undefined) as any,
  };
}

/** Waits until the models are loaded; the port is open before. */
export async function ready(service: Pick<RunningService, "base" | "members">): Promise<void> {
  for (const member of service.members ?? []) await ready(member);
  for (let tries = 0; tries < START_TIMEOUT_MILLISECONDS / 100; tries++) {
    if ((await call(service, "GET", "/ready", { key: null })).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the service did not become ready");
}

export async function upload(service: Pick<RunningService, "base">, content: Uint8Array, filename = "audio.bin") {
  const form = new FormData();
  form.append("audio", new Blob([content as never]), filename);
  return call(service, "POST", "/v2/upload", { body: form });
}

/** Uploads, creates a job and returns its id. */
export async function submit(
  service: Pick<RunningService, "base">,
  content: Uint8Array,
  params: object = {},
): Promise<string> {
  const uploaded = await upload(service, content);
  const created = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url: uploaded.json.audio_url, ...params },
  });
  return created.json.id;
}

const POLL_MILLISECONDS = 50;

/** Polls a job until it has ended. */
export async function finished(service: Pick<RunningService, "base">, id: string, timeoutMilliseconds = 90_000) {
  const deadline = Date.now() + timeoutMilliseconds;
  for (;;) {
    const { json } = await call(service, "GET", `/v2/transcription/${id}`);
    if (json.status === "done" || json.status === "error") return json;
    if (Date.now() > deadline) throw new Error(`job ${id} did not end: ${JSON.stringify(json.progress)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

/** The same for a job that must succeed, such as those that a bench measures. @throws Error if it failed */
export async function doneJob(service: Pick<RunningService, "base">, id: string, timeoutMilliseconds?: number) {
  const job = await finished(service, id, timeoutMilliseconds);
  if (job.status !== "done") throw new Error(`job ${id} failed: ${job.error_code} ${job.error_message}`);
  return job;
}

/** What the metrics say of an engine: 1 when it answers, 0 when not. */
export async function engineUp(service: Pick<RunningService, "base">, engine: string): Promise<number | undefined> {
  const { text } = await call(service, "GET", "/metrics");
  const value = new RegExp(`^parlance_engine_up\\{engine="${engine}"\\} (\\d)`, "m").exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Ids of the processes of a service, without their child processes. */
export const processIdsOf = (service: RunningService): number[] =>
  (service.members ?? [service]).map(({ processId }) => processId);

/** Sum of a figure over all processes, which report their own. @param name  with its labels */
export async function totalOf(service: Pick<RunningService, "base" | "members">, name: string): Promise<number> {
  const answers = await Promise.all((service.members ?? [service]).map((member) => call(member, "GET", "/metrics")));
  const lines = answers.flatMap(({ text }) => text.split("\n")).filter((line) => line.startsWith(`${name} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(name.length)), 0);
}
