// A connection without its network: messages in, answers and commands out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  ConversationWorld,
  spokenUtterance,
} from "../../../../../test/fixtures/conversation-world.ts";
import { errors } from "../../../../platform/errors.ts";
import type { ClosingKind } from "../../events/closing.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import { RealtimeConversation } from "./conversation.ts";
import { openAiRealtime } from "./realtime.ts";

const REACHED = { bytes: 0, seconds: 0, detectedSeconds: 0 };
const SECOND = Buffer.alloc(48_000);
/** Of a frame that the client sends. */
const bytesOf = (message: object | string | Buffer) =>
  Buffer.isBuffer(message) ? message : Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
const TRANSCRIPTION = "conversation.item.input_audio_transcription";
const append = (bytes = SECOND) => ({ type: "input_audio_buffer.append", audio: bytes.toString("base64") });
const update = (input: object, others: object = {}) => ({
  type: "session.update",
  session: { type: "transcription", audio: { input }, ...others },
});
const beta = (session: object) => ({ type: "transcription_session.update", session });

const utterance = spokenUtterance;
const foreign = (start: number, end: number): LiveEvent => ({
  ...{ kind: "speechUnrecognized", channel: 0, range: [start, end], isForeign: true },
});

/** A client that sends these messages, and then leaves. */
class World extends ConversationWorld<RealtimeConversation> {
  constructor(query = "intent=transcription", headers: Record<string, string> = {}) {
    super(new RealtimeConversation({ path: "/v1/realtime", query: new URLSearchParams(query), headers, at: 0 }));
  }

  /** @returns what it found; commands of the first audio are processed */
  async open(messages: (object | string | Buffer)[], configuration?: object) {
    const frames = [...messages];
    const sessions = {
      authenticate: async () => ({ account: {}, keyId: null, configuration }),
      modelNamed: async (name: string) => {
        if (name === "unknown") throw errors.modelUnknown(name, []);
        return `model of ${name}`;
      },
    };
    const finding = await this.find(sessions, [], {
      send: async (texts) => this.add(texts),
      next: async () => {
        const frame = frames.shift();
        return frame === undefined ? "left" : { bytes: bytesOf(frame), isBinary: false };
      },
    });
    this.send(...frames);
    return finding;
  }

  /** PCM of 24 kHz. */
  protected override get reached() {
    return { ...super.reached, seconds: this.audio / 48_000 };
  }

  /** Bytes. */
  get audio(): number {
    return this.commands.reduce((sum, { kind, bytes }) => (kind === "audio" ? sum + bytes.length : sum), 0);
  }

  get finalized(): number {
    return this.kinds.filter((kind) => kind === "finalize").length;
  }

  /** Names of messages without the first one. */
  get types(): string[] {
    return this.sent.slice(1).map(({ type }) => type.replace(`${TRANSCRIPTION}.`, ""));
  }

  errors(): AnyMessage[] {
    return this.sent.filter(({ type }) => type === "error").map(({ error }) => error);
  }

  warnings(): string[] {
    return this.sent.flatMap(({ type, message, warnings = [] }) => (type === "session.warning" ? [message] : warnings));
  }
}

describe("configuration", () => {
  test("a connection is a session only with its first audio; the defaults are those of OpenAI", async () => {
    const idle = new World();
    expect(await idle.open([])).toBe("left");
    expect(idle.created).toEqual([]);
    const world = new World();
    expect(await world.open([append()])).toEqual({ found: "session" });
    expect(world.sent).toEqual([
      {
        type: "session.created",
        event_id: expect.stringMatching(/^event_/),
        session: {
          type: "transcription",
          object: "realtime.transcription_session",
          id: expect.stringMatching(/^sess_/),
          audio: {
            input: {
              format: { type: "audio/pcm", rate: 24_000 },
              transcription: { model: "gpt-4o-transcribe" },
              noise_reduction: null,
              turn_detection: {
                type: "server_vad",
                threshold: 0.5,
                prefix_padding_ms: 300,
                silence_duration_ms: 500,
              },
            },
          },
          include: null,
        },
      },
    ]);
    expect(world.created[0]?.body).toMatchObject({
      model: "model of gpt-4o-transcribe",
      encoding: "wav/pcm",
      bit_depth: 16,
      sample_rate: 24_000,
      endpointing: 0.5,
      pre_processing: { audio_enhancer: false, speech_threshold: 0.5 },
    });
    expect(world.audio).toBe(SECOND.length);
  });

  test.each<[string, object, object]>([
    ["format", update({ format: { type: "audio/pcmu" } }), { encoding: "wav/ulaw", sample_rate: 8_000 }],
    ["format", update({ format: { type: "audio/pcma" } }), { encoding: "wav/alaw", sample_rate: 8_000 }],
    ["format", update({ format: { type: "audio/pcm", rate: 16_000 } }), { encoding: "wav/pcm", sample_rate: 16_000 }],
    ["format of the beta", beta({ input_audio_format: "g711_alaw" }), { encoding: "wav/alaw", sample_rate: 8_000 }],
    ["format of the beta", beta({ input_audio_format: "pcm16" }), { encoding: "wav/pcm", sample_rate: 24_000 }],
    ["model", update({ transcription: { model: "whisper-1" } }), { model: "model of whisper-1" }],
    ["model of the beta", beta({ input_audio_transcription: { model: "own" } }), { model: "model of own" }],
    [
      "language",
      update({ transcription: { language: "de-DE" } }),
      { language_config: { languages: ["de"], code_switching: false } },
    ],
    [
      "languages",
      update({ transcription: { languages: ["en", "French"] } }),
      { language_config: { languages: ["en", "fr"], code_switching: false } },
    ],
    [
      "prompt and keywords",
      update({ transcription: { prompt: "They use Parlance daily.", keywords: ["Zahlwort"] } }),
      { realtime_processing: { custom_vocabulary_config: { vocabulary: ["Zahlwort", "Parlance"] } } },
    ],
    [
      "silence",
      update({ turn_detection: { type: "server_vad", silence_duration_ms: 350, threshold: 0.7 } }),
      { endpointing: 0.35, pre_processing: { speech_threshold: 0.7 } },
    ],
    [
      "semantic_vad",
      update({ turn_detection: { type: "semantic_vad", eagerness: "low" } }),
      { endpointing: 1.5, turn_detection: { mode: "smart", threshold: 0.9, minimum_silence: 0.2, maximum_silence: 4 } },
    ],
    ["no turn detection", update({ turn_detection: null }), { endpointing: 10 }],
    [
      "no turn detection by the model",
      update({ transcription: { model: "gpt-realtime-whisper" } }),
      { endpointing: 10 },
    ],
    [
      "noise reduction",
      update({ noise_reduction: { type: "near_field" } }),
      { pre_processing: { audio_enhancer: true } },
    ],
    [
      "noise reduction of the beta",
      beta({ input_audio_noise_reduction: { type: "far_field" } }),
      { pre_processing: { audio_enhancer: true } },
    ],
  ])("%s: %j", async (_name, message, body) => {
    const world = new World();
    await world.open([message, append()]);
    expect(world.errors()).toEqual([]);
    expect(world.created[0]?.body).toMatchObject(body);
    expect(world.types[0]).toMatch(/session\.updated$/);
  });

  test.each<[object, string, string]>([
    [
      update({ format: { type: "audio/opus" } }),
      "session.audio.input.format.type",
      "audio/pcm, audio/pcmu, audio/pcma",
    ],
    [update({ format: { type: "audio/pcm", rate: 11_025 } }), "session.audio.input.format.rate", "24000"],
    [beta({ input_audio_format: "opus" }), "session.input_audio_format", "pcm16, g711_ulaw, g711_alaw"],
    [update({ transcription: null }), "session.audio.input.transcription", "must not be null"],
    [update({ transcription: { model: "" } }), "session.audio.input.transcription.model", "the name of a model"],
    [update({ transcription: { model: "unknown" } }), "session.audio.input.transcription.model", "unknown"],
    [update({ transcription: { language: "jp" } }), "session.audio.input.transcription.language", "Japanese"],
    [update({ transcription: { keywords: [1] } }), "session.audio.input.transcription.keywords", "a list of"],
    [update({ turn_detection: { type: "none" } }), "session.audio.input.turn_detection.type", "to null"],
    [update({ turn_detection: [] }), "session.audio.input.turn_detection.type", "server_vad"],
    [
      update({ turn_detection: { type: "semantic_vad", eagerness: "constructor" } }),
      "session.audio.input.turn_detection.eagerness",
      "low, medium, high, auto",
    ],
    [beta({ input_audio_format: "constructor" }), "session.input_audio_format", "pcm16, g711_ulaw, g711_alaw"],
    [
      update({ transcription: { languages: Array.from({ length: 1_000 }, (_, at) => `q${at}x`) } }),
      "session.audio.input.transcription.languages",
      "must not have more than 200 languages; it has 1000",
    ],
    [
      update({ turn_detection: { type: "server_vad", silence_duration_ms: 0 } }),
      "session.audio.input.turn_detection.silence_duration_ms",
      "from 10 to 10000",
    ],
    [
      update({ turn_detection: { type: "semantic_vad", eagerness: "hasty" } }),
      "session.audio.input.turn_detection.eagerness",
      "low, medium, high, auto",
    ],
    [update({ noise_reduction: { type: "all" } }), "session.audio.input.noise_reduction.type", "near_field, far_field"],
    [{ type: "session.update", session: { type: "voice" } }, "session.type", "voice conversations"],
    [{ type: "session.update", session: [] }, "session", "must be an object"],
    [{ type: "session.update" }, "session", "must be an object"],
    [update({ transcription: { model: "a\0b" } }), "session.audio.input.transcription.model", "NUL"],
    [update({ transcription: { keywords: ["a\ud800b"] } }), "session.audio.input.transcription.keywords", "surrogate"],
    [update({ transcription: { prompt: "a\0b" } }), "session.audio.input.transcription.prompt", "NUL"],
    [update({ transcription: { prompt: "x".repeat(20_000) } }), "session.audio.input.transcription.prompt", "10000"],
  ])("%j is refused by its name", async (message, param, part) => {
    const world = new World();
    await world.open([{ ...message, event_id: "mine" }, append()]);
    expect(world.errors()).toEqual([
      expect.objectContaining({ type: "invalid_request_error", param, event_id: "mine" }),
    ]);
    expect(world.errors()[0].message).toContain(part);
    // Nothing of the message was applied.
    expect(world.created[0]?.body).toMatchObject({ sample_rate: 24_000, endpointing: 0.5 });
  });

  test("fields without effect are named once, and in the result", async () => {
    const world = new World("model=gpt-realtime&call_id=7");
    const message = {
      ...update({
        turn_detection: { type: "server_vad", create_response: true, interrupt_response: false },
        volume: 1,
      }),
      extra: true,
    };
    (message.session as Record<string, unknown>)["voice"] = "alloy";
    await world.open([message, message, append()]);
    expect(world.warnings()).toEqual([
      "model has no effect: it names a model for voice conversations. Set session.audio.input.transcription.model",
      "the query parameter call_id has no effect",
      "extra has no effect: it is not a field of this message",
      "session.audio.input.turn_detection.create_response has no effect: this service makes no responses",
      "session.audio.input.volume has no effect: it is not a field of transcription sessions",
      "session.voice has no effect: this service transcribes and makes no responses",
    ]);
    expect(world.created[0]?.warnings).toEqual(world.warnings());
    expect(world.errors()).toEqual([]);
  });

  test("names of fields that the database cannot hold are cleaned, and long names of a prompt are no vocabulary", async () => {
    const world = new World("a%00b=1");
    const prompt = `with ${"Name ".repeat(100)}and Parlance.`;
    await world.open([update({ transcription: { prompt }, "c\ud800": 1 }), append()]);
    expect(world.warnings()).toEqual([
      "the query parameter a\ufffdb has no effect",
      "session.audio.input.c\ufffd has no effect: it is not a field of transcription sessions",
    ]);
    expect(world.created[0]?.body.realtime_processing).toEqual({
      custom_vocabulary: true,
      custom_vocabulary_config: { vocabulary: ["Parlance"] },
    });
  });

  test("an update of a voice conversation configures the audio of the client, with warnings", async () => {
    const world = new World();
    const session = {
      type: "realtime",
      tool_choice: "auto",
      audio: { input: { transcription: { language: "de" } }, output: { voice: "alloy" } },
    };
    await world.open([{ type: "session.update", session }, append()]);
    expect(world.errors()).toEqual([]);
    expect(world.created[0]?.body).toMatchObject({ language_config: { languages: ["de"] } });
    expect(world.of("session.updated")[0].session.type).toBe("transcription");
    expect(world.warnings()).toEqual([
      'session.type "realtime" has no effect: this service has no voice conversations and transcribes',
      expect.stringMatching(/^session.tool_choice /),
      expect.stringMatching(/^session.audio.output /),
    ]);
  });

  test("a client secret configures the session; the client may change it", async () => {
    const world = new World();
    const secret = { audio: { input: { turn_detection: null, transcription: { language: "de" } } } };
    await world.open([update({ transcription: { language: "fr" } }), append()], secret);
    expect(world.created[0]?.body).toMatchObject({ endpointing: 10, language_config: { languages: ["fr"] } });
  });

  test("an update that follows the first audio configures the session", async () => {
    const world = new World();
    const message = update({
      format: { type: "audio/pcmu" },
      transcription: { model: "gpt-realtime-whisper", language: "en" },
      turn_detection: null,
      noise_reduction: { type: "near_field" },
    });
    await world.open([append(), append(), message, append(), { type: "input_audio_buffer.commit" }]);
    expect(world.errors()).toEqual([]);
    expect(world.types.slice(0, 2)).toEqual(["session.updated", "input_audio_buffer.committed"]);
    expect(world.created.map(({ body }) => body)).toMatchObject([
      {
        encoding: "wav/ulaw",
        endpointing: 10,
        language_config: { languages: ["en"] },
        pre_processing: { audio_enhancer: true },
      },
    ]);
    expect(world.kinds).toEqual(["audio", "audio", "audio", "finalize"]);
  });

  test("a refused update leaves the first audio held, and errors of other messages are sent at once", async () => {
    const world = new World();
    const [bad, good] = [{ format: { type: "audio/opus" } }, { format: { type: "audio/pcma" } }];
    await world.open([append(), update(bad), { type: "response.create" }, update(good), append()]);
    expect(world.types).toEqual(["error", "error", "session.updated"]);
    expect(world.created[0]?.body).toMatchObject({ encoding: "wav/alaw" });
    expect(world.audio).toBe(2 * SECOND.length);
  });

  test.each<[string, object[], number]>([
    ["a commit", [append(), { type: "input_audio_buffer.commit" }], 1],
    ["a clear", [append(), { type: "input_audio_buffer.clear" }], 1],
    ["much audio", [append(Buffer.alloc(800_000))], 0],
    ["the end of the connection", [append()], 0],
  ])("%s begins the session without an update, with all its audio", async (_name, messages, finalized) => {
    const world = new World();
    expect(await world.open(messages)).toEqual({ found: "session" });
    expect(world.created).toHaveLength(1);
    expect(world.audio).toBeGreaterThanOrEqual(SECOND.length);
    expect(world.finalized).toBe(finalized);
  });

  test("a client that sends no update has its session a second after its first audio", async () => {
    const { conversation, created } = new World();
    const waits: (number | undefined)[] = [];
    const sessions = {
      authenticate: async () => ({ account: {}, keyId: null }),
      modelNamed: async (name: string) => name,
      create: async (wanted: (typeof created)[number]) => {
        created.push(wanted);
        return { id: "", found: "session" };
      },
    } as never;
    const finding = await conversation.findSession(sessions, {
      send: async () => undefined,
      next: async (milliseconds) => {
        waits.push(milliseconds);
        return waits.length > 1 ? "idle" : { bytes: bytesOf(append()), isBinary: false };
      },
    });
    expect(finding).toEqual({ found: "session" });
    expect(waits).toEqual([undefined, expect.any(Number)]);
    expect(waits[1]).toBeGreaterThan(0);
    expect(waits[1]).toBeLessThanOrEqual(1_000);
    expect(created).toHaveLength(1);
    expect(conversation.openingCommands.map(({ kind }) => kind)).toEqual(["audio"]);
  });

  test("another name of the same model changes a session that has begun", async () => {
    const world = new World();
    await world.open([update({}), append()]);
    world.send(update({ transcription: { model: "gpt-realtime-whisper", language: "en" } }));
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.errors()).toEqual([]);
    expect(world.changes).toMatchObject([{ endpointing: 10, language_config: { languages: ["en"] } }]);
    expect(world.sent.at(-1).session.audio.input).toMatchObject({
      transcription: { model: "gpt-realtime-whisper", language: "en" },
      turn_detection: null,
    });
  });

  test("a session that has begun keeps format, model and language, and accepts the same values", async () => {
    const world = new World();
    const message = update({ transcription: { model: "whisper-1", prompt: "Parlance" }, turn_detection: null });
    await world.open([message, append()]);
    world.send(message, beta({ turn_detection: null }));
    expect(world.types).toEqual(["session.updated", "session.updated", "transcription_session.updated"]);
    expect(world.changes).toEqual([]);
    world.send({ ...update({ transcription: { model: "other" }, format: { type: "audio/pcmu" } }), event_id: "7" });
    expect(world.errors()).toEqual([
      expect.objectContaining({ code: "session_has_begun", param: "session.audio.input.format", event_id: "7" }),
    ]);
    expect(world.errors()[0].message).toContain("session.audio.input.transcription.model");
    expect(world.changes).toEqual([]);
  });

  test("vocabulary and turn detection of a running session change; the answer follows the change", async () => {
    const world = new World();
    await world.open([append()]);
    world.send(update({ turn_detection: { type: "semantic_vad", eagerness: "high" } }));
    world.send(update({ transcription: { model: "gpt-4o-transcribe", prompt: "", keywords: ["Parlance"] } }));
    expect(world.types).toEqual([]);
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.changes).toEqual([
      {
        endpointing: 0.5,
        turn_detection: { mode: "smart", threshold: 0.75, minimum_silence: 0.2, maximum_silence: 1 },
        language_config: { languages: [], code_switching: false },
        realtime_processing: { custom_vocabulary: false },
      },
      expect.objectContaining({
        realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Parlance"] } },
      }),
    ]);
    world.emit({ kind: "configureRefused", reason: "the recording was stopped" });
    expect(world.types).toEqual(["session.updated", "error"]);
    expect(world.sent.at(-2).session.audio.input.turn_detection).toEqual({ type: "semantic_vad", eagerness: "high" });
    expect(world.errors()[0].message).toBe("Nothing was changed: the recording was stopped");
    world.send(update({}));
    expect(world.sent.at(-1).session.audio.input.transcription).not.toHaveProperty("keywords");
  });

  test("unknown fields of session.update are in its answer, also in a running session and in a refusal", async () => {
    const world = new World();
    await world.open([append()]);
    world.send({ ...update({ turn_detection: null }), clever: 1 });
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.types).not.toContain("session.warning");
    expect(world.of("session.updated").at(-1)?.warnings).toEqual([expect.stringMatching(/^clever has no effect/)]);
    world.send({ ...update({ transcription: { language: 1 } }), lnguage: "en" });
    expect(world.errors().at(-1)?.message).toMatch(/; lnguage has no effect: it is not a field of this message$/);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`field${at}`, 1]));
    world.send({ ...update({ transcription: { language: 1 } }), ...many });
    expect(world.errors().at(-1)?.message).toMatch(/; field4 has no effect[^;]* and 1995 more$/);
    expect(world.types).not.toContain("session.warning");
    world.send({ type: "input_audio_buffer.clear", clever: 2, other: 1 });
    expect(world.of("session.warning")).toMatchObject([{ message: expect.stringMatching(/^other /) }]);
  });

  test("the language of a running session changes; a refusal leaves it", async () => {
    const world = new World();
    await world.open([update({ transcription: { language: "en" } }), append()]);
    world.send(
      update({ transcription: { language: "de-DE" } }),
      update({ transcription: { languages: ["fr", "it"] } }),
    );
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.changes).toMatchObject([
      { language_config: { languages: ["de"], code_switching: false } },
      { language_config: { languages: ["fr", "it"], code_switching: false } },
    ]);
    world.emit({ kind: "configureRefused", reason: "no model recognises it" });
    expect(world.sent.at(-2).session.audio.input.transcription).toMatchObject({ language: "de" });
    expect(world.errors()[0].message).toBe("Nothing was changed: no model recognises it");
    world.send(update({ transcription: { language: "de" } }));
    expect(world.changes).toHaveLength(2);
  });

  test("updates in one burst build upon each other, and upon none that was refused", async () => {
    const logprobs = "item.input_audio_transcription.logprobs";
    const world = new World();
    await world.open([append()]);
    world.send(
      update({ transcription: { languages: ["sw"] } }),
      update({}, { include: [logprobs] }),
      update({ transcription: { keywords: ["Parlance"] } }),
    );
    world.emit({ kind: "configureRefused", reason: "no model recognises sw" }, { kind: "configured", seconds: 1 });
    expect(world.types).toEqual(["error", "session.updated", "session.updated"]);
    expect(world.changes).toMatchObject([
      { language_config: { languages: ["sw"] } },
      { language_config: { languages: [] }, realtime_processing: { custom_vocabulary: true } },
    ]);
    for (const { session } of world.of("session.updated")) {
      expect(session.include).toEqual([logprobs]);
      expect(session.audio.input.transcription).not.toHaveProperty("language");
    }
    expect(world.sent.at(-1).session.audio.input.transcription.keywords).toEqual(["Parlance"]);
    world.send(update({ transcription: { languages: ["sw"] } }));
    expect(world.changes).toHaveLength(3);
  });

  test("the threshold of a running session stays, with a warning; another silence is taken", async () => {
    const world = new World();
    await world.open([update({ turn_detection: { type: "server_vad", threshold: 0.7 } }), append()]);
    world.send(update({ turn_detection: { type: "server_vad", silence_duration_ms: 900 } }));
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.changes).toMatchObject([{ endpointing: 0.9, turn_detection: { mode: "silence" } }]);
    expect(world.warnings()).toEqual([expect.stringContaining("threshold stays 0.7")]);
    expect(world.sent.at(-1).session.audio.input.turn_detection).toMatchObject({
      ...{ threshold: 0.7, silence_duration_ms: 900 },
    });
  });

  test("texts of an item have a space between them only where their language has one", async () => {
    const world = new World();
    await world.open([append()]);
    const final = (text: string, start: number): LiveEvent => ({
      ...{ kind: "final", id: text, utterance: { ...utterance(text, start, start + 1), language: "ja" } },
    });
    world.send(update({ turn_detection: null }));
    world.emit(final(" こんにちは", 0), { kind: "configured", seconds: 1 }, final(" 世界", 2));
    world.send(update({ turn_detection: { type: "server_vad" } }));
    world.emit({ kind: "configured", seconds: 3 }, final(" です", 4));
    const completed = world.sent.filter(({ type }) => type === `${TRANSCRIPTION}.completed`);
    expect(completed.map(({ transcript }) => transcript)).toEqual(["こんにちは", "世界です"]);
  });

  test("without turn detection and with it again: the deltas of every item are its transcript", async () => {
    const world = new World();
    await world.open([append()]);
    const final = (text: string, start: number): LiveEvent => ({
      ...{ kind: "final", id: text, utterance: utterance(text, start, start + 1) },
    });
    world.send(update({ turn_detection: null }));
    world.emit(final("before", 0), { kind: "configured", seconds: 1 }, final("held", 2));
    world.send(update({ turn_detection: { type: "server_vad" } }));
    world.emit({ kind: "configured", seconds: 3 }, final("after", 4));
    const completed = world.sent.filter(({ type }) => type === `${TRANSCRIPTION}.completed`);
    expect(completed.map(({ transcript }) => transcript)).toEqual(["before", "held after"]);
    for (const { item_id, transcript } of completed) {
      const deltas = world.sent.filter((one) => one.type === `${TRANSCRIPTION}.delta` && one.item_id === item_id);
      expect(deltas.map(({ delta }) => delta).join("")).toBe(transcript);
    }
    expect(completed[1].usage.seconds).toBe(3);
  });
});

describe("messages", () => {
  test.each<[string, object | string, string, string]>([
    ["text that is not JSON", "hello", "invalid_json", "not valid JSON"],
    ["a list", "[1]", "invalid_json", "JSON object"],
    ["no type", {}, "missing_required_parameter", "type is required"],
    ["an unknown type", { type: "sing" }, "invalid_value", "sing"],
    ["a response", { type: "response.create" }, "unsupported_event", "response.create is not supported"],
    ["an item", { type: "conversation.item.create" }, "unsupported_event", "each commit creates one"],
    ["speech", { type: "output_audio_buffer.clear" }, "unsupported_event", "produces no audio"],
    ["audio that is not base64", { type: "input_audio_buffer.append", audio: "!" }, "invalid_value", "base64"],
    ["audio that is missing", { type: "input_audio_buffer.append" }, "invalid_value", "base64"],
    ["a large message", { type: "session.update", session: { x: "y".repeat(70_000) } }, "message_too_large", "65536"],
    ["an empty commit", { type: "input_audio_buffer.commit" }, "input_audio_buffer_commit_empty", "0 ms"],
  ])("%s is answered by an error, before and in a session", async (_name, message, code, part) => {
    const before = new World();
    await before.open([message]);
    expect(before.errors()).toEqual([expect.objectContaining({ code })]);
    expect(before.errors()[0].message).toContain(part);
    const within = new World();
    await within.open([append(Buffer.alloc(480)), typeof message === "string" ? message : JSON.stringify(message)]);
    expect(within.errors()).toEqual([expect.objectContaining({ code })]);
    expect(within.finalized).toBe(0);
  });

  test("any bytes are read, and answered by messages of this interface", async () => {
    const type = fc.constantFrom("session.update", "transcription_session.update", "input_audio_buffer.append", "x");
    const message = fc.record({ type, session: fc.jsonValue(), audio: fc.oneof(fc.base64String(), fc.string()) });
    const frame = fc.oneof(
      message.map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 10 }), async (frames) => {
        const world = new World();
        await world.open([...frames, append(), ...frames]);
        for (const { type: sent, event_id } of world.sent) {
          expect(sent).toMatch(/^(session|transcription_session|input_audio_buffer|conversation|error)/);
          expect(event_id).toMatch(/^event_/);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("items", () => {
  const begin = async (input: object = {}, others: object = {}) => {
    const world = new World();
    await world.open([update(input, others), append(), append(), append()]);
    world.sent.splice(1);
    return world;
  };

  test("turn detection: speech events, the item, its text; speech without words has no item", async () => {
    const world = await begin();
    world.emit(
      { kind: "speechStarted", channel: 0, seconds: 0.1 },
      { kind: "speechEnded", channel: 0, seconds: 0.3 },
      { kind: "speechStarted", channel: 0, seconds: 0.5 },
      { kind: "speechEnded", channel: 0, seconds: 1.25 },
      { kind: "final", id: "a", utterance: utterance("One.", 0.5, 1.2) },
      { kind: "speechStarted", channel: 0, seconds: 2 },
      { kind: "speechEnded", channel: 0, seconds: 2.5 },
      { kind: "final", id: "b", utterance: utterance("Two.", 2, 2.5) },
    );
    expect(world.types).toEqual([
      "input_audio_buffer.speech_started",
      "input_audio_buffer.speech_stopped",
      "input_audio_buffer.speech_started",
      "input_audio_buffer.speech_stopped",
      "input_audio_buffer.committed",
      "conversation.item.added",
      "conversation.item.done",
      "delta",
      "completed",
      "input_audio_buffer.speech_started",
      "input_audio_buffer.speech_stopped",
      "input_audio_buffer.committed",
      "conversation.item.added",
      "conversation.item.done",
      "delta",
      "completed",
    ]);
    const [first, second] = world.sent.filter(({ type }) => type.endsWith("completed"));
    expect(first).toMatchObject({ transcript: "One.", usage: { type: "duration", seconds: 0.7 }, content_index: 0 });
    expect(first).not.toHaveProperty("logprobs");
    expect(world.sent[4]).toMatchObject({ audio_end_ms: 1250, item_id: first.item_id });
    expect(world.sent.at(-5)).toMatchObject({ item_id: second.item_id, previous_item_id: first.item_id });
  });

  test("a model that distinguishes speakers: the session has speakers, and an item a segment for each stretch of one", async () => {
    const world = await begin({ transcription: { model: "gpt-4o-transcribe-diarize" } });
    expect(world.body).toMatchObject({ diarization: true });
    const [hello, who, me] = ["Hello.", "Who?", "Me."].map((text, at) => spokenUtterance(text, 0.5 + at, 1 + at).words);
    const words = [hello, who, me].flatMap((spoken = [], at) =>
      // The last word has no speaker yet.
      spoken.map((word) => ({ ...word, ...(at < 2 ? { speaker: at } : {}) })),
    );
    world.emit({ kind: "final", id: "a", utterance: utterance("Hello. Who? Me.", 0.5, 3, { words, speaker: 1 }) });
    const [{ item_id }] = world.of(`${TRANSCRIPTION}.completed`);
    const of = { item_id, content_index: 0 };
    expect(world.of(`${TRANSCRIPTION}.segment`)).toEqual([
      expect.objectContaining({ ...of, id: expect.any(String), speaker: "A", text: "Hello.", start: 0.5, end: 1 }),
      expect.objectContaining({ ...of, id: expect.any(String), speaker: "B", text: "Who? Me.", start: 1.5, end: 3 }),
    ]);
    expect(world.types.slice(-2)).toEqual(["segment", "completed"]);
    world.emit({ kind: "final", id: "b", utterance: utterance("Early.", 4, 5) });
    expect(world.of(`${TRANSCRIPTION}.segment`).at(-1)).toMatchObject({ speaker: "unknown", text: "Early." });
    // A running session cannot begin or end it.
    world.send(update({ transcription: { model: "gpt-4o-transcribe" } }));
    expect(world.errors()).toEqual([expect.objectContaining({ code: "session_has_begun" })]);
  });

  test("other models have no segments", async () => {
    const world = await begin();
    expect(world.body).not.toHaveProperty("diarization");
    world.emit({ kind: "final", id: "a", utterance: utterance("Hello.", 0.5, 1, { speaker: 0 }) });
    expect(world.of(`${TRANSCRIPTION}.segment`)).toEqual([]);
  });

  test("commits: finals of the audio before them are their item's, whenever they arrive", async () => {
    const world = await begin({ turn_detection: null }, { include: [`item.input_audio_transcription.logprobs`] });
    world.emit({ kind: "speechStarted", channel: 0, seconds: 0.1 });
    world.emit({ kind: "final", id: "a", utterance: utterance("One", 0.1, 0.9) });
    expect(world.types).toEqual([]);
    world.send({ type: "input_audio_buffer.commit" }, append(), { type: "input_audio_buffer.commit" });
    expect(world.finalized).toBe(2);
    world.emit(
      { kind: "final", id: "b", utterance: utterance("two.", 2, 2.9) },
      { kind: "finalized", seconds: 3 },
      { kind: "final", id: "c", utterance: utterance("Three.", 3.1, 3.9) },
      { kind: "finalized", seconds: 4 },
    );
    const completed = world.sent.filter(({ type }) => type.endsWith("completed"));
    expect(completed.map(({ transcript, usage }) => [transcript, usage.seconds])).toEqual([
      ["One two.", 3],
      ["Three.", 1],
    ]);
    expect(completed[0].logprobs.map(({ token }: { token: string }) => token)).toEqual([" One", " two."]);
    for (const { item_id, transcript } of completed) {
      const deltas = world.sent.filter((one) => one.type.endsWith("delta") && one.item_id === item_id);
      expect(deltas.map(({ delta }) => delta).join("")).toBe(transcript);
    }
  });

  test("of two commits in one burst, the second has no audio", async () => {
    const world = await begin({ turn_detection: null });
    const commit = Buffer.from(JSON.stringify({ type: "input_audio_buffer.commit" }));
    const commands = [...world.conversation.commandsOf(commit), ...world.conversation.commandsOf(commit)];
    expect(commands.filter(({ kind }) => kind === "finalize")).toHaveLength(1);
    const texts = commands.flatMap((command) =>
      command.kind === "answer" ? command.print({ ...REACHED, seconds: 3 }) : [],
    );
    expect(texts.map((text) => JSON.parse(text).error?.code)).toContain("input_audio_buffer_commit_empty");
  });

  test("the session states where a commit ends: a WAV header may have another rate than the configuration", async () => {
    const world = await begin({ turn_detection: null });
    const commit = Buffer.from(JSON.stringify({ type: "input_audio_buffer.commit" }));
    for (const command of world.conversation.commandsOf(commit))
      if (command.kind === "answer") command.print({ ...REACHED, seconds: 9 });
    world.emit({ kind: "final", id: "a", utterance: utterance("Late.", 6.5, 7) }, { kind: "finalized", seconds: 9 });
    expect(world.sent.at(-1)).toMatchObject({ transcript: "Late.", usage: { seconds: 9 } });
  });

  test("a refused commit leaves the one before it", async () => {
    const world = await begin({ turn_detection: null });
    world.send({ type: "input_audio_buffer.commit" }, append(), { type: "input_audio_buffer.commit" });
    world.emit(
      { kind: "finalizeRefused", reason: "stopped" },
      { kind: "final", id: "a", utterance: utterance("Kept.", 0.1, 0.9) },
      { kind: "finalized", seconds: 3 },
    );
    expect(world.sent.at(-1)).toMatchObject({ transcript: "Kept." });
    expect(world.types).toContain("failed");
  });

  test("a commit of silence has an empty transcript", async () => {
    const world = await begin({ turn_detection: null });
    world.send({ type: "input_audio_buffer.commit" });
    world.emit({ kind: "finalized", seconds: 3 });
    expect(world.sent.at(-1)).toMatchObject({ transcript: "", languages: [] });
  });

  test("cleared audio has no item; what follows has one", async () => {
    const world = await begin();
    world.emit({ kind: "speechStarted", channel: 0, seconds: 2.5 });
    world.send({ type: "input_audio_buffer.clear" }, append());
    world.emit(
      { kind: "speechEnded", channel: 0, seconds: 3 },
      { kind: "final", id: "a", utterance: utterance("Gone.", 2.5, 3) },
      { kind: "finalized", seconds: 3 },
      { kind: "speechStarted", channel: 0, seconds: 3.2 },
      { kind: "speechEnded", channel: 0, seconds: 3.9 },
      { kind: "final", id: "b", utterance: utterance("Kept.", 3.2, 3.9) },
    );
    expect(JSON.stringify(world.sent)).not.toContain("Gone");
    expect(world.types.slice(0, 4)).toEqual([
      "input_audio_buffer.speech_started",
      "input_audio_buffer.speech_stopped",
      "input_audio_buffer.cleared",
      "input_audio_buffer.speech_started",
    ]);
    expect(world.sent.at(-1)).toMatchObject({ transcript: "Kept." });
  });

  test("a clear after the end of speech keeps its item, whose final is late; later audio is dropped", async () => {
    const world = await begin();
    world.emit(
      { kind: "speechStarted", channel: 0, seconds: 0.2 },
      { kind: "speechEnded", channel: 0, seconds: 1.5 },
      { kind: "speechStarted", channel: 0, seconds: 2.5 },
    );
    world.send({ type: "input_audio_buffer.clear" }, append());
    world.emit(
      { kind: "final", id: "a", utterance: utterance("Kept.", 0.2, 1.5) },
      { kind: "speechEnded", channel: 0, seconds: 3 },
      { kind: "final", id: "b", utterance: utterance("Gone.", 2.5, 3) },
      { kind: "finalized", seconds: 3 },
      { kind: "speechStarted", channel: 0, seconds: 3.2 },
      { kind: "speechEnded", channel: 0, seconds: 3.9 },
      { kind: "final", id: "c", utterance: utterance("Later.", 3.2, 3.9) },
    );
    expect(JSON.stringify(world.sent)).not.toContain("Gone");
    const completed = world.of(`${TRANSCRIPTION}.completed`);
    expect(completed.map(({ transcript }) => transcript)).toEqual(["Kept.", "Later."]);
    const committed = world.of("input_audio_buffer.committed").map(({ item_id }) => item_id);
    expect(committed).toEqual(completed.map(({ item_id }) => item_id));
    expect(committed[0]).toBe(world.of("input_audio_buffer.speech_stopped")[0].item_id);
  });

  test("every speech_started has one speech_stopped: a clear ends speech, and so does the end of turn detection", async () => {
    const world = await begin();
    const ofSpeech = () =>
      world.sent
        .filter(({ type }) => type.startsWith("input_audio_buffer.speech_"))
        .map(({ type, item_id, audio_start_ms, audio_end_ms }) => [
          type.replace("input_audio_buffer.speech_", ""),
          item_id,
          audio_start_ms ?? audio_end_ms,
        ]);
    world.emit({ kind: "speechStarted", channel: 0, seconds: 2.5 });
    world.send({ type: "input_audio_buffer.clear" });
    // Detected later, within the cleared audio; then the same speech continues.
    world.emit(
      { kind: "speechEnded", channel: 0, seconds: 3 },
      { kind: "finalized", seconds: 3 },
      { kind: "speechStarted", channel: 0, seconds: 3 },
    );
    world.send(append(), update({ turn_detection: null }));
    world.emit({ kind: "configured", seconds: 4 }, { kind: "speechEnded", channel: 0, seconds: 3.6 });
    const [cleared, , continued] = ofSpeech().map(([, item]) => item);
    expect(ofSpeech()).toEqual([
      ["started", cleared, 2500],
      ["stopped", cleared, 3000],
      ["started", continued, 3000],
      ["stopped", continued, 3600],
    ]);
    expect(continued).not.toBe(cleared);
  });

  test("a clear after speech without words has no item, and the next commit is answered", async () => {
    const world = await begin();
    world.emit({ kind: "speechStarted", channel: 0, seconds: 0.2 }, { kind: "speechEnded", channel: 0, seconds: 1.5 });
    world.send({ type: "input_audio_buffer.clear" }, append(), { type: "input_audio_buffer.commit" });
    world.emit(
      { kind: "finalized", seconds: 3 },
      { kind: "final", id: "a", utterance: utterance("Next.", 3.2, 3.9) },
      { kind: "finalized", seconds: 4 },
    );
    expect(world.of(`${TRANSCRIPTION}.completed`).map(({ transcript }) => transcript)).toEqual(["Next."]);
  });

  test("speech that no model recognises fails its item; other messages about the text are warnings", async () => {
    const world = await begin();
    world.emit(
      { kind: "speechStarted", channel: 0, seconds: 0.1 },
      { kind: "error", code: "language_unavailable", reason: "no model" },
      foreign(0.1, 1),
      { kind: "error", code: "language_uncertain", reason: "perhaps" },
    );
    expect(world.types).toEqual([
      "input_audio_buffer.speech_started",
      "input_audio_buffer.committed",
      "conversation.item.added",
      "conversation.item.done",
      "failed",
      "session.warning",
    ]);
    expect(world.sent.at(-2)).toMatchObject({ item_id: world.sent[1].item_id, error: { message: "no model" } });
    expect(world.sent.at(-1)).toMatchObject({ code: "language_uncertain", message: "perhaps" });
    world.emit(
      { kind: "speechStarted", channel: 0, seconds: 2 },
      { kind: "speechEnded", channel: 0, seconds: 3 },
      foreign(2, 3),
      { kind: "speechUnrecognized", channel: 0, range: [4, 5] },
    );
    const failed = world.of(`${TRANSCRIPTION}.failed`);
    expect(failed).toHaveLength(2);
    expect(failed[1].item_id).toBe(world.of("input_audio_buffer.speech_stopped")[0].item_id);
  });

  test("every committed item of speech that no model recognises fails; one of silence does not", async () => {
    const world = await begin({ turn_detection: null });
    for (let item = 0; item < 3; item++) world.send({ type: "input_audio_buffer.commit" }, append());
    world.emit(
      { kind: "error", code: "language_unavailable", reason: "no model" },
      foreign(0.5, 2),
      { kind: "finalized", seconds: 3 },
      foreign(3.1, 3.9),
      { kind: "finalized", seconds: 4 },
      { kind: "finalized", seconds: 5 },
    );
    expect(world.of(`${TRANSCRIPTION}.failed`).map(({ error }) => error.code)).toEqual(
      Array(2).fill("language_unavailable"),
    );
    expect(world.of(`${TRANSCRIPTION}.completed`).map(({ transcript }) => transcript)).toEqual([""]);
  });

  test("audio in another format than the session has a warning; refused audio has its error alone", async () => {
    const world = await begin();
    const unlikely = { kind: "error", code: "invalid_audio_format", reason: "A-law?" } as const;
    world.emit(unlikely, { kind: "chunkRefused", reason: "WebM" }, { ...unlikely, reason: "WebM" });
    expect(world.types).toEqual(["session.warning", "error"]);
    expect(world.warnings()).toEqual(["A-law?"]);
  });

  test("a committed item can be retrieved: with its transcript once that is complete", async () => {
    const world = await begin();
    const retrieve = (id: unknown) => {
      world.send({ type: "conversation.item.retrieve", item_id: id, event_id: "r" });
      return world.sent.at(-1);
    };
    world.emit(
      { kind: "speechStarted", channel: 0, seconds: 0.1 },
      { kind: "final", id: "a", utterance: utterance("One.", 0.5, 1.2) },
    );
    const [{ item_id }] = world.of(`${TRANSCRIPTION}.completed`);
    const content = (transcript: string | null) => [{ type: "input_audio", transcript }];
    expect(retrieve(item_id)).toMatchObject({
      type: "conversation.item.retrieved",
      item: { id: item_id, object: "realtime.item", type: "message", role: "user", content: content("One.") },
    });
    world.send({ type: "input_audio_buffer.commit" });
    const { item_id: waiting } = world.of("input_audio_buffer.committed").at(-1);
    expect(retrieve(waiting).item.content).toEqual(content(null));
    world.emit({ kind: "finalized", seconds: 3 });
    expect(retrieve(waiting).item.content).toEqual(content(""));
    expect(retrieve("item_other")).toMatchObject({
      error: { code: "item_retrieve_invalid_item_id", param: "item_id", event_id: "r" },
    });
    expect(retrieve(7)).toMatchObject({ error: { code: "missing_required_parameter", param: "item_id" } });
    expect(world.finalized).toBe(1);
  });

  test("a commit that comes after the end of the session fails its item", async () => {
    const world = await begin({ turn_detection: null });
    world.send({ type: "input_audio_buffer.commit" });
    world.emit({ kind: "finalizeRefused", reason: "stopped" });
    expect(world.types.at(-1)).toBe("failed");
  });
});

describe("opening and closing", () => {
  test("a refused session is an error and a close code", async () => {
    const world = new World("model=unknown");
    const finding = await world.open([append()]);
    const closing = (finding as { closing: Parameters<RealtimeConversation["closeFrame"]>[0] }).closing;
    expect(closing.kind).toBe("refused");
    expect(world.conversation.closeFrame(closing)).toEqual({
      code: 4000,
      reason: "invalid_request_error.model_not_found",
    });
    expect(JSON.parse(world.conversation.farewell(closing)[0] ?? "")).toMatchObject({
      type: "error",
      error: { code: "model_not_found" },
    });
  });

  test("a refusal that may pass has no error, and its reason in the close frame", () => {
    const { conversation } = new World();
    const closing = { kind: "refused", error: errors.tooManyOpening(100) } as const;
    expect(conversation.farewell(closing)).toEqual([]);
    expect(conversation.closeFrame(closing)).toEqual({
      code: 1013,
      reason: expect.stringMatching(/^rate_limit_error.rate_limit_exceeded: .{20}/),
    });
  });

  test("a fault of the service is no refusal: the connection logs it", async () => {
    const { conversation } = new World();
    const sessions = { authenticate: () => Promise.reject(new Error("the database is gone")) } as never;
    const client = { send: async () => undefined, next: async () => "left" as const };
    await expect(conversation.findSession(sessions, client)).rejects.toThrow("the database is gone");
  });

  test.each<[ClosingKind, number, string | undefined]>([
    ["complete", 1000, undefined],
    ["idle", 1001, undefined],
    ["ended", 1001, undefined],
    ["expired", 1001, undefined],
    ["restarting", 1012, undefined],
    ["taken", 1012, undefined],
    ["moved", 1012, undefined],
    ["elsewhere", 1012, undefined],
    ["overLimit", 1013, undefined],
    ["unread", 1013, undefined],
    ["failed", 1011, undefined],
    ["interrupted", 1011, undefined],
    ["deleted", 1001, "session_deleted"],
    ["revoked", 3000, "invalid_api_key"],
    ["unreadableAudio", 4000, undefined],
  ])("%s closes with %i; an error precedes it only where a new connection is useless (%s)", (kind, code, error) => {
    const { conversation } = new World();
    const closing = { kind, reason: "" } as Parameters<RealtimeConversation["closeFrame"]>[0];
    expect(conversation.closeFrame(closing).code).toBe(code);
    expect(conversation.farewell(closing).map((text) => JSON.parse(text).error.code)).toEqual(error ? [error] : []);
  });

  test("every close of the client ends the session, and only its path is of this interface", () => {
    expect(new World().conversation.departureOf()).toBe("finished");
    expect(["/v1/realtime", "/v1/realtime/", "/v1/realtime/calls", "/v2/live"].map(openAiRealtime.accepts)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each<[string, Record<string, string>, string | undefined]>([
    ["header", { authorization: "Bearer k1" }, "k1"],
    ["header of Azure", { "api-key": "k2" }, "k2"],
    ["subprotocol", { "sec-websocket-protocol": "realtime, openai-insecure-api-key.k3" }, "k3"],
    ["none", {}, undefined],
  ])("the key is read from the %s", async (_name, headers, key) => {
    const given: (string | undefined)[] = [];
    const { conversation } = new World("", headers);
    await conversation.findSession({ authenticate: async (one: string | undefined) => given.push(one) } as never, {
      send: async () => undefined,
      next: async () => "left",
    });
    expect(given).toEqual([key]);
  });
});
