// Connections of telephony platforms without their network: the address and frames in, the wanted session, commands and messages out.
import { describe, expect, test } from "vitest";
import {
  type AnyMessage,
  ConversationWorld,
  SESSION_ID,
  spokenUtterance,
} from "../../../../../test/fixtures/conversation-world.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { errors } from "../../../../platform/errors.ts";
import { CLOSINGS } from "../../connection/closings.ts";
import type { Closing } from "../../events/closing.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import type { Conversation, Frame } from "../dialect.ts";
import { DIALECTS } from "../registry.ts";

const VAPI = { type: "start", encoding: "linear16", container: "raw", sampleRate: 16_000, channels: 2 };
const JAMBONZ = {
  ...{ type: "start", language: "en-US", format: "raw", encoding: "LINEAR16", interimResults: true },
  ...{ sampleRateHz: 8_000, options: {} },
};
const TWILIO = {
  event: "start",
  start: { tracks: ["inbound"], mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8_000, channels: 1 } },
};
const AUDIO = Buffer.alloc(320, 1);

class World extends ConversationWorld<Conversation> {
  readonly keys: (string | undefined)[] = [];
  /** PARLANCE_STRICT_REQUESTS. */
  isStrict = false;

  constructor(path: string, query = "key=key", headers: Record<string, string> = {}) {
    const dialect = DIALECTS.find(({ accepts }) => accepts(path));
    super(dialect?.open({ path, query: new URLSearchParams(query), headers, at: 0 }) as Conversation);
  }

  open(...frames: (object | Buffer)[]) {
    const waiting = frames.map(frameOf);
    const sessions = {
      isStrict: this.isStrict,
      signed: undefined,
      authenticate: async (key: string | undefined) => {
        this.keys.push(key);
        if (key === undefined) throw errors.keyMissing("authorization");
        return { account: {}, keyId: null, ...(key === "ek_other" ? { configuration: {} } : {}) };
      },
      judge: (body: object) => ({ body, warnings: [] }),
      withToken: async (token: string) => ({
        found: "session of a token",
        params:
          token === "unknown" ? undefined : { encoding: "wav/ulaw", bit_depth: 8, sample_rate: 8_000, channels: 1 },
      }),
    };
    const client = { send: async () => undefined, next: async () => waiting.shift() ?? ("idle" as const) };
    return this.find(sessions, [], client);
  }

  async refusal(...frames: (object | Buffer)[]): Promise<string> {
    const finding = await this.open(...frames);
    if (typeof finding === "string" || !("closing" in finding)) throw new Error("not refused");
    return this.conversation.closeFrame(finding.closing).reason;
  }

  /** @returns commands of the frame */
  override send(frame: object | Buffer): AnyMessage[] {
    const before = this.commands.length;
    super.send(frame);
    return this.commands.slice(before);
  }

  /** @returns messages of the event */
  print(event: LiveEvent): AnyMessage[] {
    const before = this.sent.length;
    return this.emit(event).sent.slice(before);
  }
}

const frameOf = (frame: object | Buffer): Frame => ({
  bytes: Buffer.isBuffer(frame) ? frame : Buffer.from(JSON.stringify(frame)),
  isBinary: Buffer.isBuffer(frame),
});

const spoken = (more: Partial<Utterance> = {}) => spokenUtterance("Hello.", 1, 2, more);
const final: LiveEvent = { kind: "final", id: "id", utterance: spoken() };
const partial: LiveEvent = { kind: "partial", id: "id", utterance: spoken() };

describe("parameters of an address", () => {
  test("name fields of POST /v2/live by their path, with values of the field's type", async () => {
    const query = new URLSearchParams({
      key: "key",
      endpointing: "0.30000000000000004",
      maximum_duration_without_endpointing: "2e1",
      diarization: "true",
      "language_config.languages": "en, de",
      "realtime_processing.custom_vocabulary_config.vocabulary": '["Siobhan", {"value": "a, b", "intensity": 0.5}]',
      "realtime_processing.custom_spelling_config.spelling_dictionary": '{"Gorish": ["ghorish"]}',
      "callback_config.url": "https://example.com/hook",
    });
    const world = new World("/telephony/vapi", query.toString());
    expect(await world.open(VAPI)).toEqual({ found: "session" });
    expect(world.body).toMatchObject({
      endpointing: 0.30000000000000004,
      maximum_duration_without_endpointing: 20,
      diarization: "true",
      language_config: { languages: ["en", "de"] },
      realtime_processing: {
        custom_vocabulary_config: { vocabulary: ["Siobhan", { value: "a, b", intensity: 0.5 }] },
        custom_spelling_config: { spelling_dictionary: { Gorish: ["ghorish"] } },
      },
      callback_config: { url: "https://example.com/hook" },
      ...{ encoding: "wav/pcm", bit_depth: 16, sample_rate: 16_000, channels: 2 },
    });
    expect(world.created[0]?.warnings).toEqual([]);
  });

  test.each([
    ["endpointing=1&endpointing=2", /endpointing must be given once/],
    ["custom_metadata.a=1", /custom_metadata must not be set/],
    ["custom_metadata={}", /custom_metadata must not be set/],
    ["messages_config.receive_errors=true", /messages_config must not be set/],
    [Array(250).fill("a=1").join("&"), /more than 200 parameters/],
    ["callback_config=1&callback_config.url=x", /callback_config.url must be given once/],
  ])("%s", async (query, reason) => {
    const world = new World("/telephony/vapi", `key=key&${query}`);
    if (reason) expect(await world.refusal(VAPI)).toMatch(reason);
    else expect(await world.open(VAPI)).toEqual({ found: "session" });
  });

  test("those that are no field are named in a warning, whatever their name", async () => {
    const world = new World("/telephony/vapi", "key=key&__proto__=1&constructor.prototype=2&clever=3");
    await world.open(VAPI);
    expect(world.created[0]?.warnings).toEqual([
      "__proto__ has no effect: it is not a parameter of this address",
      "constructor.prototype has no effect: it is not a parameter of this address",
      "clever has no effect: it is not a parameter of this address",
    ]);
  });
});

test("strict services refuse what has no effect", async () => {
  const world = new World("/telephony/vapi", "key=key&clever=1");
  world.isStrict = true;
  expect(await world.refusal({ ...VAPI, wise: 1 })).toBe(
    "wise has no effect: it is not a field of start; clever has no effect: it is not a parameter of this address",
  );
  expect(world.created).toEqual([]);
});

test("strict services refuse parameters of the address that have no effect with a token, too", async () => {
  const world = new World("/telephony/twilio", "token=t&clever=1");
  world.isStrict = true;
  expect(await world.refusal(TWILIO)).toBe("clever has no effect: it is not a parameter of this address");
  const ofStart = new World("/telephony/vapi", "token=unknown");
  expect(await ofStart.open({ ...VAPI, wise: 1 })).toEqual({ found: "session of a token" });
  expect(ofStart.commands).toMatchObject([{ reason: "wise has no effect: it is not a field of start" }]);
  const metadata = new World("/telephony/twilio", "token=t");
  metadata.isStrict = true;
  const customParameters = { FirstName: "Jane" };
  await metadata.open({ ...TWILIO, start: { ...TWILIO.start, customParameters } });
  expect(metadata.commands).toMatchObject([{ reason: expect.stringMatching(/^FirstName has no effect: with token/) }]);
});

test("options of jambonz's start message have no effect with a token, which warnings state", async () => {
  const world = new World("/telephony/jambonz", "token=unknown");
  await world.open({ ...JAMBONZ, options: { endpointing: 0.3 } });
  expect(world.commands.map(({ reason }) => reason)).toEqual([
    "language_config has no effect: with token, POST /v2/live has the options",
    "endpointing has no effect: with token, POST /v2/live has the options",
  ]);
});

test("start must be one of the first ten messages", async () => {
  const connected = Array(9).fill({ event: "connected" });
  expect(await new World("/telephony/twilio").open(...connected, TWILIO)).toEqual({ found: "session" });
  const late = new World("/telephony/twilio");
  expect(await late.refusal(...connected, { event: "connected" }, TWILIO)).toMatch(/one of the first 10 messages/);
});

test.each<[Closing, number, RegExp]>([
  [CLOSINGS.full, 1013, /^no capacity; try again later$/],
  [{ kind: "restarting", why: "storage" }, 1013, /^audio cannot be stored at present/],
  [{ kind: "restarting" }, 1012, /open a new stream/],
  [CLOSINGS["over-limit"], 1013, /too many live sessions/],
  [{ kind: "idle" }, 1008, /^nothing was received for too long$/],
])("%j has the close code %i", (closing, code, reason) => {
  const { conversation } = new World("/telephony/twilio");
  expect(conversation.closeFrame(closing)).toEqual({ code, reason: expect.stringMatching(reason) });
});

describe("keys", () => {
  test.each([
    ["", { authorization: "Bearer a" }, "a"],
    ["", { authorization: "Token a" }, "a"],
    ["", { authorization: `Basic ${Buffer.from("user:a:b").toString("base64")}` }, "a:b"],
    ["", { authorization: `Basic ${Buffer.from("a:").toString("base64")}` }, "a"],
    ["", { "x-vapi-secret": "a" }, "a"],
    ["", { "x-telnyx-streaming-auth-token": "a" }, "a"],
    ["", { "x-service-key": "a" }, "a"],
    ["key=a", {}, "a"],
    ["key=a", { authorization: "Bearer b" }, "b"],
    ["key=", {}, undefined],
    ["", {}, undefined],
  ])("%s %j", async (query, headers, key) => {
    const world = new World("/telephony/vapi", query, headers as Record<string, string>);
    await world.open(VAPI);
    expect(world.keys).toEqual([key]);
  });

  test("a client secret of another interface opens nothing", async () => {
    expect(await new World("/telephony/vapi", "key=ek_other").refusal(VAPI)).toMatch(/key/);
  });

  test("a custom parameter is a key, an option, or metadata", async () => {
    const customParameters = { key: "mine", endpointing: "0.3", FirstName: "Jane" };
    const world = new World("/telephony/twilio", "");
    await world.open({ ...TWILIO, start: { ...TWILIO.start, customParameters } });
    expect(world.keys).toEqual(["mine"]);
    expect(world.body).toMatchObject({
      endpointing: 0.3,
      custom_metadata: { platform: "twilio", FirstName: "Jane" },
    });
    expect(JSON.stringify(world.body)).not.toContain("mine");
  });

  test("a token needs no key, takes no options, and fits the stream", async () => {
    const world = new World("/telephony/twilio", "token=t&caller=Jane");
    expect(await world.open(TWILIO)).toEqual({ found: "session of a token" });
    expect(world.keys).toEqual([]);
    const reason = "caller has no effect: it is not a parameter of this address";
    expect(world.commands).toMatchObject([{ isKept: true, reason }]);
    expect(world.conversation.departureOf(1006)).toBe("lost");
    expect(await new World("/telephony/twilio", "token=t&endpointing=1").refusal(TWILIO)).toMatch(/endpointing: with/);
    expect(await new World("/telephony/vapi", "token=t").refusal(VAPI)).toMatch(/the session has encoding wav\/ulaw/);
    expect(await new World("/telephony/twilio", "token=unknown").open(TWILIO)).toEqual({ found: "session of a token" });
  });
});

describe("Vapi", () => {
  test("transcripts name the speaker; partials are sent on request", async () => {
    const world = new World("/telephony/vapi", "key=key&partials=true");
    await world.open({ ...VAPI, clever: true });
    expect(world.body.messages_config.receive_partial_transcripts).toBe(true);
    expect(world.created[0]?.warnings).toEqual(["clever has no effect: it is not a field of start"]);
    expect(world.print(final)).toEqual([
      { type: "transcriber-response", transcription: "Hello.", channel: "customer", transcriptType: "final" },
    ]);
    expect(world.print({ ...partial, utterance: spoken({ channel: 1 }) })).toEqual([
      { type: "transcriber-response", transcription: "Hello.", channel: "assistant", transcriptType: "partial" },
    ]);
    expect(world.print({ ...final, utterance: spoken({ text: " " }) })).toEqual([]);
    expect(world.send(AUDIO)).toEqual([{ kind: "audio", bytes: AUDIO, continues: true }]);
    expect(world.send({ type: "ping" })).toEqual([
      { kind: "unreadable", reason: "a message of the type ping has no effect", isChunk: false, isKept: true },
    ]);
    // Each is named once.
    expect(world.send({ type: "ping" })).toEqual([]);
    expect(world.conversation.departureOf(1006)).toBe("finished");
  });

  test.each([
    [{ ...VAPI, encoding: "mulaw" }, /encoding must be linear16; it is "mulaw"/],
    [{ ...VAPI, container: "wav" }, /container must be raw/],
    [{ ...VAPI, sampleRate: 2 ** 53 }, /sampleRate must be one of/],
    [{ ...VAPI, channels: 3 }, /channels must be one of 1, 2/],
    [AUDIO, /audio came before/],
    [{ event: "start" }, /type must be start/],
    [{ ...VAPI, x: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) }, /nested too deep/],
  ])("%j is refused", async (frame, reason) => {
    expect(await new World("/telephony/vapi").refusal(frame)).toMatch(reason);
  });
});

describe("jambonz", () => {
  test("hints are vocabulary, and options are fields of POST /v2/live", async () => {
    const world = new World("/telephony/jambonz");
    const options = { hints: ["Siobhan", { phrase: "Aoife", boost: 5 }], hintsBoost: 10, endpointing: 0.3 };
    await world.open({ ...JAMBONZ, options });
    expect(world.body).toMatchObject({
      ...{ endpointing: 0.3, language_config: { languages: ["en-US"] }, sample_rate: 8_000, channels: 1 },
      realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Siobhan", "Aoife"] } },
    });
    expect(world.body.messages_config.receive_partial_transcripts).toBe(true);
    expect(world.created[0]?.warnings).toEqual(["options.hintsBoost has no effect: hints have the default intensity"]);
  });

  test("hints with boosts are JSON in a text; the id of the call is metadata", async () => {
    const world = new World("/telephony/jambonz");
    const hints = JSON.stringify([{ phrase: "Siobhan", boost: 5 }, { phrase: "Aoife" }]);
    await world.open({ ...JAMBONZ, options: { hints, callSid: "CA1" } });
    expect(world.body).toMatchObject({
      realtime_processing: { custom_vocabulary_config: { vocabulary: ["Siobhan", "Aoife"] } },
      custom_metadata: { platform: "jambonz", callSid: "CA1" },
    });
    expect(world.created[0]?.warnings).toEqual([]);
  });

  test("results, the stop of the client, and errors", async () => {
    const world = new World("/telephony/jambonz");
    await world.open(JAMBONZ);
    const alternatives = [{ transcript: "Hello.", confidence: 0.9 }];
    expect(world.print(final)).toEqual([
      { type: "transcription", is_final: true, alternatives, channel: 1, language: "en-US" },
    ]);
    expect(world.print({ ...partial, utterance: spoken({ language: "de" }) })).toMatchObject([
      { is_final: false, language: "de" },
    ]);
    expect(world.send({ type: "stop" })).toEqual([{ kind: "stop" }]);
    const closing: Closing = { kind: "revoked" };
    expect(world.conversation.farewell(closing)).toEqual(['{"type":"error","error":"the key was revoked"}']);
    expect(world.conversation.farewell({ kind: "complete" })).toEqual([]);
  });

  test.each([
    [{ ...JAMBONZ, encoding: "MULAW" }, /encoding must be LINEAR16/],
    [{ ...JAMBONZ, language: 5 }, /language must be a text/],
    [{ ...JAMBONZ, interimResults: "yes" }, /interimResults must be true or false/],
    [{ ...JAMBONZ, options: [] }, /options must be an object/],
    [{ ...JAMBONZ, options: { hints: [5] } }, /options.hints must be/],
    [{ ...JAMBONZ, options: { sample_rate: 5 } }, /options.sample_rate must not be set/],
  ])("%j is refused", async (frame, reason) => {
    expect(await new World("/telephony/jambonz").refusal(frame)).toMatch(reason);
  });
});

describe("FreeSWITCH", () => {
  test("metadata belongs to the session; it may be any text, or missing", async () => {
    const world = new World("/telephony/freeswitch", "key=key&sample_rate=16000&channels=2");
    await world.open({ callid: "a", to: "100" });
    expect(world.body).toMatchObject({
      ...{ sample_rate: 16_000, channels: 2, encoding: "wav/pcm" },
      custom_metadata: { callid: "a", to: "100", platform: "freeswitch" },
    });
    const bare = new World("/telephony/freeswitch");
    await bare.open(AUDIO);
    expect(bare.body).toMatchObject({ sample_rate: 8_000, channels: 1, custom_metadata: { platform: "freeswitch" } });
    expect(bare.conversation.openingCommands).toEqual([{ kind: "audio", bytes: AUDIO, continues: true }]);
  });

  test("transcripts are data of an event; later texts have no effect", async () => {
    const world = new World("/telephony/freeswitch");
    await world.open({});
    expect(world.print(final)).toMatchObject([
      { type: "transcription", data: { transcript: "Hello.", is_final: true, channel: 0, session_id: SESSION_ID } },
    ]);
    const reason = "text messages after the first one have no effect";
    expect(world.send({ event: "dtmf" })).toMatchObject([{ kind: "unreadable", isKept: true, reason }]);
  });

  test.each([
    ["sample_rate=11025", /sample_rate must be one of 8000/],
    ["channels=9", /channels must be one of 1, 2/],
    ["partials=maybe", /partials must be one of true, false/],
  ])("%s is refused", async (query, reason) => {
    expect(await new World("/telephony/freeswitch", `key=key&${query}`).refusal({})).toMatch(reason);
  });

  test("metadata without bounds is refused", async () => {
    const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
    expect(await new World("/telephony/freeswitch").refusal(deep)).toMatch(/nested too deep/);
    expect(await new World("/telephony/freeswitch").refusal({ text: "x".repeat(20_000) })).toMatch(/at most 16384/);
  });
});
