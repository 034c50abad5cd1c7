// Live WebSockets whose clients flood, trickle, lie about pings or read nothing: what waits for a session is bounded in bytes and in
// frames, in both directions, and a client that follows the protocol loses nothing by it.
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { residentBytes } from "../../src/platform/process/resident-memory.ts";
import { sleep } from "../../src/platform/process/sleep.ts";
import { INSPECTED, keptBytes } from "../fixtures/kept-memory.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { closeCode, frame, rawWebSocket } from "../fixtures/raw-socket.ts";
import { noise } from "../fixtures/recordings.ts";
import { encodePcm } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

const isLinux = process.platform === "linux";
const IDLE_SECONDS = 6;
/** Of the half of 160,000 frames of two bytes: 300 bytes kept for each would be 24 MB. */
const MOST_KEPT_BYTES = 20e6;
const MEASURE_MILLISECONDS = 1_000;
let service: RunningService;

beforeAll(async () => {
  service = await startService({
    environment: { PARLANCE_LIVE_IDLE_SECONDS: String(IDLE_SECONDS), PARLANCE_LIVE_GRACE_SECONDS: "20", ...INSPECTED },
  });
  await ready(service);
}, 60_000);
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service.remove();
});

const memory = () => residentBytes(service.processId) ?? Number.NaN;

/** @returns the least that the service kept at any time of the second half of `work`: frames that only wait come and go */
async function whileMeasured<Result>(work: Promise<Result>): Promise<{ result: Result; kept: number }> {
  let isRunning = true;
  const ended = work.finally(() => {
    isRunning = false;
  });
  const measured: number[] = [];
  while (isRunning) {
    measured.push(await keptBytes(service));
    await sleep(MEASURE_MILLISECONDS);
  }
  return { result: await ended, kept: Math.min(...measured.slice(measured.length / 2)) };
}

/** Highest memory above the beginning while `work` runs. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = memory();
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, memory() - before);
  }, 50);
  await work().finally(() => clearInterval(timer));
  return most;
}

async function healthMilliseconds(): Promise<number> {
  const before = performance.now();
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
  return performance.now() - before;
}

test.skipIf(!isLinux)(
  "audio in frames of two bytes: every byte arrives, and memory stays",
  { timeout: 300_000 },
  async () => {
    const sendInPairs = async (audio: Buffer): Promise<string> => {
      const { id, url } = await createSession(service, { messages_config: { receive_acknowledgments: false } });
      const client = await LiveClient.connect(url);
      for (let at = 0; at < audio.length; at += 2) {
        client.send(audio.subarray(at, at + 2));
        // The test's own memory is not what is tested.
        if (client.socket.bufferedAmount > 1e6) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      client.stop();
      expect((await client.closed).code).toBe(1000);
      return id;
    };
    // The first session allocates what every later one uses.
    await sendInPairs(encodePcm([noise(1, 0.001)]));
    const before = await keptBytes(service);
    const { result: id, kept } = await whileMeasured(sendInPairs(encodePcm([noise(10, 0.001)])));
    expect(kept - before).toBeLessThan(MOST_KEPT_BYTES);
    const job = await sessionResult(service, id);
    expect(job.result.metadata.audio_duration).toBeCloseTo(10, 1);
  },
);

test.skipIf(!isLinux)("empty frames from a client that never reads", { timeout: 240_000 }, async () => {
  const { url } = await createSession(service);
  const raw = await rawWebSocket(url);
  raw.socket.pause();
  const many = Buffer.concat(Array.from({ length: 10_000 }, () => frame(2)));
  const most = await growth(async () => {
    let isClosed = false;
    void raw.closed.then(() => {
      isClosed = true;
    });
    // As fast as it is taken, until the service has had enough of it.
    while (!isClosed && raw.socket.writable) {
      if (raw.socket.write(many)) continue;
      await Promise.race([new Promise((resolve) => raw.socket.once("drain", resolve)), raw.closed]);
    }
    await raw.closed;
  });
  expect(most).toBeLessThan(200e6);
  expect(await healthMilliseconds()).toBeLessThan(1_000);
  // Messages that it did not read are kept: it may reconnect.
  const back = await LiveClient.connect(url);
  back.stop();
  expect((await back.closed).code).toBe(1000);
  expect(back.types()).toContain("post_final_transcript");
});

test("text frames that are no messages are not stored", async () => {
  const { id, url } = await createSession(service);
  const client = await LiveClient.connect(url);
  for (let count = 0; count < 2_000; count++) client.socket.send("x");
  client.stop();
  expect((await client.closed).code).toBe(1000);
  expect(client.of("error")).toHaveLength(2_000);
  const job = await sessionResult(service, id);
  expect(job.result.messages.filter((text: string) => text.includes('"error"'))).toHaveLength(0);
});

test("unrequested pongs do not count as a sign of life", { timeout: 120_000 }, async () => {
  const { url } = await createSession(service);
  const raw = await rawWebSocket(url);
  const timer = setInterval(() => {
    raw.send(Buffer.concat([frame(10), frame(10, Buffer.from("1")), frame(10, Buffer.from("2.x"))]));
  }, 200);
  await raw.closed;
  clearInterval(timer);
  // Pongs are no frames of a session either: it is idle.
  expect(closeCode(raw.received)).toBe(4408);
});

test("a client that answers no ping is disconnected, whatever else it sends", { timeout: 120_000 }, async () => {
  const { url } = await createSession(service);
  const raw = await rawWebSocket(url);
  const timer = setInterval(() => raw.send(Buffer.concat([frame(2, Buffer.alloc(320)), frame(10)])), 200);
  await raw.closed;
  clearInterval(timer);
  expect(closeCode(raw.received)).toBeUndefined();
});

test("a whole backlog in one frame, over a line that takes longer than the idle time", {
  timeout: 120_000,
}, async () => {
  const { id, url } = await createSession(service, { messages_config: { receive_acknowledgments: true } });
  const audio = encodePcm([noise(60, 0.001)]);
  const text = JSON.stringify({ type: "audio_chunk", data: { chunk: audio.toString("base64") } });
  const bytes = frame(1, Buffer.from(text));
  const raw = await rawWebSocket(url);
  const pieces = 2 * IDLE_SECONDS * 10;
  for (let piece = 0; piece < pieces; piece++) {
    raw.send(
      bytes.subarray(Math.floor((piece * bytes.length) / pieces), Math.floor(((piece + 1) * bytes.length) / pieces)),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await raw.until(/"byte_range":\[0,1920000\]/)).toBe(true);
  raw.send(frame(1, Buffer.from('{"type":"stop_recording"}')));
  await raw.until(/post_final_transcript/);
  raw.reset();
  expect((await sessionResult(service, id)).result.metadata.audio_duration).toBeCloseTo(60, 1);
});

test("a backlog of the largest size in one frame", { timeout: 120_000 }, async () => {
  const { url } = await createSession(service, { sample_rate: 48_000, bit_depth: 32, channels: 8 });
  const client = await LiveClient.connect(url);
  client.sendChunk(Buffer.alloc(24_000_000));
  await client.message(({ type, data }) => type === "audio_chunk" && data.byte_range[1] === 24_000_000);
  client.stop();
  expect((await client.closed).code).toBe(1000);
});

test("a client that reads only when it has sent everything", { timeout: 120_000 }, async () => {
  const { url } = await createSession(service);
  const client = new WebSocket(url);
  await new Promise((resolve) => client.once("open", resolve));
  const { _socket: socket } = client as unknown as { _socket: Socket };
  socket.pause();
  const audio = encodePcm([noise(30, 0.001)]);
  for (let at = 0; at < audio.length; at += 3_200) client.send(audio.subarray(at, at + 3_200));
  client.send(JSON.stringify({ type: "stop_recording" }));
  while (client.bufferedAmount > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  socket.resume();
  const code = await new Promise((resolve) => client.once("close", resolve));
  expect(code).toBe(1000);
});

test("a client that does not answer the close frame is disconnected", async () => {
  const { url } = await createSession(service);
  const raw = await rawWebSocket(url);
  raw.send(frame(1, Buffer.from('{"type":"stop_recording"}')));
  await raw.until(/post_final_transcript/);
  const before = performance.now();
  await raw.closed;
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(closeCode(raw.received)).toBe(1000);
});
