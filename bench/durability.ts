// The cost of syncing before an acknowledgment: uploads, jobs, live chunks and queries with PARLANCE_FSYNC always and
// never, one
// after another and concurrently, and the duration of a sync of this disk. Options: --seconds N of each measurement.
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { noise, wav } from "../test/fixtures/recordings.ts";
import { encodePcm } from "../test/fixtures/speech.ts";
import { call, type RunningService, ready, startService, upload } from "../test/service.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { WebSocket } = createRequire(import.meta.url)("ws") as typeof import("ws");
const { values: options } = parseArgs({ options: { seconds: { type: "string", default: "8" } } });

const AT_ONCE = 8;
/** 20 ms of 16-bit samples at 16 kHz. */
const CHUNK_BYTES = 640;
const CHUNK_MILLISECONDS = 20;
const SYNCS = 200;
/** The queue must not reach its limit. */
const QUEUE = "1000000";

interface Times {
  milliseconds: number[];
  seconds: number;
}

const values = ({ milliseconds, seconds }: Times, isRate = true) => ({
  ms: rounded(percentile(milliseconds, 0.5)),
  "P95 ms": rounded(percentile(milliseconds, 0.95)),
  ...(isRate ? { "a second": Math.round(milliseconds.length / seconds) } : {}),
});

/** Repeats the task with `clients` concurrent callers. */
async function timed(clients: number, task: () => Promise<unknown>): Promise<Times> {
  const milliseconds: number[] = [];
  const started = performance.now();
  const until = started + Number(options.seconds) * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const before = performance.now();
        await task();
        milliseconds.push(performance.now() - before);
      }
    }),
  );
  return { milliseconds, seconds: (performance.now() - started) / 1_000 };
}

async function diskSync(): Promise<number[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-sync-"));
  const file = await open(path.join(folder, "file"), "a");
  const milliseconds: number[] = [];
  for (let at = 0; at < SYNCS; at++) {
    await file.appendFile(Buffer.alloc(CHUNK_BYTES));
    const before = performance.now();
    await file.datasync();
    milliseconds.push(performance.now() - before);
  }
  await file.close();
  rmSync(folder, { recursive: true });
  return milliseconds;
}

/** Audio without speech in real time: acknowledgments only. */
async function liveChunks(service: RunningService): Promise<Times> {
  const { json } = await call(service, "POST", "/v2/live", { body: {} });
  const socket = new WebSocket(json.url);
  await new Promise((resolve) => socket.once("open", resolve));
  const sent: number[] = [];
  const milliseconds: number[] = [];
  socket.on("message", (data) => {
    if (JSON.parse(data.toString()).type !== "audio_chunk") return;
    milliseconds.push(performance.now() - (sent[milliseconds.length] as number));
  });
  const audio = encodePcm([noise(Number(options.seconds), 0.001)]);
  for (let at = 0; at < audio.length; at += CHUNK_BYTES) {
    sent.push(performance.now());
    socket.send(audio.subarray(at, at + CHUNK_BYTES));
    await new Promise((resolve) => setTimeout(resolve, CHUNK_MILLISECONDS));
  }
  socket.terminate();
  return { milliseconds, seconds: Number(options.seconds) };
}

const results: Result[] = [
  { name: "one sync of the disk", values: values({ milliseconds: await diskSync(), seconds: 1 }, false) },
];
const recording = wav([noise(0.2, 0.1)]);
for (const fsync of ["never", "always"]) {
  const service = await startService({
    environment: { PARLANCE_FSYNC: fsync, PARLANCE_LOG_LEVEL: "warn", PARLANCE_MAX_QUEUED_JOBS: QUEUE },
  });
  try {
    await ready(service);
    const { audio_url } = (await upload(service, recording)).json;
    const add = (name: string, found: Record<string, number>) =>
      results.push({ name: `${name}, PARLANCE_FSYNC=${fsync}`, values: found });
    add("a live chunk acknowledged", values(await liveChunks(service), false));
    for (const clients of [1, AT_ONCE]) {
      add(`an upload, ${clients} at once`, values(await timed(clients, () => upload(service, recording))));
    }
    add("a list of jobs read", values(await timed(1, () => call(service, "GET", "/v2/transcription"))));
    for (const clients of [1, AT_ONCE]) {
      const create = () => call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
      add(`a job accepted, ${clients} at once`, values(await timed(clients, create)));
    }
  } finally {
    await service.kill();
    rmSync(service.folder, { recursive: true, force: true });
  }
}
printResults("What durability costs", results);
saveResults("durability", results);
