// Lost connections and kills of the server in the middle of live sessions. What was acknowledged is never lost, and no
// word is missing or doubled: the stored result equals that of an undisturbed session.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { GladiaClient } from "@gladiaio/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { type AnyMessage, createSession, LiveClient } from "../fixtures/live-client.ts";
import { checkSession, sessionResult, undisturbed } from "../fixtures/live-invariants.ts";
import { randomOf } from "../fixtures/random.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

const FRAME_BYTES = 3_200;
const TIMES = 4;
let folder: string;
let environment: Record<string, string>;
let service: RunningService;
let audio: Buffer;
let expected: string[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-"));
  environment = { PARLANCE_PORT: String(await freePort()) };
  service = await startService({ folder, environment });
  ({ audio, words: expected } = await undisturbed(service, TIMES));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const checkInvariants = (id: string, messages: AnyMessage[]) =>
  checkSession(service, id, messages, { audio, words: expected });

/**
 * Streams the audio over as many connections as it takes, as known clients do: after a break everything that was not
 * acknowledged is sent again, without a word about its place.
 */
async function streamThroughBreaks(
  url: string,
  breaks: { atByte: number; breakOff: (client: LiveClient) => Promise<void>; lostAcknowledgments: number }[],
): Promise<AnyMessage[]> {
  const messages: AnyMessage[] = [];
  let acknowledged = 0;
  let client = await LiveClient.connect(url);
  for (const one of [...breaks, undefined]) {
    const until = one?.atByte ?? audio.length;
    for (let at = acknowledged; at < until; at += FRAME_BYTES) {
      client.send(audio.subarray(at, Math.min(at + FRAME_BYTES, audio.length)));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    if (!one) break;
    await one.breakOff(client);
    messages.push(...client.messages);
    const acks = client.of("audio_chunk").slice(0, -one.lostAcknowledgments || undefined);
    acknowledged = acks.at(-1)?.data.byte_range[1] ?? acknowledged;
    client = await LiveClient.connect(url);
  }
  client.stop();
  expect((await client.closed).code).toBe(1000);
  messages.push(...client.messages);
  expect(messages.filter(({ type }) => type === "start_recording").length).toBeLessThanOrEqual(1);
  return messages;
}

test("connections lost at random points, acknowledgments lost with them", { timeout: 240_000 }, async () => {
  const random = randomOf(20_261_121);
  for (let round = 0; round < 2; round++) {
    const session = await createSession(service, {
      endpointing: 0.3,
      messages_config: { receive_lifecycle_events: true },
    });
    const places = [random(), random(), random()]
      .sort()
      .map((share) => Math.floor(share * audio.length * 0.95) + 1_000);
    const messages = await streamThroughBreaks(
      session.url,
      places.map((atByte) => ({
        atByte,
        lostAcknowledgments: Math.floor(random() * 4),
        breakOff: (client) => client.drop(),
      })),
    );
    await checkInvariants(session.id, messages);
  }
});

test("the server killed at random points and started again", { timeout: 240_000 }, async () => {
  const random = randomOf(4_242);
  const session = await createSession(service, {
    endpointing: 0.3,
    messages_config: { receive_lifecycle_events: true },
  });
  const places = [random(), random()].sort().map((share) => Math.floor(share * audio.length * 0.9) + 1_000);
  const messages = await streamThroughBreaks(
    session.url,
    places.map((atByte) => ({
      atByte,
      lostAcknowledgments: Math.floor(random() * 3),
      breakOff: async (client) => {
        await service.kill();
        await client.closed;
        service = await startService({ folder, environment });
      },
    })),
  );
  await checkInvariants(session.id, messages);
});

test("a server killed after stop finishes the session automatically", { timeout: 120_000 }, async () => {
  const session = await createSession(service, { endpointing: 0.3 });
  const client = await LiveClient.connect(session.url);
  client.send(audio);
  client.stop();
  await client.message(({ type }) => type === "stop_recording");
  await service.kill();
  service = await startService({ folder, environment });
  const job = await sessionResult(service, session.id);
  expect(normalizedWords(job.result.transcription.full_transcript).join("")).toBe(expected.join(""));
});

test("the reference client reconnects automatically after its connection was cut", { timeout: 120_000 }, async () => {
  // By default the client gives up after four seconds, less than a busy machine may need for a restart.
  const client = new GladiaClient({
    apiKey: TEST_KEY,
    apiUrl: service.base,
    wsRetry: { maxAttemptsPerConnection: 0 },
  });
  const session = client.liveV2().startSession({
    sample_rate: 16_000,
    endpointing: 0.3,
    messages_config: { receive_lifecycle_events: true, receive_acknowledgments: true },
  });
  const messages: AnyMessage[] = [];
  session.on("message", (message) => messages.push(message));
  const ended = new Promise<{ code: number }>((resolve) => session.once("ended", resolve));
  const reconnected = new Promise<void>((resolve) => {
    let connections = 0;
    session.on("connected", () => (++connections === 2 ? resolve() : undefined));
  });
  const id = await session.getSessionId();
  for (let at = 0; at < audio.length; at += FRAME_BYTES) {
    session.sendAudio(audio.subarray(at, at + FRAME_BYTES));
    await new Promise((resolve) => setTimeout(resolve, 15));
    if (at === FRAME_BYTES * 60) {
      // The server ends and starts again while the client keeps sending.
      await service.kill();
      service = await startService({ folder, environment });
    }
  }
  // This client loses a stop that is requested while it reconnects.
  await reconnected;
  session.stopRecording();
  expect((await ended).code).toBe(1000);
  expect(messages.filter(({ type }) => type === "start_session")).toHaveLength(1);
  await checkInvariants(id, messages);
});
