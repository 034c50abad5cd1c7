// Real processes under random faults: npm run chaos -- --minutes N --seed S. Two processes of each role on PostgreSQL, NATS and an S3 server are
// stopped, killed and cut off while clients send recordings, speak and receive callbacks. Prints every violated promise, and exits with 1 if there
// is one.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";
import { LiveConnection, type Socket } from "../src/contract/client/live-connection.ts";
import { randomOf } from "../test/fixtures/random.ts";
import { Receiver } from "../test/fixtures/receiver.ts";
import { HELLO_MP3 } from "../test/fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../test/fixtures/speech.ts";
import { normalizedWords } from "../test/fixtures/word-error-rate.ts";
import { call, TEST_KEY } from "../test/service.ts";
import { Fleet } from "./chaos-fleet.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string", default: String(Date.now() % 1e9) } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error("pass numbers: --minutes N --seed S");

const MOST_TROUBLED = 2;
const LEAST_PAUSE_MILLISECONDS = 3_000;
const PAUSE_SPREAD_MILLISECONDS = 9_000;
const MOST_OPEN_JOBS = 4;
const SESSIONS = 2;
const FRAME_BYTES = 6_400;
const FRAME_MILLISECONDS = 200;
const REQUEST_MILLISECONDS = 20_000;
/** After the last fault, everything ends within this time. */
const SETTLE_MILLISECONDS = 480_000;
const LOOK_MILLISECONDS = 1_000;
const HEADER_BYTES = 44;
const FAILING_SHARE = 0.2;

const random = randomOf(seed);
const began = performance.now();
const until = began + minutes * 60_000;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const shownTime = () => `${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s`;
const log = (text: string) => void process.stdout.write(`${shownTime()}  ${text}\n`);
const violations: string[] = [];
const violate = (text: string) => {
  violations.push(text);
  log(`VIOLATION: ${text}`);
};

log(`seed ${seed}, ${minutes} minutes`);
const fleet = await Fleet.start(log);
const receiver = await Receiver.start();
receiver.answer = () => ({ status: performance.now() < until && random() < FAILING_SHARE ? 503 : 200 });
const recording = readFileSync(HELLO_MP3);
const speech = encodePcm([repeated(await decodeSpeech(), 2, 0.8)]);

/** Sends a request to any process of the role `api` until one answers it. */
async function ask(method: string, route: string, body?: unknown) {
  for (;;) {
    const answer = await within(call({ base: fleet.base("api", random) }, method, route, { body })).catch(
      () => undefined,
    );
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    await pause(LOOK_MILLISECONDS);
  }
}

async function within<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), REQUEST_MILLISECONDS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Jobs that were acknowledged. */
const jobs: string[] = [];
const ended = new Set<string>();

async function submitJob(): Promise<void> {
  const form = new FormData();
  form.append("audio", new Blob([recording as never]), "hello.mp3");
  const uploaded = await ask("POST", "/v2/upload", form);
  const { status, json } = await ask("POST", "/v2/pre-recorded", {
    audio_url: uploaded.json?.audio_url,
    callback: true,
    callback_config: { url: receiver.url },
  });
  if (status === 201) jobs.push(json.id);
  else violate(`a job was refused: ${status} ${JSON.stringify(json)}`);
}

async function record(): Promise<void> {
  while (performance.now() < until) {
    const open = jobs.filter((id) => !ended.has(id));
    if (open.length < MOST_OPEN_JOBS) await submitJob();
    for (const id of open) {
      const { json } = await ask("GET", `/v2/pre-recorded/${id}`);
      if (json?.status === "done" || json?.status === "error") ended.add(id);
    }
    await pause(LOOK_MILLISECONDS);
  }
}

interface Spoken {
  id: string;
  acknowledged: number;
  problem: string | undefined;
  hasEnded: boolean;
}
const sessions: Spoken[] = [];

async function speakOnce(): Promise<void> {
  const { status, json } = await ask("POST", "/v2/live", { encoding: "wav/pcm", sample_rate: 16_000, bit_depth: 16 });
  if (status !== 201) {
    violate(`a session was refused: ${status} ${JSON.stringify(json)}`);
    return;
  }
  const spoken: Spoken = { id: json.id, acknowledged: 0, problem: undefined, hasEnded: false };
  sessions.push(spoken);
  const { pathname, search } = new URL(json.url);
  await new Promise<void>((resolve) => {
    const open = () =>
      new WebSocket(`${fleet.base("live", random).replace("http", "ws")}${pathname}${search}`) as unknown as Socket;
    const connection = new LiveConnection(open, {
      onState: () => undefined,
      onMessage: (message) => {
        if (message.type === "audio_chunk" && message.acknowledged)
          spoken.acknowledged = Math.max(spoken.acknowledged, message.data?.byte_range[1] ?? 0);
      },
      onEnded: (problem) => {
        Object.assign(spoken, { problem, hasEnded: true });
        resolve();
      },
    });
    void speak(connection);
  });
}

async function speak(connection: LiveConnection): Promise<void> {
  for (let at = 0; at < speech.length; at += FRAME_BYTES) {
    connection.sendAudio(new Uint8Array(speech.subarray(at, at + FRAME_BYTES)));
    await pause(FRAME_MILLISECONDS);
  }
  connection.stop();
}

async function converse(): Promise<void> {
  while (performance.now() < until) await speakOnce();
}

async function disturb(): Promise<void> {
  while (performance.now() < until) {
    await pause(LEAST_PAUSE_MILLISECONDS + random() * PAUSE_SPREAD_MILLISECONDS);
    if (fleet.troubled < MOST_TROUBLED) fleet.disturb(random);
  }
}

/** Most results are the same text: another one has lost or doubled words. */
function checkTexts(texts: Map<string, string>, kind: string): void {
  const counts = new Map<string, number>();
  for (const text of texts.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [usual = ""] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const least = normalizedWords(usual).length;
  for (const [id, text] of texts)
    if (normalizedWords(text).length !== least) violate(`${kind} ${id} has the text "${text}", others "${usual}"`);
}

async function checkJobs(deadline: number): Promise<void> {
  const texts = new Map<string, string>();
  for (const id of jobs) {
    let job = (await ask("GET", `/v2/pre-recorded/${id}`)).json;
    while (job?.status !== "done" && job?.status !== "error" && performance.now() < deadline) {
      await pause(LOOK_MILLISECONDS);
      job = (await ask("GET", `/v2/pre-recorded/${id}`)).json;
    }
    if (job?.status === "done") texts.set(id, job.result.transcription.full_transcript);
    else violate(`job ${id} is ${job?.status ?? "lost"}: ${job?.error_message ?? ""}`);
    while (receiver.of(id).length === 0 && performance.now() < deadline) await pause(LOOK_MILLISECONDS);
    const received = receiver.of(id);
    if (received.length === 0) violate(`the callback of job ${id} did not arrive`);
    const names = new Set(received.map(({ headers, body }) => `${headers["webhook-id"]} ${body.event}`));
    if (names.size > 1) violate(`job ${id} ended more than once: its callbacks are ${[...names].join(", ")}`);
  }
  checkTexts(texts, "job");
}

async function checkSessions(deadline: number): Promise<void> {
  const texts = new Map<string, string>();
  for (const spoken of sessions) {
    const { id, acknowledged } = spoken;
    while (!spoken.hasEnded && performance.now() < deadline) await pause(LOOK_MILLISECONDS);
    const { json } = await ask("GET", `/v2/live/${id}`);
    if (!spoken.hasEnded) violate(`session ${id} did not end; its job is ${json?.status}`);
    if (spoken.problem !== undefined) violate(`session ${id} ended with: ${spoken.problem}`);
    const headers = { "x-service-key": TEST_KEY };
    const file = await fetch(`${fleet.base("api", random)}/v2/live/${id}/file`, { headers });
    const stored = Buffer.from(await file.arrayBuffer()).subarray(HEADER_BYTES);
    if (spoken.hasEnded && spoken.problem === undefined && !stored.equals(speech))
      violate(`session ${id} is complete, but ${stored.length} of ${speech.length} bytes are stored, or they differ`);
    else if (!stored.subarray(0, acknowledged).equals(speech.subarray(0, acknowledged)))
      violate(`session ${id}: of ${acknowledged} acknowledged bytes some are missing or differ`);
    if (json?.status === "done") texts.set(id, json.result.transcription.full_transcript);
  }
  checkTexts(texts, "session");
}

try {
  const speakers = Array.from({ length: SESSIONS }, converse);
  await Promise.all([record(), disturb()]);
  log("no more faults; waiting for what is under way");
  await fleet.settle();
  const deadline = performance.now() + SETTLE_MILLISECONDS;
  await Promise.race([Promise.all(speakers), pause(SETTLE_MILLISECONDS)]);
  await checkJobs(deadline);
  await checkSessions(deadline);
} catch (error) {
  violate(`the run failed: ${(error as Error).stack}`);
}
const faults = [...fleet.faults].map(([kind, count]) => `${count} × ${kind}`).join(", ");
log(
  `seed ${seed}: ${jobs.length} jobs, ${sessions.length} sessions, ${receiver.received.length} callbacks; faults: ${faults}`,
);
log(violations.length === 0 ? "all holds" : `${violations.length} violations; logs in ${fleet.saveLogs()}`);
for (const violation of violations) process.stdout.write(`  ${violation}\n`);
await receiver.stop();
await fleet.stop();
process.exit(violations.length === 0 ? 0 : 1);
