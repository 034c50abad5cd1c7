// A connection without its network: the address and frames in, commands and messages out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  ConversationWorld,
  SESSION_ID,
  spokenUtterance,
  turnEvents,
} from "../../../../../test/fixtures/conversation-world.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { errors } from "../../../../platform/errors.ts";
import { speakerLabel } from "../../../assemblyai/labels.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import { streamingToken } from "../dialect.ts";
import { DIALECTS } from "../registry.ts";
import { StreamingConversation } from "./conversation.ts";
import { assemblyAiStreaming } from "./streaming.ts";

const ENGLISH = "speech_model=universal-streaming-english";
const ID = SESSION_ID;
const { partial, final, probable, resumed } = turnEvents;
const utterance = (text: string, more: Partial<Utterance> = {}) => spokenUtterance(text, 1, 2, more);
const over = (probability: number | null = 0.9) =>
  turnEvents.over(probability === null ? "silence" : "model", probability);
const started: LiveEvent = { kind: "speechStarted", channel: 0, seconds: 0.5 };
const CONFIGURED: LiveEvent = { kind: "configured", seconds: 1 };

class World extends ConversationWorld<StreamingConversation> {
  constructor(query = ENGLISH, headers: Record<string, string> = { authorization: "key" }) {
    super(new StreamingConversation({ path: "/v3/ws", query: new URLSearchParams(query), headers, at: 1_000_000 }));
  }

  open(isStrict = false, ...early: LiveEvent[]) {
    const configurations: Record<string, unknown> = {
      ek_stream: streamingToken(60),
      ek_other: { model: "whisper-1" },
    };
    const sessions = {
      isStrict,
      authenticate: async (key: string | undefined) => {
        if (key !== undefined && key in configurations)
          return { account: {}, keyId: null, configuration: configurations[key] };
        if (key !== "key") throw key === undefined ? errors.keyMissing("authorization") : errors.keyUnknown();
        return { account: {}, keyId: null };
      },
      modelNamed: async (name: string, of: string) => `model of ${of} ${name}`,
    };
    return this.find(sessions, early);
  }

  /** Turns with their number, end and text. */
  get short(): string[] {
    return this.of("Turn").map(
      ({ turn_order, end_of_turn, transcript }) => `${turn_order}${end_of_turn ? " end" : ""}: ${transcript}`,
    );
  }
}

const opened = async (query?: string) => {
  const world = new World(query);
  expect(await world.open()).toEqual({ found: "session" });
  return world;
};
const refusalOf = async (query: string, isStrict = false) => {
  const world = new World(query);
  const finding = (await world.open(isStrict)) as AnyMessage;
  const { status, body } = world.conversation.handshake.refusal(finding.closing);
  return { status, ...JSON.parse(body) };
};

describe("the request", () => {
  test("parameters configure the session, and Begin is the first message", async () => {
    const terms = encodeURIComponent(JSON.stringify(["Ada", " ENIAC ", "Ada"]));
    const world = await opened(
      `${ENGLISH}&sample_rate=8000&encoding=pcm_mulaw&end_of_turn_confidence_threshold=0.7&min_turn_silence=400&max_turn_silence=3000` +
        `&keyterms_prompt=${terms}&vad_threshold=0.4&inactivity_timeout=30&speaker_labels=true&max_speakers=2&voice_focus=near-field`,
    );
    expect(world.created[0]).toMatchObject({
      client: { reconnects: false, idle_seconds: 30 },
      warnings: [],
      body: {
        model: "model of assemblyai universal-streaming-english",
        ...{ encoding: "wav/ulaw", sample_rate: 8_000, channels: 1, endpointing: 0.8, diarization: true },
        turn_detection: { mode: "smart", threshold: 0.7, minimum_silence: 0.4, maximum_silence: 3 },
        diarization_config: { max_speakers: 2 },
        language_config: { languages: ["en"], code_switching: false },
        pre_processing: { audio_enhancer: true, speech_threshold: 0.4 },
        realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Ada", "ENIAC"] } },
        messages_config: { receive_partial_transcripts: true, receive_turn_events: true },
      },
    });
    const configuration = { model: "universal-streaming-english", api_version: "2025-05-12", speaker_labels: true };
    expect(world.sent).toEqual([{ type: "Begin", id: ID, expires_at: 4_600, configuration }]);
  });

  test("without parameters: 16 kHz, any language, and turns that a judgement or 2 s of silence end", async () => {
    const { body, created } = await opened("");
    expect(body).toMatchObject({
      ...{ encoding: "wav/pcm", sample_rate: 16_000, language_config: { languages: [], code_switching: true } },
      turn_detection: { mode: "smart", threshold: 0.85, minimum_silence: 0.2, maximum_silence: 2 },
    });
    expect(created[0]?.client).toEqual({ reconnects: false });
  });

  test("bounds that leave nothing to judge: silence alone ends turns", async () => {
    // LiveKit sends this for its default model.
    expect((await opened("min_turn_silence=100&max_turn_silence=100")).body).toMatchObject({
      ...{ endpointing: 0.1, turn_detection: { mode: "silence" } },
    });
    expect((await opened("end_of_turn_confidence_threshold=1&max_turn_silence=1500")).body.endpointing).toBe(1.5);
    expect((await opened("end_of_turn_confidence_threshold=0&min_turn_silence=300")).body.endpointing).toBe(0.3);
    expect((await opened("max_turn_silence=60000&min_turn_silence=0")).body.turn_detection).toMatchObject({
      ...{ minimum_silence: 0.1, maximum_silence: 10 },
    });
    expect((await opened("min_turn_silence=4000")).body).toMatchObject({ endpointing: 4 });
  });

  test("languages: one is fixed, several may change, multi is any", async () => {
    const languages = async (query: string) => (await opened(query)).body.language_config;
    expect(await languages("language_code=de")).toEqual({ languages: ["de"], code_switching: false });
    expect(await languages('language_codes=["en","es"]')).toEqual({ languages: ["en", "es"], code_switching: true });
    expect(await languages('language_codes=["multi"]')).toEqual({ languages: [], code_switching: true });
  });

  test("wishes that every session fulfils have no warning", async () => {
    // As pipecat-ai sends them.
    const fulfilled = await opened(
      "speech_model=u3-rt-pro&formatted_finals=true&continuous_partials=true&include_partial_turns=true",
    );
    expect(fulfilled.of("Warning")).toEqual([]);
    expect((await opened("continuous_partials=false")).of("Warning")).toHaveLength(1);
  });

  test("profanity is masked from the start, and by an update", async () => {
    const world = await opened("filter_profanity=true");
    expect(world.body).toMatchObject({ realtime_processing: { profanity_filter: true } });
    expect(world.of("Warning")).toEqual([]);
    expect((await opened("filter_profanity=true&language_codes=de")).of("Warning")).toHaveLength(1);
  });

  test("parameters without effect are named in warnings, others refused by name before the upgrade", async () => {
    const world = await opened(
      "prompt=spell&mode=balanced&domain=medical-v1&max_speakers=2&clever=1&session_heartbeat=false",
    );
    const names = ["prompt", "mode", "domain", "max_speakers", "clever"];
    expect(world.of("Warning")).toHaveLength(names.length);
    for (const name of names) {
      expect(world.of("Warning").some(({ warning }) => warning.includes(name))).toBe(true);
      expect(world.conversation.handshake.headers()["x-parlance-warnings"]).toContain(name);
    }
    for (const [query, name] of [
      ["encoding=flac", "encoding"],
      ["sample_rate=12345", "sample_rate"],
      ["end_of_turn_confidence_threshold=2", "end_of_turn_confidence_threshold"],
      ["min_turn_silence=900&max_turn_silence=300", "min_turn_silence (900)"],
      ["keyterms_prompt=[1]", "keyterms_prompt"],
      [`keyterms_prompt=${"x".repeat(300)}`, "keyterms_prompt"],
      ["language_codes=xx-nothing", "language_codes"],
      ["inactivity_timeout=1", "inactivity_timeout"],
      ["voice_focus=loud", "voice_focus"],
      ["redact_pii=true", "redact_pii"],
      ["webhook_url=http://x", "webhook_url"],
      ["llm_gateway={}", "llm_gateway"],
    ]) {
      expect(await refusalOf(query as string)).toMatchObject({
        status: 400,
        error: expect.stringContaining(name as string),
      });
    }
    expect(await refusalOf("clever=1", true)).toMatchObject({ error: expect.stringContaining("clever") });
  });

  test("parameters that clients send in every conversation have no Warning, and stand in the header and in Termination", async () => {
    const world = await opened("agent_context=Which+date%3F&previous_context_n_turns=2&mode=balanced");
    const namesOf = (texts: string[]) => texts.map((text) => text.split(" ")[0]).toSorted();
    expect(namesOf(world.of("Warning").map(({ warning }) => warning))).toEqual(["mode"]);
    const all = ["agent_context", "mode", "previous_context_n_turns"];
    for (const name of all) expect(world.conversation.handshake.headers()["x-parlance-warnings"]).toContain(name);
    const [termination = "{}"] = world.conversation.farewell({ kind: "complete" });
    expect(namesOf(JSON.parse(termination).warnings)).toEqual(all);
    world.send({ type: "UpdateConfiguration", agent_context: "Which?" });
    expect(world.of("Warning")).toHaveLength(1);
  });

  test("the key stands alone in the header or is a token of the address; other client secrets open nothing", async () => {
    expect(DIALECTS.filter((one) => one.accepts("/v3/ws"))).toEqual([assemblyAiStreaming]);
    const open = async (query: string, headers: Record<string, string>) => {
      const world = new World(query, headers);
      return { world, finding: (await world.open()) as AnyMessage };
    };
    expect((await open("", { authorization: "Bearer key" })).finding).toEqual({ found: "session" });
    const { finding, world } = await open("token=ek_stream", {});
    expect(finding).toEqual({ found: "session" });
    expect(world.created[0]?.client).toEqual({ reconnects: false, most_seconds: 60 });
    expect(world.sent[0].expires_at).toBe(1_060);
    expect((await open("token=ek_other", {})).finding.closing.error.code).toBe("account.key_unknown");
    expect((await open("", {})).finding.closing.error.code).toBe("account.key_missing");
  });

  test("Begin precedes events of the session that come before the opening commands", async () => {
    const world = new World();
    await world.open(false, { kind: "error", code: "turn_detection_unavailable", reason: "no model" });
    expect(world.sent.map(({ type }) => type)).toEqual(["Begin", "Warning"]);
  });
});

describe("turns", () => {
  test("a turn begins with its first words and ends with its finals", async () => {
    const world = await opened("");
    world.emit(started, over(null));
    world.emit(
      started,
      partial("Hello"),
      partial("Hello from"),
      probable("Hello from"),
      partial("Hello from"),
      resumed,
    );
    world.emit(partial("Hello from the"), final("Hello from"), final("the AI."), over());
    world.emit(started, final("Yes."), { kind: "recordingEnded", durationSeconds: 4.4 });
    expect(world.of("SpeechStarted")).toEqual([
      { type: "SpeechStarted", timestamp: 500 },
      { type: "SpeechStarted", timestamp: 500 },
    ]);
    expect(world.short).toEqual([
      ...["0: Hello", "0: Hello from", "0: Hello from", "0: Hello from the", "0 end: Hello from the AI."],
      "1 end: Yes.",
    ]);
    expect(world.of("Turn").map(({ end_of_turn_confidence }) => end_of_turn_confidence)).toEqual([
      0, 0, 0.6, 0, 0.9, 1,
    ]);
    const [first, , , , end] = world.of("Turn");
    expect(first).toMatchObject({
      utterance: "",
      turn_is_formatted: false,
      words: [{ text: "Hello", word_is_final: false }],
    });
    expect(end).toMatchObject({ utterance: "Hello from the AI.", turn_is_formatted: true });
    expect(end.words[3]).toEqual({
      ...{ text: "AI.", start: 1_000, end: 2_000 },
      confidence: 0.5,
      word_is_final: true,
    });
    expect(end).not.toHaveProperty("language_code");
  });

  test("without format_turns, texts have neither punctuation nor capitals, until UpdateConfiguration requests them", async () => {
    const world = await opened();
    world.emit(final("Hello, World."), over());
    world.send({ type: "UpdateConfiguration", format_turns: true });
    world.emit(final("Hello, World."), over());
    expect(world.short).toEqual(["0 end: hello world", "1 end: Hello, World."]);
    expect(world.of("Turn").map(({ turn_is_formatted }) => turn_is_formatted)).toEqual([false, true]);
    expect(world.of("Turn")[0].words[1].text).toBe("world");
    expect((await opened(`${ENGLISH}&format_turns=true`)).emit(final("Hi."), over()).short).toEqual(["0 end: Hi."]);
  });

  test("language_detection names the language of a turn", async () => {
    const world = await opened("language_detection=true");
    expect(world.body.messages_config.receive_pre_processing_events).toBe(true);
    world.emit({ kind: "languageDetected", channel: 0, range: [1, 2], language: "en", probability: 0.8 });
    world.emit(final("Hi."), over());
    expect(world.of("Turn")[0]).toMatchObject({ language_code: "en", language_confidence: 0.8 });
  });

  test("speaker_labels: words have speakers, and corrections name the turns that have changed", async () => {
    const world = await opened("speaker_labels=true");
    const words = ["Hi", "there"].map((word, at) => ({
      ...{ word: ` ${word}`, start: 1, end: 2, confidence: 1 },
      speaker: at,
    }));
    world.emit({ kind: "final", id: "a", utterance: utterance("", { words, speaker: 0 }) }, over());
    world.emit(final("Yes", "b"), over());
    expect(world.of("Turn")[0]).toMatchObject({ speaker_label: "A", words: [{ speaker: "A" }, { speaker: "B" }] });
    expect(world.of("Turn")[1]).not.toHaveProperty("speaker_label");
    const utterances = [{ id: "a", speaker: 1, words: [{ index: 0, speaker: 1 }] }];
    world.emit({ kind: "speakersRevised", channel: 0, merged: [], utterances });
    expect(world.sent.at(-1)).toMatchObject({
      type: "SpeakerRevision",
      revisions: [{ turn_order: 0, speaker_label: "B", words: [{ speaker: "B" }, { speaker: "B" }] }],
    });
    expect([0, 25, 26, 700].map(speakerLabel)).toEqual(["A", "Z", "A1", "Y26"]);
  });

  test("a turn of very many words ends with its next final", async () => {
    const world = await opened("");
    world.emit(final("word ".repeat(500).trim()), final("Next."), over());
    expect(world.of("Turn").map(({ turn_order, end_of_turn }) => [turn_order, end_of_turn])).toEqual([
      [0, true],
      [1, true],
    ]);
  });
});

describe("messages of the client", () => {
  test("audio, KeepAlive, ForceEndpoint and Terminate", async () => {
    const world = await opened();
    world.send(
      Buffer.alloc(4),
      Buffer.alloc(0),
      { type: "KeepAlive" },
      { type: "ForceEndpoint" },
      { type: "Terminate", extra: 1 },
    );
    expect(world.kinds).toEqual(["audio", "finalize", "stop"]);
    expect(world.sent.at(-1)).toMatchObject({ type: "Warning", warning: expect.stringContaining("extra") });
    world.emit({ kind: "recordingEnded", durationSeconds: 4.4 });
    const [termination, ...others] = world.conversation.farewell({ kind: "complete" }).map((text) => JSON.parse(text));
    expect(termination).toMatchObject({ type: "Termination", audio_duration_seconds: 4 });
    expect(others).toEqual([]);
    expect(world.conversation.closeFrame({ kind: "complete" })).toEqual({ code: 1000, reason: "" });
    expect(world.conversation.departureOf()).toBe("finished");
  });

  test("UpdateConfiguration changes turns and keyterms; a bound that is not named stays", async () => {
    const world = await opened("min_turn_silence=400&max_turn_silence=3000");
    world.send({ type: "UpdateConfiguration", max_turn_silence: 1_000, keyterms_prompt: ["Ada"] });
    world.send({ type: "UpdateConfiguration", min_turn_silence: 1_500 });
    world.send({ type: "UpdateConfiguration", keyterms_prompt: [] });
    world.emit(CONFIGURED, CONFIGURED, CONFIGURED);
    expect(world.changes).toMatchObject([
      {
        turn_detection: { mode: "smart", minimum_silence: 0.4, maximum_silence: 1 },
        realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Ada"] } },
      },
      { endpointing: 1.5, turn_detection: { mode: "silence" } },
      { realtime_processing: { custom_vocabulary: false } },
    ]);
    expect(world.changes[2]).not.toHaveProperty("endpointing");
    expect(world.of("Warning")).toEqual([]);
  });

  test("language codes change the languages; an English model keeps its own, and wrong ones change nothing", async () => {
    const world = await opened("speech_model=universal-streaming-multilingual&language_codes=es");
    for (const language_codes of [["de", "fr-FR"], ["it"], []])
      world.send({ type: "UpdateConfiguration", language_codes });
    world.send({ type: "UpdateConfiguration", language_codes: ["klingon"], max_turn_silence: 900 });
    world.emit(CONFIGURED, CONFIGURED, CONFIGURED);
    expect(world.changes).toEqual([
      { language_config: { languages: ["de", "fr"], code_switching: true } },
      { language_config: { languages: ["it"], code_switching: false } },
      { language_config: { languages: [], code_switching: true } },
    ]);
    expect(world.sent.at(-1).warning).toMatch(/^UpdateConfiguration was not used: language_codes.*klingon/);
    const english = await opened("speech_model=universal-streaming-english");
    english.send({ type: "UpdateConfiguration", language_codes: ["de"] });
    expect(english.sent.at(-1).warning).toContain("language_codes has no effect");
    expect(english.changes).toEqual([{ language_config: { languages: ["en"], code_switching: false } }]);
  });

  test("UpdateConfiguration masks profanity, with a warning where English is not spoken", async () => {
    const world = await opened("speech_model=universal-3-5-pro");
    world.send({ type: "UpdateConfiguration", filter_profanity: true });
    world.emit(CONFIGURED);
    world.send({ type: "UpdateConfiguration", language_codes: ["de"] });
    world.emit(CONFIGURED);
    expect(world.of("Warning")).toEqual([]);
    world.send({ type: "UpdateConfiguration", filter_profanity: true });
    expect(world.of("Warning").map(({ warning }) => warning)).toEqual([
      "filter_profanity has no effect: it masks English words only",
    ]);
    world.emit(CONFIGURED);
    world.send({ type: "UpdateConfiguration", filter_profanity: false });
    expect(world.changes.map(({ realtime_processing }) => realtime_processing)).toEqual([
      { profanity_filter: true },
      undefined,
      { profanity_filter: true },
      { profanity_filter: false },
    ]);
  });

  test("masked words keep their asterisks without format_turns", async () => {
    const world = await opened();
    world.emit(started, final("Oh s***, no."), over());
    expect(world.of("Turn").at(-1)).toMatchObject({ transcript: "oh s*** no" });
    expect(world.of("Turn").at(-1)?.words[1].text).toBe("s***");
  });

  test("bounds that the session refused are not those of the next update", async () => {
    const world = await opened();
    world.send({ type: "UpdateConfiguration", max_turn_silence: 300, language_codes: ["de"] });
    world.emit({ kind: "configureRefused", reason: "no model recognises de" });
    world.send({ type: "UpdateConfiguration", end_of_turn_confidence_threshold: 0.7 });
    expect(world.changes.at(-1)?.turn_detection).not.toMatchObject({ maximum_silence: 0.3 });
  });

  test("nothing of a refused update is used, neither by an update that was sent behind it, nor its format", async () => {
    const world = await opened();
    world.send({ type: "UpdateConfiguration", max_turn_silence: 300, language_codes: ["de"], format_turns: true });
    world.send({ type: "UpdateConfiguration", end_of_turn_confidence_threshold: 0.7 });
    world.emit({ kind: "configureRefused", reason: "no model recognises de" }, CONFIGURED);
    expect(world.changes).toHaveLength(2);
    expect(world.changes[1].turn_detection).not.toMatchObject({ maximum_silence: 0.3 });
    world.emit(started, final("hello there"), over());
    expect(world.of("Turn").some(({ turn_is_formatted }) => turn_is_formatted)).toBe(false);
  });

  test("values that are cut are named, also where they change", async () => {
    const query = "inactivity_timeout=300&max_turn_silence=30000&min_turn_silence=8000";
    const world = await opened(query);
    const cut = [
      "inactivity_timeout: the session ends after at most 30 s without audio or a message",
      "min_turn_silence: where pauses are judged, it is at most 5000 ms",
      "max_turn_silence: silence ends a turn after at most 10000 ms",
    ];
    expect(world.created[0]?.warnings.toSorted()).toEqual(cut.toSorted());
    expect(world.body.turn_detection).toMatchObject({ minimum_silence: 5, maximum_silence: 10 });
    const within = await opened("inactivity_timeout=30&max_turn_silence=10000&min_turn_silence=5000");
    expect(within.created[0]?.warnings).toEqual([]);
    within.send({ type: "UpdateConfiguration", max_turn_silence: 20_000 });
    within.emit(CONFIGURED);
    within.send({ type: "UpdateConfiguration", end_of_turn_confidence_threshold: 0, min_turn_silence: 12_000 });
    expect(within.of("Warning").map(({ warning }) => warning)).toEqual([
      cut[2],
      "min_turn_silence: silence ends a turn after at most 10000 ms",
    ]);
  });

  test("fields without effect are named once; wrong values change nothing, and the session continues", async () => {
    const world = await opened();
    for (let count = 0; count < 2; count++) {
      world.send({ type: "UpdateConfiguration", agent_context: "Which date?", vad_threshold: 0.5, clever: 1 });
    }
    const warnings = world.of("Warning").map(({ warning }) => warning);
    // Clients that send agent_context after each answer report a Warning as a failure.
    const [sent, all] = [
      ["vad_threshold", "clever"],
      ["agent_context", "clever", "vad_threshold"],
    ];
    const namesOf = (texts: string[]) => texts.map((text) => text.split(" ")[0]);
    expect(namesOf(warnings).toSorted()).toEqual(sent.toSorted());
    const [termination = "{}"] = world.conversation.farewell({ kind: "complete" });
    expect(namesOf(JSON.parse(termination).warnings).toSorted()).toEqual(all);
    world.send({
      type: "UpdateConfiguration",
      max_turn_silence: "long",
      keyterms_prompt: "Ada",
      format_turns: 1,
      min_turn_silence: 300,
    });
    for (const name of ["max_turn_silence", "keyterms_prompt", "format_turns"]) {
      expect(world.sent.at(-1).warning).toContain(name);
    }
    expect(world.commands).toEqual([]);
    world.emit({ kind: "configureRefused", reason: "the recording was stopped" });
    expect(world.sent.at(-1)).toMatchObject({ type: "Warning", warning: expect.stringContaining("stopped") });
  });

  test("what cannot be read ends the stream: the error follows the turns of the audio so far", async () => {
    for (const [frame, code] of [
      ["{", 4_100],
      ["[]", 4_100],
      ["x".repeat(70_000), 4_100],
      [{ type: 7 }, 4_101],
      [{ type: "Finalize" }, 4_101],
    ] as const) {
      const world = await opened();
      world.send(frame, Buffer.alloc(4), { type: "Terminate" });
      expect(world.kinds).toEqual(["stop"]);
      expect(world.sent).toHaveLength(1);
      world.emit(final("So far."), over(null));
      expect(world.short).toEqual(["0 end: so far"]);
      const [text = ""] = world.conversation.farewell({ kind: "complete" });
      expect(JSON.parse(text)).toMatchObject({ type: "Error", error_code: code });
      expect(world.conversation.closeFrame({ kind: "complete" }).code).toBe(code);
    }
  });

  test("every closing has a code, and an Error before it", async () => {
    for (const [closing, code] of [
      [{ kind: "idle" }, 4_031],
      [{ kind: "restarting" }, 1_013],
      [{ kind: "revoked" }, 4_001],
      [{ kind: "failed" }, 3_005],
      [{ kind: "ended", cause: "length" }, 3_008],
      [{ kind: "ended" }, 4_010],
      [{ kind: "unreadableAudio", reason: "no PCM" }, 3_006],
    ] as const) {
      const world = await opened();
      expect(world.conversation.closeFrame(closing).code).toBe(code);
      const [text = ""] = world.conversation.farewell(closing);
      expect(JSON.parse(text)).toMatchObject({ type: "Error", error_code: code, error: expect.stringMatching(/\w/) });
    }
  });

  test("any frames: no error is thrown", async () => {
    const frame = fc.oneof(
      fc.string().map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .tuple(fc.constantFrom("UpdateConfiguration", "ForceEndpoint", "Terminate"), fc.object())
        .map(([type, fields]) => Buffer.from(JSON.stringify({ ...fields, type }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(frame, fc.boolean()), { maxLength: 10 }), async (frames) => {
        const world = await opened();
        for (const [bytes, isBinary] of frames) {
          for (const command of world.conversation.commandsOf(bytes, isBinary)) {
            if (command.kind === "answer") command.print({ bytes: 0, seconds: 0, detectedSeconds: 0 });
          }
        }
      }),
    );
  });
});
