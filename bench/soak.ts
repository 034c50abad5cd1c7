// A mixed load for a given time: recordings with callbacks, live sessions (some of which lose their connection),
// lists, searches, transcripts, corrections, deletions. Prints errors, latencies, memory of each kind of process after
// the
// warm-up and at the end, open files, and leftover files. Options: --minutes N. Needs Linux, for /proc.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { Receiver } from "../test/fixtures/receiver.ts";
import { HELLO_MP3 } from "../test/fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../test/fixtures/speech.ts";
import { call, doneJob, ready, startService, upload } from "../test/service.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const MINUTES = Number(options.minutes);
/** Caches and the first growth of the heaps are complete by then. */
const WARM_UP_SHARE = 0.25;
/** Memory varies with the work: it is sampled for this share of the time, after the warm-up and at the end. */
const SAMPLED_SHARE = 0.05;
const MEMORY_SAMPLES = 30;
const FRAME_MILLISECONDS = 100;
const FRAME_BYTES = 3_200;
const MOST_GROWTH = 0.05;

const errors: string[] = [];
const latencies: Record<string, number[]> = { upload: [], job: [], final: [], list: [], transcript: [] };
const began = performance.now();
const until = began + MINUTES * 60_000;
const isOver = () => performance.now() > until;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const service = await startService({
  environment: { PARLANCE_LOG_LEVEL: "warn", PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "1" },
});
await ready(service);
const receiver = await Receiver.start();
const recording = readFileSync(HELLO_MP3);
const speech = encodePcm([repeated(await decodeSpeech(), 3, 1.5)]);
let jobs = 0;
let sessions = 0;

async function timed<Answer>(kind: string, work: () => Promise<Answer>): Promise<Answer> {
  const from = performance.now();
  const answer = await work();
  latencies[kind]?.push(performance.now() - from);
  return answer;
}

/** Repeats `work` until the time is over; errors are recorded. */
async function repeatUntilEnd(what: string, work: () => Promise<void>, restMilliseconds: number): Promise<void> {
  while (!isOver()) {
    await work().catch((error: unknown) => {
      errors.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    });
    await pause(restMilliseconds);
  }
}

async function record(): Promise<void> {
  const { json, status } = await timed("upload", () => upload(service, recording));
  if (status !== 200) throw new Error(`upload answered ${status}`);
  const body = {
    audio_url: json.audio_url,
    diarization: true,
    summarization: true,
    callback: true,
    callback_config: { url: `${receiver.url}/soak` },
  };
  const { id } = (await call(service, "POST", "/v2/pre-recorded", { body })).json;
  await timed("job", () => doneJob(service, id));
  jobs++;
  const written = await timed("transcript", () =>
    call(service, "GET", `/v2/transcription/${id}/transcript?format=srt`),
  );
  if (written.status !== 200) throw new Error(`a transcript answered ${written.status}`);
  const change = { speakers: [{ speaker: 0, name: "Anna" }] };
  await call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body: change });
  const removed = await call(service, "DELETE", `/v2/pre-recorded/${id}`);
  if (removed.status !== 202) throw new Error(`a deletion answered ${removed.status}`);
}

async function speak(): Promise<void> {
  const session = await createSession(service, {
    endpointing: 0.3,
    messages_config: { receive_partial_transcripts: true },
  });
  let client = await LiveClient.connect(session.url);
  const drops = sessions++ % 3 === 0;
  const finals = new Set<string>();
  const from = performance.now();
  for (let at = 0; at < speech.length; at += FRAME_BYTES) {
    const wait = from + (at / FRAME_BYTES) * FRAME_MILLISECONDS - performance.now();
    if (wait > 0) await pause(wait);
    client.send(speech.subarray(at, at + FRAME_BYTES));
    if (drops && at === FRAME_BYTES * 40) {
      const acknowledged = client.acknowledged;
      for (const { data } of client.finals()) finals.add(data.id);
      await client.drop();
      client = await LiveClient.connect(session.url);
      client.send(speech.subarray(acknowledged, at + FRAME_BYTES));
    }
  }
  client.stop();
  const stopped = performance.now();
  const { code } = await client.closed;
  latencies["final"]?.push(performance.now() - stopped);
  for (const { data } of client.finals()) finals.add(data.id);
  if (code !== 1000) throw new Error(`a session was closed with ${code}`);
  const { result } = (await call(service, "GET", `/v2/live/${session.id}`)).json;
  if (result.transcription.utterances.length !== finals.size) throw new Error("finals and result differ");
  await call(service, "DELETE", `/v2/live/${session.id}`);
}

async function look(): Promise<void> {
  for (const query of ["", "?status=done", "?search=hello", "?kind=live"]) {
    const { status } = await timed("list", () => call(service, "GET", `/v2/transcription${query}`));
    if (status !== 200) throw new Error(`a list answered ${status}`);
  }
}

/** Resident memory by kind of process, megabytes: the median over a part of the load. */
async function memoryOverTime(): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>();
  for (let sample = 0; sample < MEMORY_SAMPLES; sample++) {
    await pause((MINUTES * 60_000 * SAMPLED_SHARE) / MEMORY_SAMPLES);
    const { text } = await call(service, "GET", "/metrics");
    for (const [, kind = "", bytes] of text.matchAll(/^parlance_process_memory_bytes\{process="([^"]+)"\} (\S+)$/gm)) {
      samples.set(kind, [...(samples.get(kind) ?? []), Number(bytes) / 1e6]);
    }
  }
  return new Map([...samples].map(([kind, megabytes]) => [kind, percentile(megabytes, 0.5)]));
}

const openFiles = () => readdirSync(`/proc/${service.processId}/fd`).length;

const work = Promise.all([
  repeatUntilEnd("recording", record, 500),
  repeatUntilEnd("recording", record, 900),
  repeatUntilEnd("live", speak, 300),
  repeatUntilEnd("live", speak, 1_100),
  repeatUntilEnd("lists", look, 400),
]);
await pause(MINUTES * 60_000 * WARM_UP_SHARE);
const filesBefore = openFiles();
const before = await memoryOverTime();
await pause(until - performance.now() - MINUTES * 60_000 * SAMPLED_SHARE);
const after = await memoryOverTime();
await work;
await pause(3_000);
const filesAfter = openFiles();

const results: Result[] = Object.entries(latencies).map(([name, values]) => ({
  name,
  values: {
    count: values.length,
    "median ms": rounded(percentile(values, 0.5), 0),
    "95 % ms": rounded(percentile(values, 0.95), 0),
    "99 % ms": rounded(percentile(values, 0.99), 0),
  },
}));
for (const [kind, megabytes] of before) {
  const now = after.get(kind);
  if (now === undefined) continue;
  const growth = now / megabytes - 1;
  results.push({
    name: `memory of ${kind}`,
    values: {
      "MB after warm-up": rounded(megabytes, 0),
      "MB at the end": rounded(now, 0),
      "growth %": rounded(100 * growth, 1),
    },
    goal: "5 %",
    isMet: growth <= MOST_GROWTH,
  });
}
const left = (await call(service, "GET", "/v2/transcription?limit=1000")).json.items.length;
const objects = readdirSync(path.join(service.folder, "objects"), { recursive: true, withFileTypes: true });
const files = objects.filter((item) => item.isFile()).length;
results.push({
  name: "left behind",
  values: {
    jobs: left,
    objects: files,
    "open files before": filesBefore,
    "open files after": filesAfter,
    errors: errors.length,
  },
  goal: "0 jobs, 0 objects, 0 errors",
  isMet: left === 0 && files === 0 && errors.length === 0,
});
printResults(`soak of ${MINUTES} minutes: ${jobs} recordings, ${sessions} sessions`, results);
for (const error of [...new Set(errors)].slice(0, 20)) process.stdout.write(`${error}\n`);
saveResults("soak", results);
await receiver.stop();
await service.remove();
