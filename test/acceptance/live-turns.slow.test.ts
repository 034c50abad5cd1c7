// Turns of clients that stop sending instead of sending silence, over the real WebSocket with real speech.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atOnce } from "../../src/platform/process/steps.ts";
import { printJsonLine, readingJsonLines } from "../../src/platform/storage/json-lines.ts";
import type { JournalEntry } from "../../src/service/live/log/log-contract.ts";
import { freePort } from "../fixtures/free-port.ts";
import { type AnyMessage, createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { noise } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { type RunningService, ready, startService } from "../service.ts";

const FRAME_SECONDS = 0.02;
const BYTES_PER_SECOND = 32_000;

let folder: string;
let environment: Record<string, string>;
let service: RunningService;
/** A sentence that ends with its last sound, and its words. */
let turn: Buffer;
let turnSeconds: number;
/** The same sentence in other bytes: a client that reconnects and sends the same bytes sends them again. */
let nextTurn: Buffer;
let hiss: Buffer;
const WORDS = ["hello", "from", "the"];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-turns-"));
  environment = {
    PARLANCE_PORT: String(await freePort()),
    // Longer than a busy machine takes for the final of a turn, during which the clients send nothing.
    PARLANCE_LIVE_IDLE_SECONDS: "20",
    PARLANCE_MAX_LIVE_SESSIONS: "20",
  };
  service = await startService({ folder, environment });
  const speech = await decodeSpeech();
  const last = speech.findLastIndex((sample) => Math.abs(sample) > 0.01);
  turn = encodePcm([speech.subarray(0, last)]);
  turnSeconds = last / 16_000;
  nextTurn = encodePcm([speech.subarray(0, last).map((sample) => 0.8 * sample)]);
  hiss = encodePcm([noise(20, 0.0005)]);
  await ready(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends audio as a microphone does. @param pace  audio seconds per second */
async function speak(client: LiveClient, audio: Buffer, { pace = 1, frameSeconds = FRAME_SECONDS } = {}) {
  const frameBytes = 2 * Math.round((frameSeconds * BYTES_PER_SECOND) / 2);
  const started = performance.now();
  for (let at = 0, frame = 1; at < audio.length; at += frameBytes, frame++) {
    const due = started + (frame * frameSeconds * 1_000) / pace;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    client.send(audio.subarray(at, at + frameBytes));
  }
}

const final = (client: LiveClient, number: number) =>
  client.message(({ type, data }) => type === "transcript" && data.is_final && data.id === `00_0000000${number}`);

const samplesOf = (bytes: Buffer) => new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

const startOf = ({ data }: AnyMessage) => data.utterance.words[0].start as number;

async function begin(body: object = {}) {
  const session = await createSession(service, { endpointing: 0.3, ...body });
  return { id: session.id, url: session.url, client: await LiveClient.connect(session.url) };
}

async function end(client: LiveClient) {
  client.stop();
  expect((await client.closed).code).toBe(1000);
}

describe("a client that stops sending", () => {
  test("has the final of its turn, and the next turn is another utterance on the clock of the audio received", async () => {
    const { client } = await begin({ messages_config: { receive_partial_transcripts: true } });
    await speak(client, turn);
    const first = await final(client, 0);
    expect(normalizedWords(first.data.utterance.text).slice(0, 3)).toEqual(WORDS);
    expect(first.data.utterance.end).toBeLessThanOrEqual(turnSeconds + 0.001);
    await speak(client, turn);
    const second = await final(client, 1);
    expect(normalizedWords(second.data.utterance.text)).toEqual(normalizedWords(first.data.utterance.text));
    expect(startOf(second)).toBeGreaterThanOrEqual(turnSeconds - 0.001);
    expect(startOf(second) - turnSeconds).toBeCloseTo(startOf(first), 0);
    await end(client);
    expect(client.of("speech_start")).toHaveLength(2);
    expect(client.of("speech_end").map(({ data }) => data.time)).toEqual([
      expect.closeTo(turnSeconds, 1),
      expect.closeTo(2 * turnSeconds, 1),
    ]);
    expect(client.finals()).toHaveLength(2);
  });

  test("has it too with comfort noise, in chunks of a second and in frames of 10 ms", async () => {
    const comfort = async () => {
      const { client } = await begin();
      await speak(client, turn);
      const timer = setInterval(() => client.send(hiss.subarray(0, 640)), 400);
      const { data } = await final(client, 0);
      clearInterval(timer);
      await end(client);
      return data.utterance.text;
    };
    const other = async (body: object, frameSeconds: number) => {
      const { client } = await begin(body);
      await speak(client, turn, { frameSeconds });
      const { data } = await final(client, 0);
      await end(client);
      return data.utterance.text;
    };
    const texts = await Promise.all([comfort(), other({}, 1), other({}, 0.01)]);
    for (const text of texts) expect(normalizedWords(text).slice(0, 3)).toEqual(WORDS);
  });

  test("has it too where the enhancer keeps some audio back", async () => {
    const { client } = await begin({ pre_processing: { audio_enhancer: true } });
    await speak(client, turn);
    const { data } = await final(client, 0);
    expect(normalizedWords(data.utterance.text).slice(0, 3)).toEqual(WORDS);
    client.socket.close();
  });

  test("sends its last final before a session closed for inactivity ends", async () => {
    // The endpointing is longer than the time limit: the turn is still open.
    const { client, id } = await begin({ endpointing: 10 });
    await speak(client, turn, { pace: 20 });
    expect((await client.closed).code).toBe(4408);
    expect(normalizedWords(client.text()).slice(0, 3)).toEqual(WORDS);
    const job = await sessionResult(service, id);
    expect(normalizedWords(job.result.transcription.full_transcript).slice(0, 3)).toEqual(WORDS);
  });
});

describe("gaps that are no silence", () => {
  /** The words, and the number of utterances, of the sentence with a pause behind it. */
  const check = async (send: (client: LiveClient) => Promise<void>) => {
    const { client } = await begin();
    await send(client);
    await end(client);
    expect(client.finals().map(({ data }) => normalizedWords(data.utterance.text).slice(0, 3))).toEqual([WORDS]);
    expect(client.of("speech_start")).toHaveLength(1);
  };

  test("a file sent at half speed, in bursts or at once is one turn", async () => {
    await Promise.all([
      check((client) => speak(client, turn, { pace: 0.5, frameSeconds: 0.5 })),
      check((client) => speak(client, turn, { pace: 1.5, frameSeconds: 1.3 })),
      check((client) => speak(client, turn, { pace: 100 })),
    ]);
  });

  test("a network that stalls in the middle of a sentence changes nothing", async () => {
    await check(async (client) => {
      const stream = (client.socket as unknown as { _socket: Socket })._socket;
      const half = 2 * Math.floor(turn.length / 4);
      const spoken = speak(client, turn);
      await new Promise((resolve) => setTimeout(resolve, (1_000 * half) / BYTES_PER_SECOND));
      stream.cork();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      stream.uncork();
      await spoken;
    });
  });
});

test("a service that is killed between the end of a turn and its final gives the same result", async () => {
  const { client, id, url } = await begin();
  await speak(client, turn);
  const { data } = await final(client, 0);
  await service.kill();
  await client.closed;
  // The journal as it is before the final.
  const journal = path.join(folder, "objects", "live", id, "journal.jsonl");
  const lines = atOnce(readingJsonLines<JournalEntry | JournalEntry[]>(readFileSync(journal)));
  const entries = lines.flat() as JournalEntry[];
  const isBefore = (entry: JournalEntry) =>
    entry.kind !== "channel" && !(entry.kind === "message" && entry.event?.kind === "final");
  expect(entries.map(({ kind }) => kind)).toContain("turn-end");
  writeFileSync(journal, entries.filter(isBefore).map(printJsonLine).join(""));
  service = await startService({ folder, environment });
  await ready(service);
  const again = await LiveClient.connect(url);
  await speak(again, nextTurn);
  await final(again, 1);
  await end(again);
  const { result } = await sessionResult(service, id);
  const { utterances } = result.transcription;
  expect(utterances).toHaveLength(2);
  expect(utterances[0]).toEqual(data.utterance);
  expect(normalizedWords(utterances[1].text).slice(0, 3)).toEqual(WORDS);
  expect(utterances[1].start).toBeGreaterThanOrEqual(turnSeconds - 0.001);
});

test("what configure changed survives a lost connection and a kill: the audio that follows is processed so", async () => {
  const { client, id, url } = await begin({ endpointing: 5, maximum_duration_without_endpointing: 60 });
  const pause = Buffer.alloc(BYTES_PER_SECOND);
  const other = (volume: number) => Buffer.from(new Int16Array(samplesOf(turn).map((one) => volume * one)).buffer);
  client.send(Buffer.concat([turn, pause, turn, pause]));
  client.finalize();
  const spelling = { custom_spelling: true, custom_spelling_config: { spelling_dictionary: { Greetings: ["hello"] } } };
  client.configure({ endpointing: 0.3, realtime_processing: spelling });
  expect(await client.message(({ type }) => type === "configure")).toMatchObject({ acknowledged: true });
  await client.drop();
  const second = await LiveClient.connect(url);
  second.send(Buffer.concat([nextTurn, pause]));
  await expect.poll(() => second.finals().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
  await service.kill();
  await second.closed;
  service = await startService({ folder, environment });
  await ready(service);
  const again = await LiveClient.connect(url);
  again.send(Buffer.concat([other(0.7), pause, other(0.6), pause]));
  await end(again);
  const { result } = await sessionResult(service, id);
  const texts = result.transcription.utterances.map(({ text }: { text: string }) => text.toLowerCase());
  const counts = (word: RegExp) => texts.map((text: string) => text.match(word)?.length ?? 0);
  expect(counts(/hello/g)).toEqual([2, 0, 0, 0]);
  expect(counts(/greetings/g)).toEqual([0, 1, 1, 1]);
}, 120_000);
