// Start time and memory of all processes: cold, warm, with a recording of twenty minutes by both recognisers, and with one of three
// hours. Prints a table per process for each. Usage: npm run bench -- memory [-- CHECKPOINT]. CHECKPOINT is a folder with Whisper base as
// a hub publishes it. Needs Linux, for /proc.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sleep } from "../src/platform/process/sleep.ts";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { WHISPER_BASE, wav } from "../test/fixtures/recordings.ts";
import { call, doneJob, type RunningService, ready, startService, upload } from "../test/service.ts";
import { heapSizes } from "./heap-sizes.ts";
import { atPeak, type ProcessMemory, processMemories, treeBytes } from "./process-memory.ts";
import { joined, loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const HOURS = 3;
const MINUTES = 20;
/** The second model is loaded and prepared after the service is ready. */
const SETTLE_MILLISECONDS = 6_000;

const megabytes = (bytes: number) => rounded(bytes / 1e6, 0);

const COLUMNS = `Proportional set sizes, MB. all = shared + private = weights + code + WebAssembly + anonymous.
shared: its part of pages that other processes map, too; private: the rest. weights: mapped graphs and weights; code: mapped programs
and libraries. WebAssembly: in the service, the embedded database; anonymous: everything else. V8 heap: committed for the main thread,
part of anonymous; arenas: anonymous without it, which is tensors and weights of the runtime, buffers, stacks and the heaps of threads.
`;

/** A row per process, and one for all. @param heaps  by process id; missing at a peak, where they cannot be read in time */
function memoryTable(title: string, memories: readonly ProcessMemory[], heaps?: ReadonlyMap<number, number>): Result[] {
  const row = (name: string, own: readonly ProcessMemory[]): Result => {
    const sum = (value: (memory: ProcessMemory) => number) => own.reduce((total, memory) => total + value(memory), 0);
    const heap = sum(({ id }) => heaps?.get(id) ?? 0);
    const anonymous = sum((memory) => memory.anonymous);
    return {
      name,
      values: {
        all: megabytes(sum(({ shared, private: only }) => shared + only)),
        shared: megabytes(sum(({ shared }) => shared)),
        private: megabytes(sum((memory) => memory.private)),
        weights: megabytes(sum(({ weights }) => weights)),
        code: megabytes(sum(({ code }) => code)),
        WebAssembly: megabytes(sum(({ webAssembly }) => webAssembly)),
        anonymous: megabytes(anonymous),
        ...(heaps ? { "V8 heap": megabytes(heap), arenas: megabytes(anonymous - heap) } : {}),
      },
    };
  };
  const rows = [...memories.map((memory) => row(memory.name, [memory])), row("all processes", memories)];
  printResults(title, rows);
  return rows.map(({ name, values }) => ({ name: `${title}: ${name}`, values }));
}

const tables: Result[] = [];

async function idleTable(title: string, service: RunningService): Promise<void> {
  const memories = processMemories(service.processId);
  tables.push(...memoryTable(title, memories, await heapSizes(memories.map(({ id }) => id))));
}

/** Time until the service is ready, and its memory a little later. */
async function measuredStart(name: string, folder?: string): Promise<{ service: RunningService; result: Result }> {
  const started = performance.now();
  const service = await startService(folder === undefined ? {} : { folder });
  await ready(service);
  const seconds = (performance.now() - started) / 1000;
  await sleep(SETTLE_MILLISECONDS);
  const idle = treeBytes(service.processId) / 1e6;
  await idleTable(`${name}, idle`, service);
  const isMet = seconds <= 4 && idle <= 500;
  const values = { "ready s": rounded(seconds, 1), "idle MB": rounded(idle, 0) };
  return { service, result: { name, values, goal: "ready in 4 s, 500 MB", isMet } };
}

const meetings = async (hours: number): Promise<Float32Array> =>
  joined(await loadRecordings(({ file }) => file.startsWith("meeting")), hours * 3600);

async function transcribe(service: RunningService, samples: Float32Array, params: object): Promise<void> {
  const { json } = await upload(service, wav([samples]));
  const body = { audio_url: json.audio_url, ...params };
  const created = await call(service, "POST", "/v2/pre-recorded", { body });
  await doneJob(service, created.json.id, 3_600_000);
}

/** Memory while a recording is transcribed, the upload included, after a minute of the same. */
async function peakResult(
  name: string,
  service: RunningService,
  samples: Float32Array,
  goalMegabytes: number,
  params: object = {},
): Promise<Result> {
  // Warm: every recogniser has run, every model is loaded.
  await transcribe(service, samples.subarray(0, 60 * SAMPLE_RATE), params);
  const idle = treeBytes(service.processId);
  const started = performance.now();
  const { bytes, value } = await atPeak(service.processId, transcribe(service, samples, params), () =>
    processMemories(service.processId),
  );
  const seconds = (performance.now() - started) / 1000;
  tables.push(...memoryTable(`${name}, at the peak`, value));
  return {
    name,
    values: {
      "idle MB": megabytes(idle),
      "peak MB": megabytes(bytes),
      "beyond MB": megabytes(bytes - idle),
      "audio s/s": rounded(samples.length / SAMPLE_RATE / seconds, 1),
    },
    goal: `${goalMegabytes} MB`,
    isMet: bytes <= goalMegabytes * 1e6,
  };
}

async function whisperResult(checkpoint: string, samples: Float32Array): Promise<Result> {
  const models = mkdtempSync(path.join(os.tmpdir(), "parlance-memory-"));
  try {
    await installModel(checkpoint, new ModelStore(models), { hub: { base: "" }, progress: () => undefined });
    const service = await startService({
      environment: { PARLANCE_MODELS_DIR: models, PARLANCE_MULTILINGUAL_MODEL: "whisper-base" },
    });
    try {
      await ready(service);
      const name = `${MINUTES} minutes, Whisper base`;
      return await peakResult(name, service, samples, 1200, { model: "whisper-base" });
    } finally {
      await service.remove();
    }
  } finally {
    rmSync(models, { recursive: true, force: true });
  }
}

process.stdout.write(COLUMNS);
const first = await measuredStart("first start");
await first.service.stop();
const { service, result: second } = await measuredStart("second start", first.service.folder);
const results: Result[] = [first.result, second];
try {
  const hours = Number(process.env["MEMORY_HOURS"] ?? HOURS);
  const long = await meetings(Math.max(hours, MINUTES / 60));
  const short = long.subarray(0, MINUTES * 60 * SAMPLE_RATE);
  results.push(await peakResult(`${MINUTES} minutes`, service, short, 1000));
  if (hours > 0) results.push(await peakResult(`${hours} hours of meetings`, service, long, 1600));
  await service.stop();
  const checkpoint = path.resolve(process.argv[2] ?? WHISPER_BASE);
  if (existsSync(checkpoint)) results.push(await whisperResult(checkpoint, short));
  else process.stderr.write(`without Whisper: ${checkpoint} does not exist\n`);
} finally {
  await service.remove();
}
printResults("Starts, and memory with recordings", results);
saveResults("memory", [...results, ...tables]);
