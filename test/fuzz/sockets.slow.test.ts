// Bytes on raw sockets, in the shape of requests and WebSocket frames and beside it. Whatever comes: the process lives, answers others
// in time, answers no 5xx, keeps its memory, and gives back every descriptor.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { residentBytes } from "../../src/platform/process/resident-memory.ts";
import { fuzzing } from "../fixtures/fuzzing.ts";
import { createSession } from "../fixtures/live-client.ts";
import { canWatchLoop, LoopWatch } from "../fixtures/loop-watch.ts";
import { frameSteps, handshake, httpSteps, type Step } from "../fixtures/raw-arbitrary.ts";
import { eventually, RawSocket, socketsOf } from "../fixtures/raw-socket.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const RUNS = 40;
/** Side by side in a run. */
const CONNECTIONS = 10;
/** As many as are admitted at once. */
const SESSIONS = 8;
/** Of other interfaces: each connection is a session. */
const LISTENERS = [
  "v1/listen?model=nova-3",
  "v1/listen?encoding=linear16&sample_rate=16000&channels=2&utterance_end_ms=1000",
  "v2/listen?model=flux-general-en&encoding=linear16&sample_rate=16000&eager_eot_threshold=0.5",
  "v3/ws?speech_model=universal-streaming-english",
  "v1/realtime?intent=transcription",
  "telephony/twilio",
  "telephony/telnyx?tracks=both",
  "telephony/plivo?endpointing=0.3",
  "telephony/vapi?partials=true",
  "telephony/jambonz",
  "telephony/freeswitch?sample_rate=16000&channels=2",
  "v1/listen?encoding=opus",
  "v2/listen?model=flux-general-en&encoding=ogg-opus",
  "v3/ws?speech_model=universal-streaming-english&encoding=aac",
];
/** Behind the wrong one. */
const ADDRESSES = SESSIONS + LISTENERS.length;
/** An idle machine takes a hundredth of this. Another test judges the processor time of a turn. */
const HEALTH_MILLISECONDS = 15_000;
const MOST_GROWTH_BYTES = 300e6;
/** Processor time of one turn of the event loop. */
const MOST_TURN_MILLISECONDS = 250;
/** Connections that this test's own requests may keep open. */
const OWN_SOCKETS = 2;

/** Interfaces whose addresses have no token read it. */
const KEY_HEADERS = { authorization: `Token ${TEST_KEY}` };

const isLinux = process.platform === "linux";
let service: RunningService;
let urls: string[];
let base: { sockets: number; memory: number };
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-loop-"));
const watch = new LoopWatch(folder);

const memory = () => residentBytes(service.processId) ?? Number.NaN;

/** Sessions of an earlier call, which would use up the capacity of the machine. */
let created: string[] = [];

async function freshUrls(): Promise<string[]> {
  const base = service.base.replace("http", "ws");
  const wrong = `${base}/v2/live?token=wrong`;
  const urls: string[] = [];
  // One after another, over one connection: those of this test are not what is counted.
  for (const id of created) await call(service, "DELETE", `/v2/live/${id}`);
  created = [];
  for (let count = 0; count < SESSIONS; count++) {
    const flags = { receive_partial_transcripts: true, receive_lifecycle_events: true, receive_turn_events: true };
    const session = await createSession(service, { messages_config: flags });
    created.push(session.id);
    urls.push(session.url);
  }
  return [wrong, ...urls, ...LISTENERS.map((address) => `${base}/${address}`)];
}

beforeAll(async () => {
  service = await startService({
    environment: {
      PARLANCE_LOG_LEVEL: "error",
      PARLANCE_WORKERS: "1",
      PARLANCE_STALL_SECONDS: "5",
      ...watch.environment,
    },
  });
  await ready(service);
  // A start loads programs.
  watch.reset();
  if (isLinux) base = { sockets: socketsOf(service.processId), memory: memory() };
  urls = await freshUrls();
}, 120_000);
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: a job in a list
type AnyJob = any;

async function play(steps: Step[], first?: Buffer): Promise<string> {
  const raw = await RawSocket.open(service.base);
  if (first) raw.send(first);
  for (const step of steps) {
    if (step.do === "send") raw.send(step.bytes);
    else if (step.do === "reset") raw.reset();
    else if (step.do === "half-close") raw.socket.end();
    else await new Promise((resolve) => setTimeout(resolve, step.milliseconds));
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  raw.reset();
  await raw.closed;
  return raw.text;
}

async function healthy(): Promise<void> {
  const before = performance.now();
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
  expect(performance.now() - before).toBeLessThan(HEALTH_MILLISECONDS);
}

const shown = (steps: Step[]) => steps.map((step) => (step.do === "send" ? step.bytes.toString("latin1") : step));

test("requests that are none", { timeout: 3_600_000 }, async () => {
  const many = fc.array(httpSteps, { minLength: CONNECTIONS, maxLength: CONNECTIONS });
  const property = fc.asyncProperty(many, async (all) => {
    const answers = await Promise.all(all.map((steps) => play(steps)));
    for (const [at, answer] of answers.entries()) {
      const statuses = [...answer.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map((match) => Number(match[1]));
      // An answer's own text may look like a status line; none is about a fault of the service.
      for (const status of statuses) expect(status, JSON.stringify(shown(all[at] ?? []))).toBeLessThan(500);
    }
    await healthy();
  });
  await fc.assert(property, { ...fuzzing(RUNS), endOnFailure: false });
});

test("frames that are none, in any order, on sessions that are there and that are not", {
  timeout: 3_600_000,
}, async () => {
  const one = fc.tuple(fc.nat(ADDRESSES), frameSteps);
  const many = fc.array(one, { minLength: CONNECTIONS, maxLength: CONNECTIONS });
  let runs = 0;
  const property = fc.asyncProperty(many, async (all) => {
    // Sessions end by what they are sent.
    if (++runs % 20 === 0) urls = await freshUrls();
    await Promise.all(all.map(([at, steps]) => play(steps, handshake(urls[at] ?? "", KEY_HEADERS))));
    await healthy();
  });
  await fc.assert(property, fuzzing(RUNS));
});

test.skipIf(!canWatchLoop)("no turn of the event loop took long", () => {
  expect(watch.longestTurn).toBeGreaterThan(0);
  expect(watch.longestTurn).toBeLessThan(MOST_TURN_MILLISECONDS);
});

test("a session of Deepgram's interface ends with its connection, however that ends", {
  timeout: 120_000,
}, async () => {
  const running = async () => {
    const { items } = (await call(service, "GET", "/v2/live?status=processing&limit=1000")).json;
    // Sessions of the other interface wait for their clients.
    return items.filter(({ request_params: { endpointing } }: AnyJob) => endpointing === 0.01).length;
  };
  await expect.poll(running, { timeout: 100_000 }).toBe(0);
});

test.skipIf(!isLinux)("nothing of it stays", { timeout: 120_000 }, async () => {
  await healthy();
  await eventually(
    () => socketsOf(service.processId) <= base.sockets + OWN_SOCKETS,
    60_000,
    "every descriptor is given back",
  );
  expect(memory() - base.memory).toBeLessThan(MOST_GROWTH_BYTES);
  expect(service.log()).not.toMatch(/"level":[56]0/);
});
