// Live sessions in other respects than load: the delay that other requests cause (the event loop also carries their
// audio), the cost of syncing to disk, words invented without speech, and the processor time of a second
// of speech. Options: --minutes N of each sound without speech.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { wav } from "../test/fixtures/recordings.ts";
import { encodePcm } from "../test/fixtures/speech.ts";
import { call, doneJob, type RunningService, ready, startService, upload } from "../test/service.ts";
import { soundsWithoutSpeech } from "./no-speech.ts";
import { joined, loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { WebSocket } = createRequire(import.meta.url)("ws") as typeof import("ws");
const { values: options } = parseArgs({ options: { minutes: { type: "string", default: "20" } } });

const FRAME_MILLISECONDS = 20;
const FRAME_BYTES = (FRAME_MILLISECONDS / 1000) * SAMPLE_RATE * 2;
const SESSIONS = 4;
const SECONDS = 40;
const LONG_SECONDS = 3_600;
const PAUSE_SECONDS = 1;
const LOOP_GOAL_MILLISECONDS = 50;
const ADDON_GOAL_MILLISECONDS = 150;

interface Streamed {
  /** From sending a frame to its acknowledgment, milliseconds. */
  acknowledged: number[];
  words: number;
  /** From a final to its add-on message, milliseconds. */
  addons: number[];
}

/** Streams audio frame by frame in real time, or all at once. */
async function stream(service: RunningService, audio: Buffer, body: object, isRealTime: boolean): Promise<Streamed> {
  const created = await call(service, "POST", "/v2/live", { body });
  const socket = new WebSocket(created.json.url);
  await new Promise((resolve) => socket.once("open", resolve));
  const sent: number[] = [];
  const streamed: Streamed = { acknowledged: [], words: 0, addons: [] };
  const finals = new Map<string, number>();
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString());
    if (message.type === "audio_chunk") {
      streamed.acknowledged.push(performance.now() - (sent[streamed.acknowledged.length] as number));
    }
    if (message.type === "transcript" && message.data.is_final) {
      streamed.words += message.data.utterance.words.length;
      finals.set(message.data.id, performance.now());
    }
    const final = finals.get(message.data?.utterance_id);
    if (final !== undefined) streamed.addons.push(performance.now() - final);
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const started = performance.now();
  const step = isRealTime ? FRAME_BYTES : FRAME_BYTES * 50;
  for (let at = 0; at < audio.length; at += step) {
    const wait = isRealTime ? started + (at / FRAME_BYTES) * FRAME_MILLISECONDS - performance.now() : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    sent.push(performance.now());
    await new Promise<void>((resolve) => socket.send(audio.subarray(at, at + step), () => resolve()));
  }
  socket.send(JSON.stringify({ type: "stop_recording" }));
  await closed;
  return streamed;
}

async function metric(service: RunningService, pattern: RegExp): Promise<number> {
  return Number(pattern.exec((await call(service, "GET", "/metrics")).text)?.[1] ?? Number.NaN);
}
const LOOP = /parlance_event_loop_delay_seconds\{quantile="0\.999"\} (\S+)/;
const WORK = /parlance_recognition_seconds_sum (\S+)/;

async function transcribe(service: RunningService, samples: Float32Array): Promise<string> {
  const { json } = await upload(service, wav([samples]));
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } });
  return created.json.id;
}

/** Queries lists and fetches results of an hour, repeatedly, until `work` is done. */
async function disturb(service: RunningService, long: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  let requests = 0;
  const again = async (route: string) => {
    while (!isDone) {
      await call(service, "GET", route);
      requests++;
    }
  };
  const routes = ["/v2/transcription?status=done&limit=100", "/v2/live?limit=100", `/v2/transcription/${long}`];
  const all = Promise.all(routes.map(again));
  await work;
  isDone = true;
  await all;
  return requests;
}

const recordings = await loadRecordings(({ transcript }) => transcript !== undefined);
const audio = encodePcm([joined(recordings, SECONDS, PAUSE_SECONDS)]);
const results: Result[] = [];

const service = await startService({ environment: { PARLANCE_MAX_LIVE_SESSIONS: "64", PARLANCE_LOG_LEVEL: "warn" } });
try {
  await ready(service);
  const long = await transcribe(service, joined(recordings, LONG_SECONDS, PAUSE_SECONDS));
  await doneJob(service, long, 900_000);
  // Another hour is recognised while the sessions run, so that its result is stored during them.
  const stored = await transcribe(service, joined(recordings, LONG_SECONDS / 4, PAUSE_SECONDS));
  await metric(service, LOOP);
  const sessions = Promise.all(
    Array.from({ length: SESSIONS }, () => stream(service, audio, { endpointing: 0.3 }, true)),
  );
  const requests = await disturb(service, long, sessions);
  const delay = (await metric(service, LOOP)) * 1000;
  await doneJob(service, stored, 900_000);
  results.push({
    name: "event loop, 99.9th percentile",
    values: { ms: rounded(delay, 1), "requests meanwhile": requests },
    goal: `at most ${LOOP_GOAL_MILLISECONDS} ms`,
    isMet: delay <= LOOP_GOAL_MILLISECONDS,
  });
  for (const [name, flags] of [
    ["with partials", { receive_partial_transcripts: true }],
    ["finals only", {}],
  ] as const) {
    const before = await metric(service, WORK);
    await stream(service, audio, { endpointing: 0.3, messages_config: flags }, true);
    const work = (await metric(service, WORK)) - before;
    results.push({
      name: `recogniser's work, ${name}`,
      values: { "ms a second of speech": rounded((work * 1000) / SECONDS, 0) },
    });
  }
  const realtime = { sentiment_analysis: true, named_entity_recognition: true };
  const many = { endpointing: 0.3, realtime_processing: realtime };
  const heard = await Promise.all(Array.from({ length: SESSIONS }, () => stream(service, audio, many, true)));
  const delays = heard.flatMap(({ addons }) => addons);
  results.push({
    name: `add-on messages after their final, ${SESSIONS} sessions`,
    values: { ms: rounded(percentile(delays, 0.5), 0), "P95 ms": rounded(percentile(delays, 0.95), 0) },
    goal: `at most ${ADDON_GOAL_MILLISECONDS} ms`,
    isMet: percentile(delays, 0.95) <= ADDON_GOAL_MILLISECONDS,
  });
  const seconds = Number(options.minutes) * 60;
  for (const [name, samples] of soundsWithoutSpeech(seconds)) {
    const { words } = await stream(service, encodePcm([samples]), { endpointing: 0.3 }, false);
    results.push({ name: `words on ${name}`, values: { "words an hour": rounded((words * 3_600) / seconds, 1) } });
  }
} finally {
  await service.remove();
}
for (const fsync of ["never", "always"]) {
  const other = await startService({ environment: { PARLANCE_FSYNC: fsync, PARLANCE_LOG_LEVEL: "warn" } });
  await ready(other);
  const { acknowledged } = await stream(other, audio.subarray(0, audio.length / 4), {}, true);
  results.push({
    name: `acknowledgment, PARLANCE_FSYNC=${fsync}`,
    values: { ms: rounded(percentile(acknowledged, 0.5), 1), "P95 ms": rounded(percentile(acknowledged, 0.95), 1) },
  });
  await other.remove();
}
printResults("Live sessions under other conditions", results);
saveResults("live-conditions", results);
