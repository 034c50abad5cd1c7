// A connection without its network: the request and frames in, commands and messages out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  ConversationWorld,
  SESSION_ID,
  spokenUtterance,
} from "../../../../../test/fixtures/conversation-world.ts";
import type { ClosingKind } from "../../events/closing.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import { DIALECTS } from "../registry.ts";
import { ListenConversation } from "./conversation.ts";
import { deepgramListen } from "./listen.ts";

const PCM = "encoding=linear16&sample_rate=16000";
const ID = SESSION_ID;

const utterance = (text: string, start: number, end: number, channel = 0) =>
  spokenUtterance(text, start, end, { channel });
const final = (text: string, start: number, end: number, channel = 0): LiveEvent => ({
  kind: "final",
  id: text,
  utterance: utterance(text, start, end, channel),
});

class World extends ConversationWorld<ListenConversation> {
  /** Seconds. */
  received = 0;
  detected = 0;

  constructor(query = PCM, headers: Record<string, string> = { authorization: "Token key" }) {
    super(new ListenConversation({ path: "/v1/listen", query: new URLSearchParams(query), headers, at: 0 }));
  }

  open(stored: object = {}, { isStrict = false, configuration }: { isStrict?: boolean; configuration?: object } = {}) {
    const sessions = { isStrict, resume: async () => ({ found: "session", params: stored }) };
    const authenticate = async () => ({ account: {}, keyId: null, configuration });
    return this.find(configuration === undefined ? sessions : { ...sessions, authenticate });
  }

  detectUntil(seconds: number): void {
    this.detected = seconds;
    this.send({ type: "KeepAlive" });
  }

  protected override get reached() {
    return { bytes: this.received * 32_000, seconds: this.received, detectedSeconds: this.detected };
  }

  metadata(): AnyMessage {
    return JSON.parse(this.conversation.farewell({ kind: "complete" })[0] as string);
  }

  /** The messages in short. */
  get short(): unknown[] {
    return this.sent.map((message) =>
      message.type === "Results"
        ? [message.channel.alternatives[0].transcript, message.is_final, message.speech_final, message.from_finalize]
        : message.type,
    );
  }
}

const refusalOf = async (world: World, ...open: Parameters<World["open"]>) => {
  const finding = await world.open(...open);
  if (!("closing" in (finding as object))) return undefined;
  const { status, headers, body } = world.conversation.handshake.refusal((finding as AnyMessage).closing);
  return { status, headers, body: JSON.parse(body) };
};

describe("the request", () => {
  test("parameters configure the session", async () => {
    const world = new World(
      `${PCM}&model=nova-2&language=multi&channels=2&multichannel=true&interim_results=true&endpointing=25&diarize=true&numerals=true&keyterm=Ada&keyterm=ENIAC&keywords=tube:2&replace=hullo:hello`,
    );
    expect(await world.open()).toEqual({ found: "session" });
    expect(world.created[0]).toMatchObject({
      body: {
        model: "model of nova-2",
        encoding: "wav/pcm",
        sample_rate: 16_000,
        channels: 2,
        endpointing: 0.025,
        language_config: { languages: [], code_switching: true },
        diarization: true,
        messages_config: { receive_partial_transcripts: true },
        realtime_processing: {
          numerals: true,
          custom_vocabulary_config: { vocabulary: ["Ada", "ENIAC", "tube"] },
          custom_spelling_config: { spelling_dictionary: { hello: ["hullo"] } },
        },
      },
      client: { reconnects: false, idle_seconds: 10 },
      warnings: [expect.stringMatching(/^keywords: the weight/)],
    });
    expect(world.conversation.handshake.headers()).toEqual({
      "dg-request-id": ID,
      "x-parlance-warnings": expect.stringMatching(/^keywords: the weight of "tube:2" is ignored$/),
    });
  });

  test.each([
    ["", 0.01],
    ["endpointing=true", 0.01],
    ["endpointing=0", 0.01],
    ["endpointing=300", 0.3],
    ["endpointing=false", 10],
    ["endpointing=300&utterance_end_ms=1000", 0.3],
    ["endpointing=false&utterance_end_ms=1000", 1],
    ["endpointing=5000&utterance_end_ms=1000", 1],
  ])("%s: silence of %d s ends an utterance", async (query, endpointing) => {
    const world = new World(`${PCM}&${query}`);
    await world.open();
    expect(world.body).toMatchObject({ endpointing, language_config: { languages: ["en"], code_switching: false } });
  });

  test("fillers are removed and profanity is masked on request", async () => {
    const world = new World(`${PCM}&filler_words=false&profanity_filter=true`);
    await world.open();
    expect(world.created[0]).toMatchObject({
      body: { realtime_processing: { filler_words: "drop", profanity_filter: true } },
      warnings: [],
    });
  });

  test("a parameter that clients send without a choice of their own has no warning", async () => {
    // As livekit-plugins-deepgram and pipecat-ai send them.
    const query =
      "model=nova-3&punctuate=true&smart_format=false&no_delay=true&interim_results=true&encoding=linear16&vad_events=true&sample_rate=16000&channels=1&endpointing=25&filler_words=false&profanity_filter=false&numerals=false&mip_opt_out=false&language=en-US&multichannel=false&dictation=false";
    const world = new World(query);
    await world.open();
    expect(world.created[0]?.warnings).toEqual([]);
  });

  test.each([
    [
      "encoding=flac&sample_rate=16000",
      400,
      /^encoding must be one of .*linear16, mulaw, alaw, opus, ogg-opus; it is "flac"/,
    ],
    ["encoding=speex", 400, /it is "speex"/],
    ["encoding=opus&channels=3", 400, /^channels must be at most 2/],
    ["encoding=mulaw", 400, /^sample_rate is required/],
    [`${PCM}&channels=9`, 400, /^channels must be a number from 1 to 8/],
    [`${PCM}&utterance_end_ms=5`, 400, /^utterance_end_ms must be a number from 100 to 60000/],
    [`${PCM}&interim_results=maybe`, 400, /^interim_results must be true or false/],
    [`${PCM}&redact=pii&search=a`, 400, /^redact is not available: .*search is not available/],
    [`${PCM}&language=multi&language_hint=klingon`, 400, /^language_hint must be .*"klingon" is not one/],
    [`${PCM}&callback=https://x.example`, 400, /^callback is not available/],
    [`${PCM}&strict=true&f%C3%A4rbe=1`, 400, /^"färbe" is not a parameter/],
    [Array(201).fill("keyterm=a").join("&"), 400, /more than 200 parameters/],
  ])("%s is refused", async (query, status, message) => {
    const refused = await refusalOf(new World(query));
    expect(refused).toMatchObject({
      status,
      body: { err_code: "Bad Request", err_msg: expect.stringMatching(message) },
    });
    expect(refused?.headers["dg-request-id"]).toBe(refused?.body.request_id);
    expect(refused?.headers["dg-error"]).toMatch(/^[\x20-\x7e]+$/);
  });

  test.each([
    [{ authorization: "token key" }, undefined],
    [{ authorization: "Bearer key" }, undefined],
    [{ "sec-websocket-protocol": "token, key" }, undefined],
    [{ "sec-websocket-protocol": "bearer,key" }, undefined],
    [{ authorization: "Basic key" }, 401],
    [{ authorization: "Token other" }, 401],
    [{ "sec-websocket-protocol": "key, token" }, 401],
    [{}, 401],
  ])("%j is a key: %s", async (headers, status) => {
    expect((await refusalOf(new World(PCM, headers as Record<string, string>)))?.status).toBe(status);
  });

  test("a client secret of another interface, and an unknown parameter where requests are strict, are refused", async () => {
    expect((await refusalOf(new World(), {}, { configuration: {} }))?.status).toBe(401);
    expect((await refusalOf(new World(`${PCM}&colour=red`), {}, { isStrict: true }))?.status).toBe(400);
    expect(await refusalOf(new World(`${PCM}&colour=red&strict=false`), {}, { isStrict: true })).toBeUndefined();
  });

  test("a session continues where its audio ends, with the same parameters only", async () => {
    const query = `${PCM}&resumable=true`;
    const first = new World(query);
    await first.open();
    expect(first.created[0]?.client).toMatchObject({ reconnects: true });
    const world = new World(`${query}&session_id=${ID}`);
    world.received = 2.5;
    expect(await world.open({ ...first.body, language_config: { code_switching: false, languages: ["en"] } })).toEqual({
      found: "session",
    });
    expect(world.sent).toEqual([{ type: "Resumed", request_id: ID, received_bytes: 80_000, received_seconds: 2.5 }]);
    const terms = new World(`${query}&keyterm=Parlance`);
    await terms.open();
    const realtime_processing = { ...(terms.body as { realtime_processing?: object }).realtime_processing };
    const ofAccount = { ...terms.body, realtime_processing: { ...realtime_processing, account_words: ["Anna"] } };
    expect(realtime_processing).not.toEqual({});
    const again = new World(`${query}&keyterm=Parlance&session_id=${ID}`);
    expect(await again.open(ofAccount)).toEqual({ found: "session" });
    const changed = new World(`${query}&endpointing=500&session_id=${ID}`);
    expect((await refusalOf(changed, first.body))?.body.err_msg).toMatch(
      /these fields of the session differ: endpointing$/,
    );
  });

  test("paths of dialects do not overlap", () => {
    for (const path of ["/v1/listen", "/v1/listen/", "/v1/realtime", "/v2/live"]) {
      expect(DIALECTS.filter((dialect) => dialect.accepts(path))).toHaveLength(1);
    }
    expect(deepgramListen.accepts("/v2/listen")).toBe(false);
  });
});

describe("messages", () => {
  async function begin(query = PCM): Promise<World> {
    const world = new World(query);
    await world.open();
    return world;
  }
  const started = (seconds: number, channel = 0): LiveEvent => ({ kind: "speechStarted", channel, seconds });
  const stopped = (seconds: number, channel = 0): LiveEvent => ({ kind: "speechEnded", channel, seconds });

  test("an utterance at its longest length is final, and its speech is not", async () => {
    const world = await begin(`${PCM}&punctuate=true&vad_events=true&interim_results=true`);
    world.emit(
      started(0.5),
      { kind: "partial", id: "a", utterance: utterance("Well", 0.5, 1) },
      { kind: "speechEnded", channel: 0, seconds: 10.5, isCut: true },
      final("Well, it", 0.5, 10.2),
      started(10.5),
      stopped(12),
      final("ends.", 10.3, 12),
    );
    expect(world.short).toEqual([
      "SpeechStarted",
      ["Well", false, false, false],
      ["Well, it", true, false, false],
      ["ends.", true, true, false],
    ]);
    expect(world.sent[0]).toEqual({ type: "SpeechStarted", channel: [0, 1], timestamp: 0.5 });
    expect(world.sent[2]).toMatchObject({
      channel_index: [0, 1],
      start: 0.5,
      duration: 9.7,
      channel: {
        alternatives: [{ confidence: 0.9, words: [{ word: "well", punctuated_word: "Well,", confidence: 0.5 }, {}] }],
      },
      metadata: { request_id: ID, model_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  test("masked words keep their asterisks, with and without punctuate", async () => {
    const plain = await begin();
    plain.emit(final("Oh s***, no.", 0, 1));
    expect(plain.sent.at(-1).channel.alternatives[0]).toMatchObject({
      transcript: "oh s*** no",
      words: [{}, { word: "s***" }, {}],
    });
    const punctuated = await begin(`${PCM}&punctuate=true`);
    punctuated.emit(final("Oh s***, no.", 0, 1));
    expect(punctuated.sent.at(-1).channel.alternatives[0].words[1]).toMatchObject({
      word: "s***",
      punctuated_word: "s***,",
    });
  });

  test("without endpointing no speech is final; without punctuate there are no marks", async () => {
    const world = await begin(`${PCM}&endpointing=false&language=multi`);
    world.emit(started(0), stopped(2), final("It ends.", 0, 2));
    expect(world.sent).toMatchObject([
      { speech_final: false, channel: { alternatives: [{ transcript: "it ends", languages: ["en"] }] } },
    ]);
  });

  test.each([
    ["language=multi", ["en"]],
    ["detect_language=true", ["en"]],
    ["detect_language=en&detect_language=es", ["en"]],
    ["detect_language=false", undefined],
    ["language=en", undefined],
  ])("%s: results and their words name their languages as %j", async (query, languages) => {
    const world = await begin(`${PCM}&${query}`);
    world.emit(final("a", 0, 1));
    const [alternative] = world.sent[0].channel.alternatives;
    expect(alternative.languages).toEqual(languages);
    expect(alternative.words[0].language).toBe(languages?.[0]);
  });

  test.each([
    ["language=multi&language_hint=de-DE&language_hint=en", ["de", "en"], ["de", "en"]],
    ["language=multi", [], undefined],
    ["detect_language=true&language_hint=de&language_hint=en", ["de", "en"], undefined],
    ["detect_language=fr&language_hint=de", ["fr"], undefined],
    ["language_hint=de", ["en"], undefined],
  ])("%s: %j may be spoken, results have the hints %j", async (query, languages, hinted) => {
    const world = await begin(`${PCM}&${query}`);
    expect(world.body).toMatchObject({ language_config: { languages } });
    const isUsed = languages.length !== 1;
    expect(world.created[0]?.warnings).toEqual(isUsed ? [] : [expect.stringMatching(/^language_hint has no effect: /)]);
    world.emit(final("a", 0, 1), { kind: "partial", id: "a", utterance: utterance("a", 0, 1) });
    for (const { channel } of world.sent) expect(channel.alternatives[0].languages_hinted).toEqual(hinted);
  });

  test("the last final of a Finalize is marked, on each channel; in silence an empty one is", async () => {
    const world = await begin(`${PCM}&channels=2&multichannel=true`);
    world.received = 2;
    world.send({ type: "Finalize" });
    expect(world.kinds).toEqual(["finalize"]);
    world.emit(final("a", 0, 1), final("b", 1, 2), final("c", 1, 2, 1), { kind: "finalized", seconds: 2 });
    world.emit(final("d", 3, 4));
    world.received = 5;
    world.send({ type: "Finalize", channel: 1 });
    world.emit(final("e", 4, 5), { kind: "finalized", seconds: 5 });
    expect(world.short).toEqual([
      ["a", true, true, false],
      ["b", true, true, true],
      ["c", true, true, true],
      ["d", true, true, false],
      ["e", true, true, false],
      ["", true, true, true],
    ]);
    expect(world.sent.at(-1)).toMatchObject({ channel_index: [1, 2], start: 5, duration: 0 });
  });

  test("a final of audio after a Finalize is not marked, although another channel is not ready", async () => {
    const world = await begin(`${PCM}&channels=2&multichannel=true`);
    world.received = 2;
    world.send({ type: "Finalize" });
    world.emit(final("before", 0, 1.9), final("after", 2.5, 3));
    let isReleased = false;
    void world.conversation.released().then(() => {
      isReleased = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isReleased).toBe(true);
    world.emit(final("other", 0, 1, 1), { kind: "finalized", seconds: 2 }, final("later", 4, 5));
    expect(world.short).toEqual([
      ["before", true, true, true],
      ["after", true, true, false],
      ["other", true, true, true],
      ["later", true, true, false],
    ]);
  });

  test("each of two Finalize messages marks the last final of its audio", async () => {
    const world = await begin(`${PCM}&channels=2&multichannel=true`);
    world.received = 2;
    world.send({ type: "Finalize" });
    world.received = 4;
    world.send({ type: "Finalize" });
    world.emit(final("a", 0, 1), final("b", 2.5, 3), { kind: "finalized", seconds: 2 });
    expect(world.short).toEqual([
      ["a", true, true, true],
      ["", true, true, true],
    ]);
    world.emit({ kind: "finalized", seconds: 4 });
    expect(world.short.slice(2)).toEqual([
      ["b", true, true, true],
      ["", true, true, true],
    ]);
    expect(world.sent[1]).toMatchObject({ channel_index: [1, 2], start: 2 });
  });

  test("a final that is held for a Finalize counts as received only when it was sent", async () => {
    const world = new World();
    await world.open();
    world.received = 1;
    world.send({ type: "Finalize" });
    world.emit(final("held back", 0, 1));
    let isReleased = false;
    const released = world.conversation.released().then(() => {
      isReleased = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isReleased, world.short]).toEqual([false, []]);
    world.emit({ kind: "finalized", seconds: 1 });
    await released;
    expect(world.short).toEqual([["held back", true, true, true]]);
  });

  test("a flood of Finalize is refused, and a session that the client resumes outlives a failed upgrade", async () => {
    const world = new World();
    await world.open();
    world.send(...Array.from({ length: 101 }, () => ({ type: "Finalize" })));
    expect(world.kinds.filter((kind) => kind === "finalize")).toHaveLength(100);
    expect(world.sent).toEqual([expect.objectContaining({ type: "Error", variant: "TooManyFinalize" })]);
    const resumed = new World(`${PCM}&session_id=${ID}`);
    expect(world.conversation.handshake.endsWithoutUpgrade()).toBe(true);
    await resumed.open((world.body ?? {}) as object);
    expect(resumed.conversation.handshake.endsWithoutUpgrade()).toBe(false);
  });

  test("Metadata has the duration for a client that returns after the last messages of its session", async () => {
    const world = new World();
    await world.open();
    const [metadata = "{}"] = world.conversation.farewell({ kind: "complete", storedSeconds: 2.50781 });
    expect(JSON.parse(metadata)).toMatchObject({ type: "Metadata", duration: 2.508 });
  });

  test("a Finalize after CloseStream is answered when all audio is transcribed", async () => {
    const world = await begin();
    world.received = 1;
    world.send({ type: "CloseStream" }, { type: "Finalize" }, Buffer.alloc(0));
    expect(world.kinds).toEqual(["stop", "finalize", "stop"]);
    world.emit({ kind: "finalizeRefused", reason: "stopped" }, final("a", 0, 1));
    world.emit({ kind: "recordingEnded", durationSeconds: 1 });
    expect(world.short).toEqual([["a", true, true, true]]);
    expect(world.metadata()).toMatchObject({
      type: "Metadata",
      transaction_key: "deprecated",
      request_id: ID,
      duration: 1,
      channels: 1,
    });
  });

  test("UtteranceEnd follows the last word after its silence in the audio, once, and not while words may follow", async () => {
    const world = await begin(`${PCM}&utterance_end_ms=1000`);
    const detected = (seconds: number) => world.detectUntil(seconds);
    world.emit(started(0), stopped(2), final("a", 0, 2));
    detected(2.9);
    expect(world.sent).toHaveLength(1);
    detected(3);
    detected(9);
    expect(world.sent.slice(1)).toEqual([{ type: "UtteranceEnd", channel: [0, 1], last_word_end: 2 }]);
    world.emit(started(9), stopped(10), final("b", 9, 10), started(10.5));
    detected(12);
    world.emit(stopped(12.2));
    // The final of this speech is not known.
    detected(13.5);
    expect(world.sent).toHaveLength(3);
    world.emit(final("c", 10.5, 12), started(13.6));
    expect(world.short.slice(3)).toEqual([["c", true, true, false], "UtteranceEnd"]);
  });

  test("a cut utterance is no silence: no UtteranceEnd precedes the speech that continues", async () => {
    for (const milliseconds of [1_000, 300]) {
      const world = await begin(`${PCM}&endpointing=300&utterance_end_ms=${milliseconds}`);
      world.emit(started(0.5), { kind: "speechEnded", channel: 0, seconds: 9.968, isCut: true });
      world.emit(final("It", 0.5, 8.95), started(10));
      world.detectUntil(11.5);
      world.emit(stopped(12), final("ends.", 10, 12));
      world.detectUntil(13);
      expect(world.short).toEqual([["it", true, false, false], ["ends", true, true, false], "UtteranceEnd"]);
      expect(world.sent.at(-1)).toMatchObject({ last_word_end: 12 });
    }
  });

  test("the end of speech after a cut is stated, also if it has no words, and if the cut final is late", async () => {
    const cutAt = { kind: "speechEnded", channel: 0, seconds: 10, isCut: true } as const;
    for (const audioSeconds of [12.5, 11]) {
      const world = await begin(`${PCM}&endpointing=300`);
      world.emit(started(0.5), cutAt, started(10), stopped(10.4), final("It", 0.5, 9.9));
      expect(world.short).toEqual([["it", true, false, false]]);
      world.received = audioSeconds;
      world.send(Buffer.alloc(2));
      world.detectUntil(audioSeconds);
      world.emit({ kind: "recordingEnded", durationSeconds: audioSeconds });
      expect(world.short.slice(1)).toEqual([["", true, true, false]]);
    }
    const world = await begin(`${PCM}&endpointing=300`);
    world.emit(started(0.5), cutAt, started(10), stopped(11), final("It", 0.5, 9.9), final("ends.", 9.97, 11));
    world.emit({ kind: "recordingEnded", durationSeconds: 20 });
    expect(world.short).toEqual([
      ["it", true, false, false],
      ["ends", true, true, false],
    ]);
  });

  test("after a cut, the end of speech waits for the final, also if endpointing is long or the machine slow", async () => {
    const cutAt = { kind: "speechEnded", channel: 0, seconds: 10, isCut: true } as const;
    const world = await begin(`${PCM}&endpointing=5000`);
    world.emit(started(0.5), cutAt, started(10), final("It", 0.5, 9.9));
    world.detectUntil(15.4);
    world.emit(stopped(10.4));
    world.detectUntil(17.3);
    world.emit(final("ends.", 9.97, 10.4));
    world.detectUntil(30);
    const before = [
      ["it", true, false, false],
      ["ends", true, true, false],
    ];
    expect(world.short).toEqual(before);
    world.emit(started(30), { ...cutAt, seconds: 40 }, final("It", 30, 39.9), started(40));
    // The detector is far ahead of the events.
    world.detectUntil(60);
    world.emit(stopped(41));
    world.detectUntil(61.9);
    expect(world.short.slice(2)).toEqual([["it", true, false, false]]);
    world.detectUntil(62);
    expect(world.short.slice(3)).toEqual([["", true, true, false]]);
  });

  test("without endpointing, nothing waits for the end of speech after a cut", async () => {
    const world = await begin(`${PCM}&endpointing=false`);
    world.emit(started(0.5), { kind: "speechEnded", channel: 0, seconds: 10, isCut: true }, started(10), stopped(11));
    expect(world.conversation.commandsOf(Buffer.alloc(2), true)).toHaveLength(1);
    const detecting = await begin(`${PCM}&endpointing=300`);
    detecting.emit(
      started(0.5),
      { kind: "speechEnded", channel: 0, seconds: 10, isCut: true },
      started(10),
      stopped(11),
    );
    expect(detecting.conversation.commandsOf(Buffer.alloc(2), true)).toHaveLength(2);
  });

  test("UtteranceEnd does not wait for a longer endpointing, whose end then has an empty result", async () => {
    const world = await begin(`${PCM}&endpointing=5000&utterance_end_ms=1000`);
    world.emit(started(0), stopped(2), final("a", 0, 1.9));
    world.detectUntil(3);
    world.emit(started(4), stopped(5), final("b", 4, 5));
    world.detectUntil(9.9);
    const before = [["a", true, false, false], "UtteranceEnd", ["b", true, false, false], "UtteranceEnd"];
    expect(world.short).toEqual(before);
    world.detectUntil(10);
    world.detectUntil(20);
    expect(world.short).toEqual([...before, ["", true, true, false]]);
    expect(world.sent.at(-1)).toMatchObject({ start: 10, duration: 0, channel_index: [0, 1] });
    // One piece of audio can have the silence and the next speech.
    world.emit(started(20.1), stopped(20.2), started(25.2));
    expect(world.short.slice(5)).toEqual([["", true, true, false]]);
    // The end of the audio ends the speech as well.
    world.emit(stopped(26), final("c", 25.2, 26), { kind: "recordingEnded", durationSeconds: 26.5 });
    expect(world.short.slice(6)).toEqual([
      ["c", true, false, false],
      ["", true, true, false],
    ]);
  });

  test("without endpointing, UtteranceEnd has no end of speech after it", async () => {
    const world = await begin(`${PCM}&endpointing=false&utterance_end_ms=1000`);
    world.emit(started(0), stopped(2), final("a", 0, 1.9));
    world.detectUntil(30);
    world.emit({ kind: "recordingEnded", durationSeconds: 30 });
    expect(world.short).toEqual([["a", true, false, false], "UtteranceEnd"]);
  });

  test("warnings are in the next results and in Metadata, once each: clients stop at an unknown message", async () => {
    const world = await begin(`${PCM}&dictation=true&interim_results=true`);
    const unlikely = { kind: "error", code: "invalid_audio_format", reason: "A-law?" } as const;
    world.emit(unlikely, unlikely);
    world.send({ type: "KeepAlive", extra: 1 }, { type: "KeepAlive", extra: 1 });
    expect(world.sent).toEqual([]);
    world.emit({ kind: "partial", id: "a", utterance: utterance("a", 0, 1) }, final("a", 0, 1));
    world.emit({ kind: "error", code: "language_uncertain", reason: "which?" }, final("b", 2, 3));
    world.emit({ kind: "error", code: "source_gap", reason: "a gap" });
    const format = { parameter: "encoding", type: "invalid_audio_format", message: "A-law?" };
    const field = { parameter: "extra", type: "unknown_field", message: expect.stringMatching(/^extra has no effect/) };
    const language = { parameter: "language", type: "language_uncertain", message: "which?" };
    expect(world.sent.map(({ type, metadata }) => [type, metadata.warnings])).toEqual([
      ["Results", [format, field]],
      ["Results", undefined],
      ["Results", [language]],
    ]);
    const ofAddress = { parameter: "dictation", type: "no_effect", message: expect.any(String) };
    const gap = { parameter: "", type: "source_gap", message: "a gap" };
    expect(world.metadata().warnings).toEqual([ofAddress, format, field, language, gap]);
  });

  test("the number of warnings is bounded", async () => {
    const world = await begin();
    for (let at = 0; at < 200; at++) world.send({ type: "KeepAlive", [`extra${at}`]: 1 });
    expect(world.metadata().warnings).toHaveLength(51);
    expect(world.metadata().warnings.at(-1)).toMatchObject({
      type: "left_out",
      message: expect.stringMatching(/not listed/),
    });
  });

  test("speech without words has an empty end", async () => {
    const world = await begin(`${PCM}&vad_events=true`);
    world.emit(started(1), stopped(2), { kind: "speechUnrecognized", channel: 0, range: [1, 2] });
    expect(world.short).toEqual(["SpeechStarted", ["", true, true, false]]);
    // A quiet voice that was found later: no SpeechStarted waits for its end.
    world.emit({ kind: "speechUnrecognized", channel: 0, range: [2.5, 3.5] });
    world.emit(started(5), { kind: "speechUnrecognized", channel: 0, range: [3.6, 4.6] });
    expect(world.short.slice(2)).toEqual(["SpeechStarted"]);
  });

  test("what is no message of the interface is an Error", async () => {
    const world = await begin();
    world.send("{", "[]", '"text"', "x".repeat(70_000), { type: "stop_recording" }, { type: 7 }, {});
    world.send({ type: "Finalize", channel: -1 });
    expect(world.kinds).toEqual([]);
    expect(world.sent.map(({ type, variant }) => [type, variant])).toEqual(Array(8).fill(["Error", "SchemaError"]));
  });

  test("Opus, in packets and in Ogg, and containers without an encoding", async () => {
    const opus = await begin("encoding=opus&sample_rate=48000&channels=2");
    expect(opus.created[0]?.body).toMatchObject({ encoding: "opus", channels: 2 });
    expect(opus.created[0]?.warnings).toEqual([
      expect.stringMatching(/^sample_rate has no effect/),
      expect.any(String),
    ]);
    expect((await begin("encoding=ogg-opus")).created[0]).toMatchObject({
      body: { encoding: "ogg/opus" },
      warnings: [],
    });
    expect((await begin("model=nova-3")).created[0]?.body).toMatchObject({ encoding: "container" });
  });

  test("audio that is refused after the end is stated once", async () => {
    const world = await begin();
    world.emit({ kind: "chunkRefused", reason: "stopped" }, { kind: "chunkRefused", reason: "stopped" });
    // The refusal of the audio states it already.
    world.emit({ kind: "error", code: "invalid_audio_format", reason: "WebM" });
    expect(world.sent).toEqual([]);
    expect(world.metadata().warnings).toEqual([{ parameter: "", type: "audio_refused", message: "stopped" }]);
  });

  test("no bytes of a client throw", async () => {
    const world = await begin(`${PCM}&utterance_end_ms=1000`);
    const frames = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(frames, fc.boolean(), (bytes, isBinary) => {
        world.conversation.commandsOf(Buffer.from(bytes), isBinary);
      }),
    );
  });
});

describe("Configure", () => {
  const configured = (seconds = 1): LiveEvent => ({ kind: "configured", seconds });
  async function configuring(query: string, ...messages: object[]): Promise<World> {
    const world = new World(`${PCM}&${query}`);
    await world.open();
    world.send(...messages.map((message) => ({ type: "Configure", ...message })));
    return world;
  }

  test("keyterms replace all others, [] removes them, null and nothing keep them", async () => {
    const lists = [{ keyterms: [" Ada ", "ENIAC", "Ada"] }, { keyterms: [] }, { keyterms: null }, {}];
    const world = await configuring("keyterm=Grace", ...lists);
    // Each waits for the answer to the one before.
    expect([world.changes.length, world.sent]).toEqual([1, []]);
    world.emit(configured(), configured(), configured(), configured());
    expect(world.changes).toEqual([
      {
        realtime_processing: {
          custom_vocabulary: true,
          custom_vocabulary_config: { vocabulary: ["Ada", "ENIAC"] },
        },
      },
      { realtime_processing: { custom_vocabulary: false } },
      {},
      {},
    ]);
    expect(world.sent).toEqual([
      { type: "ConfigureSuccess", request_id: ID, keyterms: ["Ada", "ENIAC"] },
      { type: "ConfigureSuccess", request_id: ID, keyterms: [] },
      { type: "ConfigureSuccess", request_id: ID },
      { type: "ConfigureSuccess", request_id: ID },
    ]);
  });

  test("features change as the parameters of the address do", async () => {
    const world = await configuring(
      "numerals=true",
      { features: { smart_format: true, profanity_filter: true, filler_words: false } },
      { features: { smart_format: false, filler_words: true } },
      { features: { numerals: false, filler_words: null } },
    );
    world.emit(configured(), configured(), configured());
    expect(world.changes.map(({ realtime_processing }) => realtime_processing)).toEqual([
      { numerals: true, profanity_filter: true, filler_words: "drop" },
      // The address has numerals.
      { numerals: true, filler_words: "keep" },
      { numerals: false },
    ]);
  });

  test("punctuation changes for utterances that end later, on every channel", async () => {
    const world = await configuring("channels=2&multichannel=true", { features: { punctuate: true } });
    world.emit(configured(3), final("Before it.", 1, 3), final("Over it.", 2, 4, 1));
    world.send({ type: "Configure", features: { punctuate: false } });
    world.emit({ kind: "configureRefused", reason: "no" }, final("Still.", 5, 6));
    const texts = world.of("Results").map(({ channel }) => channel.alternatives[0].transcript);
    expect(texts).toEqual(["before it", "Over it.", "Still."]);
    expect(world.of("Results")[1].channel.alternatives[0].words[0]).toMatchObject({ punctuated_word: "Over" });
  });

  test.each([
    [{ features: { diarize: true } }, "CONFIGURE_REFUSED", /"diarize" is not a feature .*open a new connection/],
    [{ features: { numerals: "yes" } }, "CONFIGURE_REFUSED", /features.numerals must be true or false/],
    [{ features: ["numerals"] }, "CONFIGURE_REFUSED", /features must be an object/],
    [{ keyterms: "Ada" }, "CONFIGURE_REFUSED", /keyterms must be a list of texts/],
    [{ keyterms: ["x".repeat(2_000)] }, "CONFIGURE_KEYTERM_LIMIT_EXCEEDED", /keyterms must not be longer than/],
    [
      { keyterms: Array.from({ length: 5_001 }, (_, at) => `${at}`) },
      "CONFIGURE_KEYTERM_LIMIT_EXCEEDED",
      /keyterms must not have more than 5000 terms; there are 5001/,
    ],
  ])("%j is refused with %s, and nothing changes", async (message, code, reason) => {
    const world = await configuring("", message);
    expect(world.changes).toEqual([]);
    expect(world.sent).toEqual([
      { type: "ConfigureFailure", request_id: ID, code, description: expect.stringMatching(reason) },
    ]);
  });

  test("what the session refuses has its reason; what has no effect is a warning", async () => {
    const world = await configuring("language=de", { features: { profanity_filter: true }, colour: 1 });
    world.emit({ kind: "configureRefused", reason: "the recording was stopped" });
    expect(world.sent).toMatchObject([
      {
        type: "ConfigureFailure",
        code: "CONFIGURE_INTERNAL_ERROR",
        description: expect.stringMatching(/the recording was stopped/),
      },
    ]);
    expect(world.metadata().warnings).toMatchObject([
      { parameter: "colour", type: "unknown_field" },
      { parameter: "profanity_filter", type: "no_effect" },
    ]);
  });
});

describe("the end", () => {
  test.each<[ClosingKind, number, RegExp]>([
    ["complete", 1000, /^$/],
    ["idle", 1011, /^NET-0001/],
    ["interrupted", 1011, /^NET-0000/],
    ["restarting", 1012, /new connection/],
    ["unread", 1013, /not read/],
    ["revoked", 1008, /revoked/],
  ])("%s has the close code %d", (kind, code, reason) => {
    const { conversation } = new World();
    const frame = conversation.closeFrame({ kind } as AnyMessage);
    expect(frame).toEqual({ code, reason: expect.stringMatching(reason) });
  });

  test("a resumable session continues unless its client closed the connection", async () => {
    const departures = async (query: string) => {
      const world = new World(query);
      await world.open();
      return [1000, 1001, 1005, 1006].map((code) => world.conversation.departureOf(code));
    };
    expect(await departures(PCM)).toEqual(Array(4).fill("finished"));
    expect(await departures(`${PCM}&resumable=true`)).toEqual(["finished", "lost", "finished", "lost"]);
  });

  test("a session that cannot be used has a status", () => {
    const { conversation } = new World();
    const statusOf = (kind: ClosingKind) => conversation.handshake.refusal({ kind } as AnyMessage).status;
    expect([statusOf("overLimit"), statusOf("ended"), statusOf("elsewhere"), statusOf("interrupted")]).toEqual([
      429, 410, 503, 500,
    ]);
  });
});
