// All requests and frames that once ended or froze the service, at once and again and again, from another process: how long
// `/health` takes meanwhile, and how long the event loop of the service is delayed, by the clock and by the processor time of
// its longest turn, which other load does not change. Options: --seconds N (60); --attack is used by the bench itself.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FLOODS, sendFlood } from "../test/fixtures/floods.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { LoopWatch } from "../test/fixtures/loop-watch.ts";
import { silence, wav } from "../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../test/fixtures/speech.ts";
import { call, doneJob, type RunningService, ready, startService, submit, TEST_KEY, upload } from "../test/service.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, attack: { type: "string" }, job: { type: "string" } },
});

const GOAL_MILLISECONDS = 200;
const PROBE_MILLISECONDS = 100;
const METRICS_MILLISECONDS = 5_000;
/** Between two rounds of one attack. */
const PAUSE_MILLISECONDS = 200;
const TEXT_BYTES = 33_000_000;
const AUDIO_BYTES = 6_000_000;
const SLOW_CONNECTIONS = 200;
const FLOOD_MESSAGES = 50_000;
/** Each is corrected to the longest text that one may have; a request has a megabyte of them. */
const LONG_UTTERANCES = 50;
const LONG_PAUSE_SECONDS = 2;
const LONGEST_CORRECTION = 20_000;
const LONG_CORRECTIONS = 19;
const LOOP = /parlance_event_loop_delay_seconds\{quantile="1"\} (\S+)/;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const list = <Item>(count: number, item: (at: number) => Item) => Array.from({ length: count }, (_, at) => item(at));

type Attack = (target: { base: string; job: string }) => Promise<unknown>;

const many = (minItems: number, items: unknown) => ({ type: "array", minItems, items });
const extraction = (json_schema: unknown) => ({ structured_data_extraction_config: { json_schema } });
const BODIES: readonly (object | string)[] = [
  extraction(many(50_000, many(100_000, { type: "integer" }))),
  extraction(many(30_000_000, { type: "integer" })),
  extraction({ type: "string", minLength: 1_000_000_000 }),
  extraction({ anyOf: {} }),
  extraction({ enum: list(6_000, () => []) }),
  { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: list(5_000, (at) => `name of number ${at}`) } },
  Object.fromEntries(list(40_000, (at) => [`unknown_${at}`, at])),
  `{"audio_url":[${"1,".repeat(500_000)}1]}`,
  `{"audio_url":${"[".repeat(1_000_000)}`,
].map((body) => (typeof body === "string" ? body : { audio_url: "http://127.0.0.1:9/a.wav", ...body }));

const riff = Buffer.from("RIFF\0\0\0\0WAVE", "latin1");
const audio = (text: string) => `{"type":"audio_chunk","data":{"chunk":"${text}"}}`;
const FRAMES: readonly (Buffer | string)[] = [
  Buffer.alloc(AUDIO_BYTES, riff),
  "[".repeat(TEXT_BYTES),
  '{"a":'.repeat(TEXT_BYTES / 5),
  audio("*".repeat(TEXT_BYTES)),
  audio("\\\\".repeat(TEXT_BYTES / 2)),
];

const DOCUMENT = Buffer.from(`${"<!---->".repeat(140)}<x>`);

/** A header of 1 Hz. */
function slowWave(): Buffer {
  const file = wav([silence(10)]);
  file.writeUInt32LE(1, 24);
  file.writeUInt32LE(2, 28);
  return file;
}

async function sendFrames(base: string, body: object, frames: readonly (Buffer | string)[]): Promise<void> {
  const { url, id } = await createSession({ base }, body);
  const client = await LiveClient.connect(url);
  for (const frame of frames) await new Promise((resolve) => client.socket.send(frame, resolve));
  await pause(1_000);
  await client.drop();
  await call({ base }, "DELETE", `/v2/live/${id}`);
}

/** Requests without a key whose bodies arrive at 600 bytes a second, all connections together. */
async function sendSlowly(base: string): Promise<void> {
  const { hostname, port } = new URL(base);
  const head =
    "POST /v2/pre-recorded HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n";
  const sockets = list(SLOW_CONNECTIONS, () => connect(Number(port), hostname).on("error", () => undefined));
  for (const socket of sockets) socket.write(head);
  for (let second = 0; second < 10; second++) {
    for (const socket of sockets) if (!socket.destroyed) socket.write("   ");
    await pause(1_000);
  }
  for (const socket of sockets) socket.destroy();
}

const ATTACKS: readonly Attack[] = [
  async ({ base }) => {
    for (const body of BODIES) {
      const headers = { "x-service-key": TEST_KEY, "content-type": "application/json" };
      const text = typeof body === "string" ? body : JSON.stringify(body);
      await (await fetch(new URL("/v2/pre-recorded", base), { method: "POST", headers, body: text })).text();
    }
  },
  ({ base }) => sendFrames(base, {}, FRAMES),
  ({ base }) => {
    const vocabulary = list(5_000, (at) => `name of number ${at}`);
    const realtime_processing = { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } };
    return sendFrames(base, { realtime_processing }, [wav([silence(5)])]);
  },
  ({ base }) => Promise.all(list(4, () => upload({ base }, DOCUMENT, "a.html"))),
  ({ base }) => upload({ base }, slowWave(), "a.wav"),
  async ({ base, job }) => {
    const leaving = new AbortController();
    const headers = { "x-service-key": TEST_KEY };
    const address = new URL(`/v2/transcription/${job}/transcript?format=docx`, base);
    const exports_ = list(128, () => fetch(address, { headers, signal: leaving.signal }).catch(() => undefined));
    await pause(300);
    leaving.abort();
    await Promise.all(exports_);
  },
  ({ base }) => sendSlowly(base),
  async ({ base }) => {
    for (const flood of FLOODS) await sendFlood(base, flood, FLOOD_MESSAGES);
  },
];

/** By the place in ATTACKS. */
interface Counts {
  rounds: number[];
  errors: number[];
}

/** Runs until its parent ends it. */
async function attack(base: string, job: string): Promise<void> {
  const counts: Counts = { rounds: ATTACKS.map(() => 0), errors: ATTACKS.map(() => 0) };
  process.once("disconnect", () => process.exit());
  process.on("message", () => process.send?.(counts));
  await Promise.all(
    ATTACKS.map(async (once, at) => {
      for (;;) {
        const kind = await once({ base, job }).then(
          () => "rounds" as const,
          () => "errors" as const,
        );
        counts[kind][at] = (counts[kind][at] ?? 0) + 1;
        await pause(PAUSE_MILLISECONDS);
      }
    }),
  );
}

/** A transcript of a megabyte with as many corrections as it may have. @returns the job */
async function longTranscript(service: RunningService): Promise<string> {
  const job = await submit(service, wav([repeated(await decodeSpeech(), LONG_UTTERANCES, LONG_PAUSE_SECONDS)]));
  const { utterances } = (await doneJob(service, job)).result.transcription;
  if (utterances.length < LONG_UTTERANCES) throw new Error(`the recording has ${utterances.length} utterances`);
  for (let made = 0; made < LONG_CORRECTIONS; made++) {
    const text = `w${made % 10}rd `.repeat(LONGEST_CORRECTION / 5);
    const body = { utterances: list(LONG_UTTERANCES, (index) => ({ index, text })) };
    const { status } = await call(service, "PATCH", `/v2/transcription/${job}/transcript`, { body });
    if (status !== 201) throw new Error(`a correction was answered ${status}`);
  }
  return job;
}

async function measure(): Promise<void> {
  const seconds = Number(options.seconds);
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-attacks-"));
  const watch = new LoopWatch(folder);
  const environment = { PARLANCE_LOG_LEVEL: "silent", PARLANCE_MAX_QUEUED_JOBS: "1000", ...watch.environment };
  const service = await startService({ environment });
  await ready(service);
  const job = await longTranscript(service);
  await call(service, "GET", "/metrics");
  watch.reset();
  const arguments_ = [fileURLToPath(import.meta.url), "--attack", service.base, "--job", job];
  const attacker = spawn(process.execPath, arguments_, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const taken: number[] = [];
  let failures = 0;
  let longest = 0;
  const until = performance.now() + seconds * 1000;
  const readLoop = async () => {
    const { text } = await call(service, "GET", "/metrics");
    longest = Math.max(longest, Number(LOOP.exec(text)?.[1] ?? Number.NaN) * 1000);
  };
  const probe = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      const status = await call(service, "GET", "/health", { key: null }).then(
        (answer) => answer.status,
        () => 0,
      );
      taken.push(performance.now() - from);
      if (status !== 200) failures++;
      await pause(Math.max(0, PROBE_MILLISECONDS - (performance.now() - from)));
    }
  };
  const watchLoop = async () => {
    while (performance.now() < until) {
      await pause(METRICS_MILLISECONDS);
      await readLoop().catch(() => failures++);
    }
  };
  await Promise.all([probe(), watchLoop()]);
  const counts = await new Promise<Counts>((resolve) => {
    attacker.once("message", (made) => resolve(made as Counts));
    attacker.send("counts");
  });
  attacker.kill();
  const high = percentile(taken, 0.99);
  const results: Result[] = [
    {
      name: "/health under all attacks at once",
      values: {
        seconds,
        probes: taken.length,
        failures,
        "median ms": rounded(percentile(taken, 0.5), 1),
        "99th percentile ms": rounded(high, 0),
        "greatest ms": rounded(percentile(taken, 1), 0),
        "longest event loop delay ms": rounded(longest, 0),
        "longest turn, processor time ms": rounded(watch.longestTurn, 0),
        "load of the machine": rounded(os.loadavg()[0] ?? 0, 1),
        "rounds of each attack": counts.rounds.join(" "),
        // An attack whose request could not be sent did nothing.
        "errors of each attack": counts.errors.join(" "),
      },
      goal: `99th percentile within ${GOAL_MILLISECONDS} ms, no failure`,
      isMet: high <= GOAL_MILLISECONDS && failures === 0,
    },
  ];
  printResults("Attacks", results);
  saveResults("attacks", results);
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
}

if (options.attack !== undefined) await attack(options.attack, options.job ?? "");
else await measure();
