// A connection without its network: the request and frames in, commands and messages out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  ConversationWorld,
  SESSION_ID,
  spokenUtterance,
  turnEvents,
} from "../../../../../test/fixtures/conversation-world.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import { DIALECTS } from "../registry.ts";
import { FluxConversation } from "./conversation.ts";
import { deepgramFlux } from "./flux.ts";

const PCM = "model=flux-general-en&encoding=linear16&sample_rate=16000";
const EAGER = `${PCM}&eager_eot_threshold=0.4`;
const ID = SESSION_ID;
const { partial, final, probable, resumed, over, started } = turnEvents;
const utterance = (text: string, channel = 0) => spokenUtterance(text, 1, 2, { channel });

class World extends ConversationWorld<FluxConversation> {
  constructor(query = PCM, headers: Record<string, string> = { authorization: "Token key" }) {
    super(new FluxConversation({ path: "/v2/listen", query: new URLSearchParams(query), headers, at: 0 }));
  }

  open(isStrict = false, ...early: LiveEvent[]) {
    return this.find({ isStrict }, early);
  }

  get turns(): AnyMessage[] {
    return this.sent.filter(({ type }) => type === "TurnInfo");
  }

  /** Events with their turn and text. */
  get short(): string[] {
    return this.turns.map(({ event, turn_index, transcript }) => `${turn_index} ${event}: ${transcript}`);
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
  return JSON.parse(world.conversation.handshake.refusal(finding.closing).body);
};

describe("the request", () => {
  test("parameters configure the session, and Connected is the first message", async () => {
    const world = await opened(
      `${EAGER}&eot_threshold=0.8&eot_timeout_ms=3000&keyterm=Ada&keyterm=ENIAC&numerals=true&mip_opt_out=true`,
    );
    expect(world.created[0]).toMatchObject({
      client: { reconnects: false },
      warnings: [],
      body: {
        model: "model of flux-general-en",
        ...{ encoding: "wav/pcm", sample_rate: 16_000, channels: 1, endpointing: 0.8 },
        turn_detection: {
          ...{ mode: "smart", threshold: 0.8, minimum_silence: 0.2, maximum_silence: 3, probable_threshold: 0.4 },
        },
        language_config: { languages: ["en"], code_switching: false },
        realtime_processing: { numerals: true, custom_vocabulary_config: { vocabulary: ["Ada", "ENIAC"] } },
        messages_config: { receive_partial_transcripts: true, receive_turn_events: true },
      },
    });
    expect(world.sent).toEqual([{ type: "Connected", request_id: ID, sequence_id: 0 }]);
  });

  test("Connected precedes events of the session that come before the opening commands", async () => {
    const world = new World();
    await world.open(false, { kind: "error", code: "turn_detection_unavailable", reason: "no model" });
    expect(world.sent.map(({ type, sequence_id }) => [type, sequence_id])).toEqual([
      ...[
        ["Connected", 0],
        ["Warning", 1],
      ],
    ]);
  });

  test("from 1 on, silence alone ends turns; several languages take hints", async () => {
    expect((await opened(`${PCM}&eot_threshold=1.0&eot_timeout_ms=1500`)).body).not.toHaveProperty("turn_detection");
    expect((await opened(`${PCM}&eot_threshold=1`)).body).toMatchObject({ endpointing: 5 });
    const { body } = await opened("model=flux-general-multi&language_hint=de&language_hint=en");
    expect(body.language_config).toEqual({ languages: ["de", "en"], code_switching: true });
  });

  test("parameters without effect are named in warnings, others refused by name", async () => {
    const world = await opened(`${PCM}&tag=a&language_hint=de&eot_timeout_ms=60000&clever=1`);
    expect(world.sent.map(({ type }) => type)).toEqual(["Connected", ...new Array(4).fill("Warning")]);
    for (const name of ["tag", "language_hint", "eot_timeout_ms", "clever"]) {
      expect(world.sent.some(({ description }) => description?.includes(name))).toBe(true);
      expect(world.conversation.handshake.headers()["x-parlance-warnings"]).toContain(name);
    }
    for (const [query, name] of [
      ["eot_threshold=0.4", "eot_threshold"],
      ["eager_eot_threshold=0.2", "eager_eot_threshold"],
      ["eager_eot_threshold=0.9&eot_threshold=0.6", "eager_eot_threshold"],
      ["eot_timeout_ms=60001", "eot_timeout_ms"],
      ["encoding=speex&sample_rate=16000", "encoding"],
      ["encoding=linear16", "sample_rate"],
      ["channels=2", "channels"],
      ["redact=numbers", "redact"],
      ["session_id=x", "session_id"],
      ["model=flux-general-multi&language_hint=xx-nothing", "language_hint"],
    ]) {
      expect(await refusalOf(query as string)).toMatchObject({
        ...{ err_code: "Bad Request", err_msg: expect.stringContaining(name as string) },
      });
    }
    expect(await refusalOf(`${PCM}&clever=1`, true)).toMatchObject({ err_msg: expect.stringContaining("clever") });
  });

  test("one dialect has the path; a request without a key is refused", async () => {
    expect(DIALECTS.filter((one) => one.accepts("/v2/listen"))).toEqual([deepgramFlux]);
    const finding = (await new World(PCM, {}).open()) as AnyMessage;
    expect(finding.closing.error.code).toBe("account.key_missing");
  });
});

describe("turns", () => {
  test("a turn begins with its first words and ends with its finals", async () => {
    const world = await opened(EAGER);
    world.emit(started, over("stop"));
    world.emit(
      started,
      partial("Hello"),
      partial("Hello from"),
      probable("Hello from"),
      partial("Hello from"),
      resumed,
    );
    world.emit(partial("Hello from the"), probable("Hello from the"), final("Hello from the"), over());
    world.emit(started, final("Yes."), over("silence"));
    expect(world.short).toEqual([
      ...["0 StartOfTurn: Hello", "0 Update: Hello from", "0 EagerEndOfTurn: Hello from", "0 TurnResumed: Hello from"],
      ...["0 Update: Hello from the", "0 EagerEndOfTurn: Hello from the", "0 EndOfTurn: Hello from the"],
      ...["1 StartOfTurn: Yes.", "1 EndOfTurn: Yes."],
    ]);
    expect(world.turns.filter(({ event }) => event === "EndOfTurn")).toEqual([
      expect.objectContaining({ end_of_turn_confidence: 0.9, trigger: "model", request_id: ID }),
      expect.objectContaining({ end_of_turn_confidence: 1, trigger: "timeout" }),
    ]);
    expect(world.turns[0]).toMatchObject({
      ...{ audio_window_start: 1, audio_window_end: 2 },
      words: [{ word: "Hello", confidence: 0.5, start: 1, end: 2 }],
    });
    expect(world.sent.map(({ sequence_id }) => sequence_id)).toEqual([...world.sent.keys()]);
  });

  test("without an eager threshold there are no eager events", async () => {
    const world = (await opened()).emit(partial("Hello"), probable("Hello"), resumed, final("Hello you."), over());
    expect(world.short).toEqual(["0 StartOfTurn: Hello", "0 EndOfTurn: Hello you."]);
  });

  test("another text than that of EagerEndOfTurn resumes the turn first", async () => {
    const world = (await opened(EAGER)).emit(probable("Hello"), final("Hello you."), over());
    expect(world.short).toEqual([
      ...["0 StartOfTurn: Hello", "0 EagerEndOfTurn: Hello", "0 TurnResumed: Hello you.", "0 EndOfTurn: Hello you."],
    ]);
  });

  test("several finals are one turn; ForceEndTurn ends it", async () => {
    const world = await opened(EAGER);
    world.emit(started, final("One two."), partial("Three"));
    world.send({ type: "ForceEndTurn" });
    world.emit(final("Three."), over("finalize"), { kind: "finalized", seconds: 3 }, final("Four."), over("finalize"));
    expect(world.kinds).toEqual(["finalize"]);
    const ends = world.turns.filter(({ event }) => event === "EndOfTurn");
    expect(ends.map(({ transcript, trigger }) => [transcript, trigger])).toEqual([
      ...[
        ["One two. Three.", "manual"],
        ["Four.", "timeout"],
      ],
    ]);
    expect(world.short).toContain("0 Update: One two. Three");
  });

  test("a turn of many words ends with a final: messages stay small, and no word is lost", async () => {
    const world = await opened();
    const long = new Array(200).fill("one").join(" ");
    world.emit(started, ...new Array(4).fill(final(long)), partial("two"), final("two"), over());
    const ends = world.turns.filter(({ event }) => event === "EndOfTurn");
    expect(ends.map(({ turn_index, words }) => [turn_index, words.length])).toEqual([
      ...[
        [0, 600],
        [1, 201],
      ],
    ]);
  });

  test("the languages of a turn are named, the most frequent first", async () => {
    const world = await opened("model=flux-general-multi&language_hint=de");
    const german = { ...utterance("Guten Tag Welt"), language: "de" };
    world.emit(final("Hello."), { kind: "final", id: "id", utterance: german }, over());
    expect(world.turns.at(-1)).toMatchObject({ languages: ["de", "en"], languages_hinted: ["de"] });
  });

  test("any session: indexes rise, each turn ends once and last, no word of a final is lost", async () => {
    const word = fc.constantFrom("one", "two", "three");
    const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
    const pause = fc
      .tuple(text, fc.boolean())
      .map(([said, isPartial]) => [...(isPartial ? [partial(said)] : []), ...[probable(said), resumed]]);
    const turn = fc
      .record({
        pauses: fc.array(pause, { maxLength: 3 }),
        cuts: fc.array(text, { maxLength: 2 }),
        last: text,
        kind: fc.nat(3),
      })
      .map(({ pauses, cuts, last, kind }) => [
        ...[started, ...pauses.flat(), ...cuts.map((text) => final(text))],
        ...(kind === 0 ? [] : [...(kind === 1 ? [probable(last)] : []), final(kind === 3 ? `${last} four` : last)]),
        over(kind === 2 ? "silence" : "model"),
      ]);
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 5 }), fc.boolean(), async (turns, isEager) => {
        const world = await opened(isEager ? EAGER : PCM);
        const events = turns.flat();
        world.emit(...events, { kind: "recordingEnded", durationSeconds: 9 });
        const expected = events.flatMap((event) => (event.kind === "final" ? [event.utterance.text.trim()] : []));
        const ends = world.turns.filter(({ event }) => event === "EndOfTurn");
        expect(
          ends
            .map(({ transcript }) => transcript)
            .filter((transcript) => transcript !== "")
            .join(" "),
        ).toBe(expected.join(" "));
        const indexes = world.turns.map(({ turn_index }) => turn_index);
        expect(indexes).toEqual([...indexes].sort((one, other) => one - other));
        for (const index of new Set(indexes)) {
          const names = world.turns.filter(({ turn_index }) => turn_index === index).map(({ event }) => event);
          expect(names[0]).toBe("StartOfTurn");
          expect(names.indexOf("EndOfTurn")).toBe(names.length - 1);
          for (const [place, name] of names.entries()) {
            if (name === "TurnResumed") expect(names[place - 1]).toBe("EagerEndOfTurn");
            if (name === "EagerEndOfTurn") expect(["TurnResumed", "EndOfTurn"]).toContain(names[place + 1]);
          }
        }
        for (const [place, info] of world.turns.entries()) {
          const before = world.turns[place - 1];
          if (info.event === "EndOfTurn" && before?.event === "EagerEndOfTurn")
            expect(info.transcript).toBe(before.transcript);
        }
      }),
    );
  });
});

describe("messages of the client", () => {
  test("audio, KeepAlive, CloseStream and the empty frame", async () => {
    const world = await opened();
    world.send(Buffer.alloc(4), { type: "KeepAlive" }, { type: "CloseStream", extra: 1 }, Buffer.alloc(0));
    expect(world.kinds).toEqual(["audio", "stop", "stop"]);
    expect(world.sent.at(-1)).toMatchObject({ type: "Warning", description: expect.stringContaining("extra") });
    expect(world.conversation.closeFrame({ kind: "complete" })).toEqual({ code: 1000, reason: "" });
  });

  test("Configure changes thresholds, keyterms and numerals; it succeeds when the session has the change", async () => {
    const world = await opened(`${EAGER}&eot_threshold=0.8&keyterm=Ada`);
    world.emit({ kind: "recordingStarted" });
    world.send({ type: "Configure", thresholds: { eot_threshold: 0.9, eager_eot_threshold: 0.5 }, numerals: true });
    world.send({ type: "Configure", thresholds: { eot_timeout_ms: 60_000 }, keyterms: ["Grace"] });
    expect(world.of("ConfigureSuccess")).toEqual([]);
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.of("ConfigureSuccess")[0]).toMatchObject({
      keyterms: ["Ada"],
      thresholds: { eot_threshold: 0.9, eager_eot_threshold: 0.5, eot_timeout_ms: 5_000 },
    });
    const [first, second] = world.changes;
    expect(first).toMatchObject({
      turn_detection: { mode: "smart", threshold: 0.9, probable_threshold: 0.5, maximum_silence: 5 },
      realtime_processing: { numerals: true, custom_vocabulary_config: { vocabulary: ["Ada"] } },
    });
    expect(second).toMatchObject({
      turn_detection: { mode: "smart", threshold: 0.9, maximum_silence: 10 },
      realtime_processing: { numerals: true, custom_vocabulary_config: { vocabulary: ["Grace"] } },
    });
    expect(world.of("Warning")[0].description).toContain("eot_timeout_ms");
    world.emit({ kind: "configureRefused", reason: "the recording was stopped" });
    expect(world.sent.at(-1)).toMatchObject({
      ...{ type: "ConfigureFailure", description: expect.stringContaining("stopped") },
    });
    // The eager threshold of the message decides what is shown from now on.
    const lazy = await opened();
    lazy.send({ type: "Configure", thresholds: { eager_eot_threshold: 0.3 } });
    lazy.emit({ kind: "configured", seconds: 0 }, started, partial("Hello"), probable("Hello"));
    expect(lazy.short).toContain("0 EagerEndOfTurn: Hello");
  });

  test("null switches eager ends of turn off, and gives the other thresholds their defaults", async () => {
    const world = await opened(`${EAGER}&eot_threshold=0.7&eot_timeout_ms=2000`);
    world.send({ type: "Configure", thresholds: { eager_eot_threshold: null } });
    world.emit(
      { kind: "configured", seconds: 0 },
      started,
      partial("Hello"),
      probable("Hello"),
      final("Hello"),
      over(),
    );
    expect(world.short).toEqual(["0 StartOfTurn: Hello", "0 EndOfTurn: Hello"]);
    expect(world.changes.at(-1)).toMatchObject({ turn_detection: { threshold: 0.7, maximum_silence: 2 } });
    expect(world.changes.at(-1).turn_detection.probable_threshold).toBe(0.99);
    expect(world.of("ConfigureSuccess")[0].thresholds).toEqual({ eot_threshold: 0.7, eot_timeout_ms: 2_000 });
    world.send({ type: "Configure", thresholds: { eot_threshold: null, eot_timeout_ms: null } });
    world.emit({ kind: "configured", seconds: 0 });
    world.send({ type: "Configure", thresholds: null });
    world.emit({ kind: "configured", seconds: 0 });
    const defaults = { eot_threshold: 0.85, eot_timeout_ms: 5_000 };
    expect(world.of("ConfigureSuccess").map(({ thresholds }) => thresholds)).toEqual([
      { eot_threshold: 0.7, eot_timeout_ms: 2_000 },
      defaults,
      defaults,
    ]);
  });

  test("an eager threshold applies to the audio after its Configure", async () => {
    const world = await opened(EAGER);
    world.send({ type: "Configure", thresholds: { eager_eot_threshold: null } });
    // Speech before it, which ends at 2 s, is recognised later.
    world.emit(
      { kind: "configured", seconds: 5 },
      started,
      partial("Hello"),
      probable("Hello"),
      final("Hello"),
      over(),
    );
    expect(world.short).toContain("0 EagerEndOfTurn: Hello");
  });

  test("the filter of profanity changes alone; a wrong value is refused", async () => {
    const world = await opened(`${PCM}&profanity_filter=true`);
    for (const profanity_filter of [false, null, true]) {
      world.send({ type: "Configure", profanity_filter });
      world.emit({ kind: "configured", seconds: 0 });
    }
    const filters = world.changes.map(({ realtime_processing }) => realtime_processing.profanity_filter);
    expect(filters).toEqual([false, undefined, true]);
    expect(world.of("Warning")).toEqual([]);
    world.send({ type: "Configure", profanity_filter: "yes" });
    expect(world.sent.at(-1)).toMatchObject({
      ...{ type: "ConfigureFailure", description: expect.stringContaining("profanity_filter must be true or false") },
    });
    expect(world.changes).toHaveLength(3);
    const german = await opened("model=flux-general-multi&encoding=linear16&sample_rate=16000&language_hint=de");
    german.send({ type: "Configure", profanity_filter: true });
    expect(german.of("Warning")).toMatchObject([{ description: expect.stringMatching(/^profanity_filter has no/) }]);
  });

  test("thresholds with any number of digits are accepted, of the address and of Configure", async () => {
    const world = await opened(`${PCM}&eot_threshold=0.7000000000000001&eager_eot_threshold=4e-1`);
    expect(world.body).toMatchObject({
      turn_detection: { threshold: 0.7000000000000001, probable_threshold: 0.4 },
    });
    world.send({ type: "Configure", thresholds: { eager_eot_threshold: 0.30000000000000004 } });
    expect(world.changes.at(-1)).toMatchObject({
      turn_detection: { threshold: 0.7000000000000001, probable_threshold: 0.30000000000000004 },
    });
    world.emit({ kind: "configured", seconds: 0 });
    world.send({ type: "Configure", thresholds: { eot_threshold: 1e-7 } });
    expect(world.sent.at(-1)).toMatchObject({
      description: expect.stringContaining("eot_threshold must be a number from 0.5 to 1; it is 1e-7"),
    });
  });

  test("a threshold of 1 leaves the end to silence, and no keyterms remove the vocabulary", async () => {
    const world = await opened(`${PCM}&keyterm=Ada`);
    world.send({ type: "Configure", thresholds: { eot_threshold: 1 }, keyterms: [] });
    expect(world.changes.at(-1)).toEqual({
      ...{ endpointing: 5, turn_detection: { mode: "silence" } },
      language_config: { languages: ["en"], code_switching: false },
      realtime_processing: { custom_vocabulary: false, numerals: false },
    });
  });

  test("language hints change in a session of several languages; unknown ones do not", async () => {
    const world = await opened("model=flux-general-multi&encoding=linear16&sample_rate=16000&language_hint=en");
    world.send({ type: "Configure", language_hints: ["de-DE", "fr"] }, { type: "Configure", keyterms: ["Ada"] });
    world.send({ type: "Configure", language_hints: [] }, { type: "Configure", language_hints: ["klingon"] });
    world.emit({ kind: "configured", seconds: 1 });
    expect(world.sent.at(-1)).toMatchObject({ type: "ConfigureSuccess", language_hints: ["de", "fr"] });
    world.emit({ kind: "configured", seconds: 1 }, { kind: "configured", seconds: 1 });
    expect(world.changes.map(({ language_config }) => language_config)).toEqual([
      { languages: ["de", "fr"], code_switching: true },
      { languages: ["de", "fr"], code_switching: true },
      { languages: [], code_switching: true },
    ]);
    expect(world.of("ConfigureFailure")[0].description).toMatch(/language_hints.*klingon/);
  });

  test("a Configure that was sent behind a refused one changes what is in force", async () => {
    const world = await opened("model=flux-general-multi&encoding=linear16&sample_rate=16000&language_hint=en");
    world.send({ type: "Configure", language_hints: ["sw"] }, { type: "Configure", keyterms: ["Ada"] });
    world.emit({ kind: "configureRefused", reason: "no model recognises sw" }, { kind: "configured", seconds: 1 });
    expect(world.changes[1]).toMatchObject({
      language_config: { languages: ["en"] },
      realtime_processing: { custom_vocabulary_config: { vocabulary: ["Ada"] } },
    });
    expect(world.sent.at(-1)).toMatchObject({ type: "ConfigureSuccess", keyterms: ["Ada"], language_hints: ["en"] });
  });

  test("null is a field that is not given", async () => {
    const world = await opened(`${PCM}&numerals=true`);
    world.send({ type: "Configure", numerals: null, keyterms: null, thresholds: null, language_hints: null });
    expect(world.changes).toMatchObject([{ realtime_processing: { numerals: true } }]);
    expect(world.of("ConfigureFailure")).toEqual([]);
  });

  test("what Configure cannot change is named, and nothing changes", async () => {
    const world = await opened(EAGER);
    for (const [fields, name] of [
      [{ thresholds: { eot_threshold: 0.2 } }, "eot_threshold"],
      [{ thresholds: { eot_threshold: "high" } }, "thresholds.eot_threshold"],
      [{ thresholds: { eager_eot_threshold: 0.9, eot_threshold: 0.6 } }, "eager_eot_threshold"],
      [{ thresholds: { clever: 1 } }, "thresholds.clever"],
      [{ thresholds: "high" }, "thresholds"],
      [{ keyterms: ["x".repeat(300)] }, "keyterm"],
      [{ keyterms: "Grace" }, "keyterms"],
      [{ numerals: "yes" }, "numerals"],
      [{ language_hints: ["de"] }, "flux-general-multi"],
      [{ language_hints: "de" }, "language_hints"],
    ] as const) {
      world.send({ type: "Configure", ...fields });
      expect(world.sent.at(-1)).toMatchObject({
        ...{ type: "ConfigureFailure", code: "CONFIGURE_REFUSED", description: expect.stringContaining(name) },
      });
    }
    expect(world.kinds).toEqual([]);
  });

  test("what cannot be read is a fatal error: the audio so far is transcribed, and later frames are not read", async () => {
    for (const frame of ["{", "[]", "null", { type: 7 }, { type: "Finalize" }, "x".repeat(70_000)]) {
      const world = await opened();
      world.send(frame, Buffer.alloc(4), { type: "CloseStream" });
      expect(world.sent.at(-1)).toMatchObject({ type: "Error", code: "UNPARSABLE_CLIENT_MESSAGE", sequence_id: 1 });
      expect(world.kinds).toEqual(["stop"]);
      expect(world.conversation.closeFrame({ kind: "complete" }).code).toBe(1008);
    }
  });

  test("Opus, in packets and in Ogg, and containers without an encoding", async () => {
    for (const [query, encoding] of [
      ["encoding=opus", "opus"],
      ["encoding=ogg-opus", "ogg/opus"],
      ["", "container"],
    ]) {
      const world = await opened(`model=flux-general-en&${query}`);
      expect(world.created[0]?.body).toMatchObject({ encoding });
    }
  });
});
