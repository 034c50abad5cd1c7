// Messages of the greatest size to the live interfaces, in the shapes that cost most. None stops the service's thread for longer than a
// fraction of a second, each is answered as its interface states, and the words of the session are stored.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begunSession, transcriptOf } from "../fixtures/begun-session.ts";
import { freePort } from "../fixtures/free-port.ts";
import { ListenClient } from "../fixtures/listen-client.ts";
import { canWatchLoop, LoopWatch } from "../fixtures/loop-watch.ts";
import { RealtimeClient } from "../fixtures/realtime-client.ts";
import { atRate, decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { WyomingClient } from "../fixtures/wyoming-client.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every type
type AnyMessage = any;

/** Processor time of one turn. The greatest messages take 250 ms on a machine of 2020. */
const MOST_TURN_MILLISECONDS = 1_000;
/** Of a frame, below 32 MiB. */
const FRAME_BYTES = 33_000_000;
/** Of a message without audio, below 64 KiB. */
const MESSAGE_BYTES = 65_000;
const AUTHORIZED = { headers: { authorization: `Bearer ${TEST_KEY}` } };
const WORDS = /hello from the/i;
const RETRY_MILLISECONDS = 1_000;

let service: RunningService;
let results: string;
let watch: LoopWatch;
let wyomingPort: number;
let speech: Float32Array;
let pcm: Buffer;

beforeAll(async () => {
  results = mkdtempSync(path.join(os.tmpdir(), "parlance-loop-"));
  watch = new LoopWatch(results);
  wyomingPort = await freePort();
  service = await startService({
    environment: {
      PARLANCE_LOG_LEVEL: "error",
      PARLANCE_WYOMING_PORT: String(wyomingPort),
      ...watch.environment,
    },
  });
  speech = await decodeSpeech();
  pcm = encodePcm([speech]);
  await ready(service);
  // A start loads programs.
  watch.reset();
});
afterAll(async () => {
  await service.remove();
  rmSync(results, { recursive: true, force: true });
});

async function expectShortTurns(what: string): Promise<void> {
  expect((await call(service, "GET", "/health", { key: null })).status, what).toBe(200);
  if (!canWatchLoop) return;
  await expect.poll(() => watch.longestTurn, { message: "the event loop is watched" }).toBeGreaterThan(0);
  expect(watch.longestTurn, what).toBeLessThan(MOST_TURN_MILLISECONDS);
}

const expectStored = async (id: string) => expect(await transcriptOf(service, id)).toMatch(WORDS);

const list = <Item>(bytes: number, item: (at: number) => Item): Item[] => {
  const length = JSON.stringify(item(10_000)).length + 1;
  return Array.from({ length: Math.floor(bytes / length) }, (_, at) => item(at));
};
const named = (bytes: number, value: unknown = 1) =>
  Object.fromEntries(list(bytes, (at) => [`n${10_000 + at}`, value]));
/** Nested once for every `piece`. */
const nested = (piece: string, bytes: number) => piece.repeat(bytes / piece.length);

/** Values for any field: of its type, of others, and much of each. */
const VALUES: readonly unknown[] = [
  "x".repeat(MESSAGE_BYTES),
  "A. ".repeat(MESSAGE_BYTES / 3),
  " ".repeat(MESSAGE_BYTES),
  "Ab,".repeat(MESSAGE_BYTES / 3),
  "\u{1f600}".repeat(MESSAGE_BYTES / 4),
  list(MESSAGE_BYTES, (at) => `Name ${at}`),
  list(MESSAGE_BYTES, (at) => at),
  list(MESSAGE_BYTES, () => ""),
  list(MESSAGE_BYTES, () => [[[]]]),
  Array.from({ length: 950 }, (_, at) => `${at}${"é".repeat(25)}`),
  named(MESSAGE_BYTES),
  named(MESSAGE_BYTES, "x"),
  1e308,
  -0,
  null,
];

/** Text of any message, by what is wrong with it. */
const TEXTS: readonly [string, string][] = [
  ["brackets", nested("[", FRAME_BYTES)],
  ["objects", nested('{"a":', FRAME_BYTES)],
  ["short texts", `[${nested('"abc",', FRAME_BYTES)}1]`],
  ["one text", `"${"x".repeat(FRAME_BYTES - 2)}"`],
  ["escaped marks", `"${nested('\\"', FRAME_BYTES)}"`],
  ["a deep message", `${nested('{"type":', MESSAGE_BYTES)}`],
  ["a closed deep message", `${"[".repeat(MESSAGE_BYTES / 2)}${"]".repeat(MESSAGE_BYTES / 2)}`],
];

describe("OpenAI Realtime", () => {
  const speak = () =>
    begunSession(service, async () => {
      const client = await RealtimeClient.connect(service, AUTHORIZED);
      client.configure({ turn_detection: null });
      client.append(encodePcm([atRate(speech, 24_000)]));
      return client;
    });

  test.each(TEXTS)("%s", async (what, text) => {
    const { client, id } = await speak();
    client.send(text);
    const [error] = await client.received("error");
    expect(error.error.code, what).toMatch(/^(invalid_json|message_too_large)$/);
    client.commit();
    expect((await client.transcripts(1))[0]).toMatch(WORDS);
    client.socket.close();
    await expectStored(id);
    await expectShortTurns(what);
  });

  const update = (session: object) => ({ type: "session.update", session: { type: "transcription", ...session } });
  const input = (one: object) => update({ audio: { input: one } });
  const turns = { type: "server_vad" };
  const FIELDS: readonly [string, (value: unknown) => object][] = [
    ["session", (value) => ({ type: "session.update", session: value })],
    ["unknown fields", (value) => ({ ...update({ type: 1, include: 1 }), ...(value as object) })],
    ["model", (model) => input({ transcription: { model } })],
    ["language", (language) => input({ transcription: { language } })],
    ["languages", (languages) => input({ transcription: { languages } })],
    ["prompt", (prompt) => input({ transcription: { prompt } })],
    ["keywords", (keywords) => input({ transcription: { keywords } })],
    ["format", (format) => input({ format })],
    ["turn_detection", (turn_detection) => input({ turn_detection })],
    ["silence_duration_ms", (silence_duration_ms) => input({ turn_detection: { ...turns, silence_duration_ms } })],
    ["noise_reduction", (noise_reduction) => input({ noise_reduction })],
    ["include", (include) => update({ include })],
    ["tools", (tools) => update({ tools })],
    ["event_id", (event_id) => ({ ...update({ audio: {} }), event_id })],
    ["item_id", (item_id) => ({ type: "conversation.item.retrieve", item_id })],
    ["type", (type) => ({ type })],
  ];
  test.each(FIELDS)("the field %s", { timeout: 300_000 }, async (what, message) => {
    const { client, id } = await speak();
    for (const value of VALUES) client.send(message(value));
    client.configure({ turn_detection: null });
    // In the order of the messages.
    client.send({ type: "sing" });
    await expect.poll(() => client.of("error").some(({ error }) => /it is sing/.test(error.message))).toBe(true);
    const sent = client.events.map((event) => JSON.stringify(event).length);
    // An answer repeats no more than a message may have.
    expect(Math.max(...sent)).toBeLessThan(2 * MESSAGE_BYTES);
    client.socket.close();
    await expectStored(id);
    await expectShortTurns(what);
  });
});

describe.each([
  ["/v1/listen", "encoding=linear16&sample_rate=16000"],
  ["/v2/listen", "model=flux-general-en&encoding=linear16&sample_rate=16000"],
  ["/v3/ws", "speech_model=universal-streaming-english&sample_rate=16000"],
])("%s", (address, query) => {
  const speak = () =>
    begunSession(service, async () => {
      const client = await ListenClient.connect(service, query, AUTHORIZED, address);
      client.stream(pcm);
      return client;
    });
  const end = { type: address === "/v3/ws" ? "Terminate" : "CloseStream" };

  test.each(TEXTS)("%s", async (what, text) => {
    const { client, id } = await speak();
    client.socket.send(text);
    client.send(end);
    const { reason } = await client.closed;
    const errors = client.messages.filter(({ type }) => /Error|Warning/.test(type));
    expect(`${JSON.stringify([...errors, client.messages.at(-1)])} ${reason}`, what).toMatch(/65536|too deep|JSON/);
    await expectStored(id);
    await expectShortTurns(what);
  });

  test("the greatest binary frame", { timeout: 300_000 }, async () => {
    const { client, id } = await speak();
    client.send(Buffer.alloc(6_000_000));
    client.send(end);
    expect((await client.closed).code).toBe(1000);
    await expectStored(id);
    await expectShortTurns("a binary frame");
  });

  const configure = (fields: object): object =>
    address === "/v3/ws" ? { type: "UpdateConfiguration", ...fields } : { type: "Configure", ...fields };
  const fields = {
    "/v1/listen": ["keyterms", "features", "unknown"],
    "/v2/listen": ["keyterms", "thresholds", "language_hints", "numerals", "profanity_filter", "unknown"],
    "/v3/ws": ["keyterms_prompt", "language_codes", "min_turn_silence", "format_turns", "prompt", "unknown"],
  }[address] as string[];
  test.each(fields)("the field %s", { timeout: 300_000 }, async (field) => {
    const { client, id } = await speak();
    for (const value of VALUES) client.send(configure({ [field]: value }));
    client.send(end);
    expect((await client.closed).code).toBe(1000);
    const sent = client.messages.map((message: AnyMessage) => JSON.stringify(message).length);
    expect(Math.max(...sent)).toBeLessThan(2 * MESSAGE_BYTES);
    await expectStored(id);
    await expectShortTurns(field);
  });
});

describe("Wyoming", () => {
  const DATA_BYTES = 520_000;
  /** A busy machine may refuse a session for a moment. */
  const transcribed = async (transcribe: (client: WyomingClient) => void) => {
    for (;;) {
      const client = await WyomingClient.connect(wyomingPort);
      transcribe(client);
      client.send("audio-stop");
      await client.received("transcript-stop").catch(() => undefined);
      client.socket.destroy();
      if (!client.events.some(({ data }) => data.retry_after !== undefined)) {
        expect(client.events.find(({ type }) => type === "transcript")?.data.text).toMatch(WORDS);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  };

  test.each([
    ["a line without end", nested('{"type":', FRAME_BYTES)],
    ["deep data in the line", `{"type":"transcribe","data":${nested('{"a":', 60_000)}\n`],
    ["deep data", `{"type":"transcribe","data_length":${DATA_BYTES}}\n${nested("[", DATA_BYTES)}`],
    ["announced data", '{"type":"transcribe","data_length":1e15}\n'],
    ["an announced payload", '{"type":"audio-chunk","payload_length":1e15}\n'],
  ])("%s is an error", async (what, text) => {
    const client = await WyomingClient.connect(wyomingPort);
    client.socket.write(text);
    const events = await client.ended();
    expect(events.at(-1)?.data.code, what).toMatch(/^live\.wyoming_event/);
    await expectShortTurns(what);
  });

  const lists = {
    transcript_names: Array.from({ length: 2_500 }, (_, at) => `${at}`.padStart(95, "n")),
    transcript_terms: Array.from({ length: 2_500 }, (_, at) => `${at + 2_500}`.padStart(95, "n")),
  };
  test.each<[string, object]>([
    ["names and terms", lists],
    ["unknown fields", named(DATA_BYTES)],
  ])("%s of the greatest size", { timeout: 300_000 }, async (what, data) => {
    await transcribed((client) => {
      for (let count = 0; count < 10; count++) client.send("transcribe", data);
      client.audio(pcm);
    });
    await expectShortTurns(what);
  });

  test("a recording in one chunk", { timeout: 300_000 }, async () => {
    const format = { rate: 48_000, width: 4, channels: 8 };
    const fast = atRate(speech, 48_000);
    const payload = encodePcm(
      Array.from({ length: 8 }, () => fast),
      32,
    );
    await transcribed((client) => client.send("audio-chunk", format, payload));
    await expectShortTurns("one chunk");
  });
});
