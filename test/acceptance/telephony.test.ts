// Streams of telephony platforms over the network: message sequences from the documentation of each, replayed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ListenClient } from "../fixtures/listen-client.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { type Call, plivoCall, telnyxCall, twilioCall } from "../fixtures/media-streams.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { silence } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodeAlaw, encodePcm, encodeUlaw, inSequence, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

const OPTIONS = { endpointing: "0.3", "language_config.languages": "en" };
const QUERY = new URLSearchParams(OPTIONS).toString();

let service: RunningService;
let receiver: Receiver;
/** Two sentences with a pause, in 8 kHz. */
let speech: Float32Array;
let ulaw: Buffer;
/** The finals of `ulaw` in the service's own protocol. */
let ownFinals: string[];

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true" } });
  receiver = await Receiver.start();
  speech = atRate(repeated(await decodeSpeech(), 2, 1), 8_000);
  ulaw = encodeUlaw(speech);
  await ready(service);
  ownFinals = await finalsOf({ encoding: "wav/ulaw", sample_rate: 8_000 }, ulaw);
  expect(ownFinals.length).toBeGreaterThan(1);
}, 120_000);
afterAll(async () => {
  await receiver.stop();
  await service.remove();
});

/** In the service's own protocol. */
async function finalsOf(format: object, audio: Buffer): Promise<string[]> {
  const session = await createSession(service, { ...format, endpointing: 0.3, language_config: { languages: ["en"] } });
  const own = await LiveClient.connect(session.url);
  own.send(audio);
  own.stop();
  await own.closed;
  return own.finals().map(({ data }) => data.utterance.text);
}

const connect = (address: string, query = "", headers: Record<string, string> = {}) =>
  ListenClient.connect(service, query, { headers }, address);

/** The newest job whose metadata has a value. */
async function jobOf(name: string, value: string): Promise<AnyJson> {
  const find = async () => {
    const query = new URLSearchParams({ [`custom_metadata[${name}]`]: value, limit: "1" });
    return (await call(service, "GET", `/v2/live?${query}`)).json.items[0];
  };
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe("done");
  return (await call(service, "GET", `/v2/live/${(await find()).id}`)).json;
}

const textsOf = (job: AnyJson, channel = 0): string[] =>
  job.result.transcription.utterances
    .filter((utterance: AnyJson) => utterance.channel === channel)
    .map(({ text }: AnyJson) => text);

async function play(
  address: string,
  messages: object[],
  query = "",
  headers = {},
): Promise<{ code: number; reason: string }> {
  const client = await connect(address, query, headers);
  for (const message of messages) client.send(message);
  const closed = await client.closed;
  expect(client.messages).toEqual([]);
  return closed;
}

describe("media streams", () => {
  test.each([
    ["twilio", twilioCall, undefined],
    ["telnyx", telnyxCall, undefined],
    ["telnyx", telnyxCall, "PCMA"],
    ["telnyx", telnyxCall, "L16"],
    ["plivo", plivoCall, undefined],
    ["plivo", plivoCall, "audio/x-l16"],
  ] as const)(
    "%s: a call has the finals of the service's own protocol",
    async (name, messagesOf, encoding) => {
      const id = `${name}-${encoding ?? "default"}`;
      const pcm = encodePcm([speech]);
      const [audio, expected] =
        encoding === undefined
          ? [ulaw, ownFinals]
          : encoding === "PCMA"
            ? [encodeAlaw(speech), await finalsOf({ encoding: "wav/alaw", sample_rate: 8_000 }, encodeAlaw(speech))]
            : [encoding === "L16" ? Buffer.from(pcm).swap16() : pcm, await finalsOf({ sample_rate: 8_000 }, pcm)];
      const format = encoding === undefined ? {} : { encoding, ...(encoding === "PCMA" ? {} : { sampleBytes: 2 }) };
      const given: Call = { tracks: { inbound: audio }, ...format, parameters: { customer: id } };
      expect(await play(`/telephony/${name}`, messagesOf(given), `${QUERY}&key=${TEST_KEY}`)).toEqual({
        ...{ code: 1000, reason: "" },
      });
      const job = await jobOf("customer", id);
      expect(textsOf(job)).toEqual(expected);
      expect(job.custom_metadata).toMatchObject({ platform: name, customer: id });
      expect(job.result.metadata.warnings).toContain("dtmf has no effect: digits are no part of a transcript");
      expect(JSON.stringify(job)).not.toContain(TEST_KEY);
    },
    60_000,
  );

  test("Twilio's addresses have no query: key, options and callback are custom parameters; tracks are channels", async () => {
    const other = encodeUlaw(inSequence(silence(8, 8_000), speech));
    const inbound = encodeUlaw(inSequence(speech, silence(8, 8_000)));
    const parameters = {
      ...{ ...OPTIONS, key: TEST_KEY, callback: "true", "callback_config.url": receiver.url, customer: "two tracks" },
      "callback_config.receive_final_transcripts": "true",
    };
    const messages = twilioCall({ tracks: { inbound, outbound: other }, parameters });
    expect(await play("/telephony/twilio", messages)).toMatchObject({ code: 1000 });
    const job = await jobOf("customer", "two tracks");
    const words = (texts: string[]) => texts.join(" ").toLowerCase().match(/hello/g)?.length;
    expect(words(textsOf(job, 0))).toBe(2);
    expect(words(textsOf(job, 1))).toBe(2);
    expect(job.custom_metadata).toMatchObject({ callSid: expect.stringMatching(/^CA/), customer: "two tracks" });
    expect(job.custom_metadata).not.toHaveProperty("key");
    await receiver.until(() => receiver.of(job.id).some(({ body }) => body.event === "live.end_session"));
    const finals = receiver.of(job.id).filter(({ body }) => body.event === "live.transcript");
    expect(finals.map(({ body }) => body.payload.data.utterance.text).sort()).toEqual(
      [...textsOf(job, 0), ...textsOf(job, 1)].sort(),
    );
    expect(service.log()).not.toContain(TEST_KEY);
  }, 60_000);

  test("frames out of order and lost frames: the order of chunks, and silence in their place", async () => {
    const messages = twilioCall({
      tracks: { inbound: ulaw },
      parameters: { ...OPTIONS, customer: "disorder", key: TEST_KEY },
    });
    const swapped = [...messages];
    for (let at = 2; at + 9 < swapped.length; at += 10) {
      [swapped[at], swapped[at + 3]] = [swapped[at + 3] as object, swapped[at] as object];
    }
    // Within the pause.
    const kept = swapped.filter((message: AnyJson) => {
      const time = Number(message.media?.timestamp);
      return !(time > 2_900 && time < 3_100);
    });
    expect(kept.length).toBeLessThan(swapped.length);
    await play("/telephony/twilio", kept);
    const job = await jobOf("customer", "disorder");
    expect(textsOf(job).join(" ").match(/hello/gi)).toHaveLength(2);
    expect(job.result.metadata.audio_duration).toBeCloseTo(ulaw.length / 8_000, 1);
  }, 60_000);

  test("a token of POST /v2/live gives the session and its options, without a key at the platform", async () => {
    const body = { encoding: "wav/ulaw", sample_rate: 8_000, endpointing: 0.3, language_config: { languages: ["en"] } };
    const session = await createSession(service, body);
    const token = new URL(session.url).searchParams.get("token") ?? "";
    const messages = twilioCall({ tracks: { inbound: ulaw }, parameters: { token, caller: "Jane" } });
    expect(await play("/telephony/twilio", messages)).toMatchObject({ code: 1000 });
    const job = async () => (await call(service, "GET", `/v2/live/${session.id}`)).json;
    await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe("done");
    expect(textsOf(await job())).toEqual(ownFinals);
    expect((await job()).result.metadata.warnings).toContain(
      "caller has no effect: with token, POST /v2/live has the metadata",
    );
    // The session of another format.
    const wrong = await createSession(service, { sample_rate: 16_000 });
    const other = { token: new URL(wrong.url).searchParams.get("token") ?? "" };
    const refused = await play("/telephony/twilio", twilioCall({ tracks: { inbound: ulaw }, parameters: other }));
    expect(refused).toEqual({ code: 1008, reason: expect.stringContaining("the session has encoding wav/pcm") });
  }, 60_000);

  test("a connection that breaks ends its session with the audio so far", async () => {
    const client = await connect("/telephony/telnyx", `${QUERY}&key=${TEST_KEY}`);
    const messages = telnyxCall({ tracks: { inbound: ulaw }, parameters: { customer: "broken" } });
    for (const message of messages.slice(0, -2)) client.send(message);
    client.socket.close();
    expect(textsOf(await jobOf("customer", "broken"))).toEqual(ownFinals);
  }, 60_000);

  const start = (more: object = {}) => ({
    event: "start",
    start: { tracks: ["inbound"], mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8_000 }, ...more },
  });
  const REFUSED: [string, string, (object | Buffer)[], RegExp][] = [
    ["no key", "", [start()], /key/i],
    ["a wrong key in the start message", "", [start({ customParameters: { key: "wrong" } })], /key/],
    ["media before start", `key=${TEST_KEY}`, [{ event: "media" }], /media came before start/],
    ["frames of another wire", `key=${TEST_KEY}`, [Buffer.alloc(320)], /binary messages/],
    ["a message of another wire", `key=${TEST_KEY}`, [{ type: "start", sampleRate: 8_000 }], /no event/],
    ["a message without an end", `key=${TEST_KEY}`, [{ event: "x".repeat(70_000) }], /65536/],
    [
      "a flood of messages",
      `key=${TEST_KEY}`,
      Array(10).fill({ event: "connected" }),
      /start must be one of the first 10 messages/,
    ],
    [
      "another codec",
      `key=${TEST_KEY}`,
      [start({ mediaFormat: { encoding: "OPUS" } })],
      /encoding must be audio\/x-mulaw.*OPUS/,
    ],
    [
      "an option out of bounds",
      `key=${TEST_KEY}&endpointing=100`,
      [start()],
      /endpointing must not be greater than 10/,
    ],
    [
      "an option of the stream",
      `key=${TEST_KEY}&channels=2`,
      [start()],
      /channels must not be set: the stream decides/,
    ],
    ["a callback without an address", `key=${TEST_KEY}&callback=true`, [start()], /callback_config.url is required/],
    ["a track of none", `key=${TEST_KEY}`, [start({ tracks: ["sideways"] })], /start.tracks must name/],
  ];
  test.each(REFUSED)("%s is refused with the reason in the close frame", async (_, query, messages, reason) => {
    const client = await connect("/telephony/twilio", query);
    for (const message of messages) client.send(message);
    const closed = await client.closed;
    expect(closed).toEqual({ code: 1008, reason: expect.stringMatching(reason) });
  });

  test.each([
    ["key=wrong", {}],
    ["token=wrong", {}],
    ["", { authorization: "Bearer wrong" }],
  ])("a wrong key or token of the request is refused before the upgrade: %s %j", async (query, headers) => {
    await expect(connect("/telephony/twilio", query, headers)).rejects.toThrow(/401/);
    await expect(connect("/telephony/vapi")).rejects.toThrow(/401/);
  });

  test("media that cannot be read is left out with a warning; much of it ends the session", async () => {
    const parameters = { ...OPTIONS, key: TEST_KEY, customer: "unreadable" };
    const messages = twilioCall({ tracks: { inbound: ulaw }, parameters });
    const bad = [
      { event: "media", media: { payload: "%%%" } },
      { event: "media", media: { payload: 5 } },
      { event: "media", sequenceNumber: 2 ** 53, media: { payload: "AAAA" } },
      { event: "media", media: { chunk: -1, payload: "AAAA" } },
      { event: "media", media: { track: "outbound", payload: "AAAA" } },
      { event: "clear" },
    ];
    await play("/telephony/twilio", [...messages.slice(0, 4), ...bad, ...messages.slice(4)]);
    const job = await jobOf("customer", "unreadable");
    expect(textsOf(job)).toEqual(ownFinals);
    expect(job.result.metadata.warnings).toEqual(
      expect.arrayContaining([
        "a message was left out: media.payload must be base64 text",
        expect.stringMatching(/sequenceNumber must be a whole number.*9007199254740992/),
        expect.stringMatching(/chunk must be a whole number/),
        expect.stringMatching(/media of the track outbound has no effect/),
        expect.stringMatching(/^clear has no effect/),
      ]),
    );
    const flood = Array(100).fill({ event: "media", media: {} });
    const closed = await play("/telephony/twilio", [...messages.slice(0, 2), ...flood]);
    expect(closed).toEqual({ code: 1003, reason: expect.stringContaining("100 messages could not be read") });
  }, 60_000);
});

describe("voice platforms", () => {
  /** 8 kHz, mono. */
  const pcm = () => encodePcm([speech]);

  test("Vapi: each channel has its transcripts, of the customer and of the assistant", async () => {
    const stereo = encodePcm([inSequence(speech, silence(8, 8_000)), inSequence(silence(8, 8_000), speech)]);
    const client = await connect("/telephony/vapi", `${QUERY}&partials=true`, { "x-vapi-secret": TEST_KEY });
    client.send({ type: "start", encoding: "linear16", container: "raw", sampleRate: 8_000, channels: 2 });
    await client.speak(stereo, 1_280, ({ transcriptType }) => transcriptType === "partial");
    const isOf = (speaker: string) => (message: AnyJson) =>
      message.channel === speaker && message.transcriptType === "final" && /hello/i.test(message.transcription);
    await client.received(isOf("customer"));
    // The silence after the last words is still to come.
    client.stream(Buffer.alloc(32_000), 640);
    await client.received(isOf("assistant"));
    expect(client.of("transcriber-response").some(({ transcriptType }) => transcriptType === "partial")).toBe(true);
    client.socket.close();
    const job = await jobOf("platform", "vapi");
    for (const [channel, speaker] of ["customer", "assistant"].entries()) {
      const finals = client.messages.filter((one) => one.channel === speaker && one.transcriptType === "final");
      const texts = textsOf(job, channel).map((text) => text.trim());
      // What was transcribed when the connection ended is in the result alone.
      expect(texts.slice(0, finals.length)).toEqual(finals.map(({ transcription }) => transcription));
    }
  }, 60_000);

  test("jambonz: results until stop, then the service closes the connection", async () => {
    const client = await connect("/telephony/jambonz", "", { authorization: `Bearer ${TEST_KEY}` });
    const options = { hints: ["Siobhan"], endpointing: 0.3 };
    client.send({
      ...{ type: "start", language: "en-US", format: "raw", encoding: "LINEAR16", interimResults: true },
      ...{ sampleRateHz: 8_000, options },
    });
    await client.speak(pcm(), 640, ({ type, is_final }) => type === "transcription" && !is_final);
    client.send({ type: "stop" });
    expect(await client.closed).toEqual({ code: 1000, reason: "" });
    const finals = client.of("transcription").filter(({ is_final }) => is_final);
    const expected = await finalsOf({ sample_rate: 8_000 }, pcm());
    expect(finals.map(({ alternatives }) => alternatives[0].transcript)).toEqual(expected.map((text) => text.trim()));
    expect(finals[0]).toMatchObject({ channel: 1, language: "en-US" });
    expect(client.of("transcription").some(({ is_final }) => !is_final)).toBe(true);
    expect(textsOf(await jobOf("platform", "jambonz"))).toEqual(expected);
    const refused = await connect("/telephony/jambonz", "", { authorization: `Bearer ${TEST_KEY}` });
    refused.send({ type: "start", language: "klingon" });
    expect(await refused.closed).toMatchObject({ code: 1008 });
    expect(refused.messages).toEqual([{ type: "error", error: expect.stringMatching(/language/) }]);
  }, 60_000);

  test("jambonz's own request to Gladia's interface: no content type, and the encoding PCM", async () => {
    // As its feature server sends it: fetch states text/plain for a text.
    const answer = await fetch(`${service.base}/v2/live?region=us-west`, {
      method: "POST",
      headers: { "x-gladia-key": TEST_KEY },
      body: JSON.stringify({
        ...{ encoding: "PCM", bit_deplth: 16, sample_rate: 8000, channels: 1, model: "solaria-1" },
        messages_config: { receive_final_transcripts: true, receive_speech_events: true, receive_errors: true },
      }),
    });
    const { id, url, warnings } = (await answer.json()) as { id: string; url: string; warnings: string[] };
    expect(answer.status).toBe(201);
    expect(warnings).toEqual([expect.stringMatching(/^bit_deplth is not a field/)]);
    const client = await LiveClient.connect(url);
    client.send(pcm());
    client.stop();
    await client.closed;
    expect(client.text()).toMatch(/hello/i);
    const { request_params } = (await call(service, "GET", `/v2/live/${id}`)).json;
    expect(request_params).toMatchObject({ encoding: "wav/pcm", bit_depth: 16, sample_rate: 8_000 });
  }, 60_000);

  test("FreeSWITCH: metadata, L16 and transcripts as events; the subprotocol is repeated", async () => {
    const protocols = ["audio.drachtio.org"];
    const options = { protocols, headers: { authorization: `Basic ${btoa(`parlance:${TEST_KEY}`)}` } };
    const query = `${QUERY}&sample_rate=8000&channels=1`;
    const client = await ListenClient.connect(service, query, options, "/telephony/freeswitch");
    expect(client.socket.protocol).toBe("audio.drachtio.org");
    client.send({ callid: "freeswitch call", to: "100" });
    client.stream(pcm(), 320);
    client.send({ type: "dtmf", digit: "1" });
    client.stream(Buffer.alloc(16_000), 320);
    const expected = await finalsOf({ sample_rate: 8_000 }, pcm());
    await client.received(() => client.of("transcription").length >= expected.length);
    client.socket.close();
    const texts = client.of("transcription").map(({ data }) => data.transcript);
    expect(texts).toEqual(expected.map((text) => text.trim()));
    const job = await jobOf("callid", "freeswitch call");
    expect(textsOf(job)).toEqual(expected);
    expect(job.result.metadata.warnings).toEqual(["text messages after the first one have no effect"]);
    const refused = await connect("/telephony/freeswitch", `sample_rate=5&key=${TEST_KEY}`);
    refused.send({});
    expect(await refused.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/sample_rate must be/) });
    expect(refused.of("error")[0].data.message).toMatch(/sample_rate must be/);
  }, 60_000);
});

describe("signatures of Twilio", () => {
  const TOKEN = "12345678901234567890123456789012";
  const PUBLIC = "https://calls.example.com";
  /** Signature of wss://calls.example.com/telephony/twilio, computed with `openssl dgst -sha1 -hmac TOKEN -binary | base64`. */
  const signed = { "x-twilio-signature": "/06SaPGwjyJLAywvYHyr49Qaw3c=" };
  let checking: RunningService;
  beforeAll(async () => {
    const environment = { PARLANCE_PUBLIC_URL: PUBLIC, PARLANCE_TWILIO_AUTH_TOKENS: TOKEN };
    checking = await startService({ environment });
    await ready(checking);
  });
  afterAll(() => checking.remove());

  const parameters = (key: string) => ({ ...OPTIONS, key });
  const played = async (key: string) => {
    const client = await ListenClient.connect(checking, "", { headers: signed }, "/telephony/twilio");
    for (const message of twilioCall({ tracks: { inbound: ulaw }, parameters: parameters(key) })) client.send(message);
    return (await client.closed).code;
  };

  test("a signed stream is accepted, and its key is checked all the same", async () => {
    expect(await played(TEST_KEY)).toBe(1000);
    expect(await played("a wrong key")).toBe(1008);
  });

  test("without a signature, or with another one, the upgrade is refused with the reason, also with a key", async () => {
    const refused = (headers: Record<string, string>, address = "/telephony/twilio") =>
      ListenClient.refused(checking, "", { headers: { ...headers, authorization: `Bearer ${TEST_KEY}` } }, address);
    expect(await refused({})).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("X-Twilio-Signature is missing") },
    });
    expect(await refused({ "x-twilio-signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("wss://calls.example.com/telephony/twilio") },
    });
  });

  test("other platforms send none", async () => {
    const client = await ListenClient.connect(checking, `key=${TEST_KEY}`, {}, "/telephony/plivo");
    client.socket.close(1000);
    await client.closed;
  });
});
