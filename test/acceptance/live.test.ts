// Live sessions over the real WebSocket with real speech.
import { GladiaClient } from "@gladiaio/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { writeWavHeader } from "../../src/speech/audio/wav.ts";
import { LIVEKIT } from "../fixtures/known-clients.ts";
import { leakingPair } from "../fixtures/leaks.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasShared, SHARED } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodeAlaw, encodePcm, encodeUlaw, repeated } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
let speech: Float32Array;
let pcm: Buffer;

beforeAll(async () => {
  service = await startService({
    environment: {
      PARLANCE_LIVE_IDLE_SECONDS: "30",
      PARLANCE_LIVE_GRACE_SECONDS: "4",
      PARLANCE_MAX_LIVE_SESSIONS: "50",
    },
  });
  speech = repeated(await decodeSpeech(), 1, 1);
  pcm = encodePcm([speech]);
});
afterAll(() => service.remove());

const job = async (id: string) => (await call(service, "GET", `/v2/live/${id}`)).json;

/** Sends everything in pieces as fast as it goes, stops, and waits for the end. */
async function whole(
  bytes: Buffer,
  body: object = {},
  pieceBytes = 3_200,
): Promise<{ client: LiveClient; id: string }> {
  const session = await createSession(service, { endpointing: 0.3, ...body });
  const client = await LiveClient.connect(session.url);
  for (let at = 0; at < bytes.length; at += pieceBytes) client.send(bytes.subarray(at, at + pieceBytes));
  client.stop();
  const { code } = await client.closed;
  expect(code).toBe(1000);
  return { client, id: session.id };
}

describe("creation", () => {
  test("an empty body gives a session with every default", async () => {
    const session = await createSession(service);
    expect(Object.keys(session)).toEqual(["id", "created_at", "url"]);
    const { request_params, status } = await job(session.id);
    expect(status).toBe("queued");
    expect(request_params).toMatchObject({
      encoding: "wav/pcm",
      bit_depth: 16,
      sample_rate: 16000,
      channels: 1,
      endpointing: 0.05,
      maximum_duration_without_endpointing: 5,
      language_config: { languages: [], code_switching: false },
      pre_processing: { audio_enhancer: false, speech_threshold: 0.6 },
      messages_config: { receive_partial_transcripts: false, receive_lifecycle_events: false, receive_errors: true },
    });
  });

  test("every invalid field is named", async () => {
    const { status, json } = await call(service, "POST", "/v2/live", {
      body: {
        endpointing: 0,
        channels: 9,
        bit_depth: 12,
        sample_rate: 22050,
        maximum_duration_without_endpointing: 4,
        language_config: { languages: ["xx"] },
        realtime_processing: { translation: true, translation_config: {} },
      },
    });
    expect(status).toBe(400);
    const paths = json.validation_errors.map((sentence: string) => sentence.split(" ")[0]);
    expect(paths.sort()).toEqual(
      [
        "bit_depth",
        "channels",
        "endpointing",
        "language_config.languages",
        "maximum_duration_without_endpointing",
        "realtime_processing.translation_config.target_languages",
        "sample_rate",
      ].sort(),
    );
  });

  test("a region in the query counts, and so does no body at all", async () => {
    const answer = await call(service, "POST", "/v2/live?region=eu-west", { body: LIVEKIT });
    expect(answer.status).toBe(201);
    expect((await job(answer.json.id)).request_params).toMatchObject({ region: "eu-west", model: "solaria-1" });
    expect((await call(service, "POST", "/v2/live?region=mars", { body: {} })).status).toBe(400);
    expect((await call(service, "POST", "/v2/live")).status).toBe(201);
  });
});

describe("a session in full", () => {
  test("messages arrive in order, with their shapes", async () => {
    const { client, id } = await whole(pcm, {
      messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
    });
    const types = client.types().filter((type) => type !== "audio_chunk");
    expect(types[0]).toBe("start_recording");
    expect(types.slice(-4)).toEqual(["end_recording", "post_transcript", "post_final_transcript", "end_session"]);
    expect(types.indexOf("speech_start")).toBeLessThan(types.indexOf("transcript"));
    const [final] = client.finals();
    expect(final).toMatchObject({ session_id: id, data: { id: "00_00000000", is_final: true } });
    const { utterance } = final.data;
    expect(utterance.text).toMatch(/^ Hello from/);
    expect(utterance.words.map(({ word }: { word: string }) => word).join("")).toBe(utterance.text);
    for (const message of client.of("transcript")) expect(message.data.id).toBe("00_00000000");
    const done = await job(id);
    expect(done).toMatchObject({ status: "done", kind: "live", result: { transcription: { languages: ["en"] } } });
    expect(done.result.metadata.audio_duration).toBeCloseTo(speech.length / 16_000, 2);
    expect(done.result.messages.map((text: string) => JSON.parse(text).type)).toContain("transcript");
    const [posted] = client.of("post_final_transcript");
    expect(posted.data.transcription).toEqual(done.result.transcription);
  });

  test.skipIf(!hasShared)(
    "the result continues a sentence over pauses; the finals stay as they were sent",
    async () => {
      const { client, id } = await whole(encodePcm([await decodeSpeech(`${SHARED}/speech-1961-en.flac`)]), {
        endpointing: 0.05,
      });
      const sent = client.finals().map(({ data }) => data.utterance.text);
      const { transcription, messages } = (await job(id)).result;
      expect(sent.length).toBeGreaterThan(2);
      expect(transcription.full_transcript).toMatch(/ Ask not what your country can do for you\b/);
      const stored = messages
        .map((text: string) => JSON.parse(text))
        .filter(({ type }: { type: string }) => type === "transcript");
      expect(stored.map(({ data }: typeof stored) => data.utterance.text)).toEqual(sent);
      for (const { text, words } of transcription.utterances)
        expect(words.map(({ word }: { word: string }) => word).join("")).toBe(text);
      expect(client.of("post_transcript")[0].data).toEqual(transcription);
      expect(client.of("post_final_transcript")[0].data.transcription).toEqual(transcription);
    },
  );

  test("acknowledgments count bytes over the session, one for each chunk; an empty one counts none", async () => {
    const session = await createSession(service);
    const client = await LiveClient.connect(session.url);
    client.send(pcm.subarray(0, 3_200));
    client.sendChunk(pcm.subarray(3_200, 6_400));
    client.sendChunk(Buffer.alloc(0));
    await client.message((message) => message.type === "audio_chunk" && message.data.byte_range[0] === 6_400);
    expect(client.of("audio_chunk").map(({ data }) => [data.byte_range, data.time_range])).toEqual([
      [
        [0, 3_200],
        [0, 0.1],
      ],
      [
        [3_200, 6_400],
        [0.1, 0.2],
      ],
      [
        [6_400, 6_400],
        [0.2, 0.2],
      ],
    ]);
    client.stop();
    await client.closed;
  });

  test("flags select the messages", async () => {
    const none = Object.fromEntries(
      ["final_transcripts", "speech_events", "post_processing_events", "acknowledgments", "errors"].map((name) => [
        `receive_${name}`,
        false,
      ]),
    );
    const { client } = await whole(pcm, { messages_config: none });
    expect(client.messages).toEqual([]);
    const only = await whole(pcm, { messages_config: { receive_acknowledgments: true } });
    expect(only.client.finals().length).toBeGreaterThan(0);
    expect(only.client.types()).not.toContain("start_recording");
    expect(only.client.of("transcript").every(({ data }) => data.is_final)).toBe(true);
  });

  test("garbage does not end a session", async () => {
    const session = await createSession(service);
    const client = await LiveClient.connect(session.url);
    client.socket.send("no json");
    client.socket.send(JSON.stringify({ type: "sing" }));
    client.socket.send(JSON.stringify({ type: "audio_chunk", data: { chunk: "***" } }));
    client.socket.send(JSON.stringify({ type: "audio_chunk" }));
    client.socket.send("null");
    client.send(pcm.subarray(0, 3_201));
    await client.message((message) => message.type === "audio_chunk" && message.acknowledged);
    expect(client.of("error").length).toBe(5);
    expect(client.of("audio_chunk").map(({ acknowledged }) => acknowledged)).toEqual([false, false, true]);
    client.stop();
    client.send(pcm.subarray(0, 100));
    client.stop();
    const late = await client.message(
      (message) => message.type === "audio_chunk" && /stopped/.test(message.error?.message),
    );
    expect(late).toMatchObject({ acknowledged: false, data: null });
    expect((await client.closed).code).toBe(1000);
    expect(client.of("stop_recording").map(({ acknowledged }) => acknowledged)).toEqual([true, false]);
  });

  test("a normal close means stop; the work continues without the client", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const client = await LiveClient.connect(session.url);
    client.send(pcm);
    await client.message((message) => message.type === "audio_chunk");
    client.socket.close(1000);
    await expect.poll(async () => (await job(session.id)).status, { interval: 100 }).toBe("done");
    expect((await job(session.id)).result.transcription.full_transcript).toMatch(/^Hello from/);
  });

  test("audio sent right before a normal close is transcribed", async () => {
    const { id, url } = await createSession(service);
    const client = await LiveClient.connect(url);
    for (let at = 0; at < pcm.length; at += 640) client.send(pcm.subarray(at, at + 640));
    client.socket.close(1000);
    await expect.poll(async () => (await job(id)).status, { timeout: 20_000 }).toBe("done");
    expect((await job(id)).file.audio_duration).toBeCloseTo(pcm.length / 32_000, 3);
  });

  test("fields and parameters that are not known are named: in the answer, in messages and in the result", async () => {
    const created = await createSession(service, { sample_rates: 8000 });
    const { warnings } = created as typeof created & { warnings: string[] };
    expect(warnings).toEqual([expect.stringMatching(/^sample_rates .*did you mean sample_rate\?$/)]);
    const client = await LiveClient.connect(`${created.url}&sample_rate=8000`);
    const chunk = {
      type: "audio_chunk",
      flush: true,
      data: { chunk: pcm.subarray(0, 640).toString("base64"), rate: 8000 },
    };
    for (let times = 0; times < 3; times++) client.socket.send(JSON.stringify(chunk));
    client.stop();
    expect((await client.closed).code).toBe(1000);
    expect(client.of("error").map(({ message }) => message)).toEqual([
      expect.stringMatching(/^parameters of the WebSocket address are ignored: sample_rate;/),
      "unknown fields are ignored: flush, data.rate",
    ]);
    expect(client.of("audio_chunk").map(({ acknowledged }) => acknowledged)).toEqual([true, true, true]);
    expect((await job(created.id)).result.metadata.warnings).toEqual(warnings);
  });

  test("silence gives no words and still ends well", async () => {
    const { client, id } = await whole(Buffer.alloc(64_000));
    expect(client.finals()).toEqual([]);
    expect((await job(id)).result.transcription).toEqual({ full_transcript: "", languages: [], utterances: [] });
    const empty = await whole(Buffer.alloc(0));
    expect((await job(empty.id)).status).toBe("done");
  });
});

describe("finalize", () => {
  test("ends the utterance with the audio so far, without silence; the words are those of the whole", async () => {
    // The abbreviation at the end may be written with hyphens or without: the last letters have other probabilities without the silence.
    const letters = (text: string) => normalizedWords(text).join("");
    const expected = letters((await whole(pcm, { endpointing: 10 })).client.text());
    const session = await createSession(service, { endpointing: 10, maximum_duration_without_endpointing: 60 });
    const client = await LiveClient.connect(session.url);
    // Until behind the last word, without the silence after it.
    const end = pcm.length - 2 * 16_000;
    client.send(pcm.subarray(0, end));
    client.finalize();
    const answer = await client.message(({ type }) => type === "finalize");
    expect(answer).toMatchObject({ acknowledged: true, error: null });
    expect(answer.data.time).toBeCloseTo(end / 32_000, 2);
    // Its finals precede the answer.
    expect(client.types().indexOf("finalize")).toBeGreaterThan(client.types().lastIndexOf("transcript"));
    expect(letters(client.text())).toBe(expected);
    client.finalize();
    await expect.poll(() => client.of("finalize").length).toBe(2);
    client.send(pcm);
    client.stop();
    await client.closed;
    expect(letters(client.text())).toBe(expected + expected);
  });

  test("within a word, makes no other word of its rest", async () => {
    const letters = (text: string) => normalizedWords(text).join("").replace("aisdkk", "aisdk");
    // The last letter of "AI SDK" is spoken from about 1.95 to 2.2 s.
    for (const seconds of [2.04, 2.08, 2.12, 2.16]) {
      const session = await createSession(service, { endpointing: 0.3 });
      const client = await LiveClient.connect(session.url);
      client.send(pcm.subarray(0, 32_000 * seconds));
      client.finalize();
      await client.message(({ type }) => type === "finalize");
      client.send(pcm.subarray(32_000 * seconds));
      client.stop();
      await client.closed;
      expect(letters(client.text())).toMatch(/^hellofromthe\w+aisdk$/);
    }
  });

  test("before audio, has an answer", async () => {
    const session = await createSession(service);
    const client = await LiveClient.connect(session.url);
    client.finalize();
    expect(await client.message(({ type }) => type === "finalize")).toMatchObject({ data: { time: 0 } });
    client.stop();
    await client.closed;
  });
});

describe("the audio", () => {
  test("any split of the bytes gives the same finals", async () => {
    const expected = (await whole(pcm)).client.text();
    for (const pieceBytes of [101, 1_000, 31_999, pcm.length]) {
      const { client } = await whole(pcm, {}, pieceBytes);
      expect(client.text()).toBe(expected);
    }
  });

  test.each([
    ["8 bits", () => encodePcm([speech], 8), { bit_depth: 8 }],
    ["24 bits", () => encodePcm([speech], 24), { bit_depth: 24 }],
    ["32 bits", () => encodePcm([speech], 32), { bit_depth: 32 }],
    ["mu-law", () => encodeUlaw(speech), { encoding: "wav/ulaw" }],
    ["A-law", () => encodeAlaw(speech), { encoding: "wav/alaw" }],
    ["8 kHz", () => encodePcm([atRate(speech, 8_000)]), { sample_rate: 8_000 }],
    ["32 kHz", () => encodePcm([atRate(speech, 32_000)]), { sample_rate: 32_000 }],
    ["44.1 kHz", () => encodePcm([atRate(speech, 44_100)]), { sample_rate: 44_100 }],
    ["48 kHz", () => encodePcm([atRate(speech, 48_000)]), { sample_rate: 48_000 }],
  ])("%s is the same speech", async (_what, bytes, body) => {
    const { client, id } = await whole(bytes(), body, 4_001);
    expect(normalizedWords(client.text()).slice(0, 3)).toEqual(["hello", "from", "the"]);
    expect((await job(id)).result.metadata.audio_duration).toBeCloseTo(speech.length / 16_000, 1);
  });

  test("a WAV header is skipped and counted, also in pieces", async () => {
    const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
    const headed = Buffer.concat([writeWavHeader(format, pcm.length), pcm]);
    const expected = (await whole(pcm)).client.text();
    for (const pieceBytes of [20, 5_000]) {
      const { client } = await whole(headed, {}, pieceBytes);
      expect(client.text()).toBe(expected);
      expect(client.acknowledged).toBe(headed.length);
    }
  });

  test("a header that contradicts the session takes precedence, and an error reports it", async () => {
    const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
    const headed = Buffer.concat([writeWavHeader(format, pcm.length), pcm]);
    const { client } = await whole(headed, { sample_rate: 48_000 });
    expect(client.text()).toMatch(/^ Hello from/);
    expect(client.of("error")[0].message).toMatch(/sample_rate \(16000, not 48000\)/);
  });

  test("channels are recognised separately", async () => {
    const later = new Float32Array(speech.length * 2);
    later.set(speech, speech.length);
    const { client, id } = await whole(encodePcm([later, speech]), { channels: 2 });
    expect(new Set(client.finals().map(({ data }) => data.id))).toEqual(new Set(["00_00000000", "01_00000000"]));
    for (const { data } of client.finals()) expect(data.utterance.channel).toBe(Number(data.id.slice(0, 2)));
    const { metadata } = (await job(id)).result;
    expect(metadata.number_of_distinct_channels).toBe(2);
    expect(metadata.billing_time).toBeCloseTo(2 * metadata.audio_duration, 2);
  });

  test.each([
    [-12, 60],
    [-40, 200],
  ])("a voice that leaks into the other channel at %i dB, %i ms late, starts no speech there", async (gain, delay) => {
    const { channels, nearSeconds } = await leakingPair(gain, delay);
    const { client } = await whole(encodePcm(channels), { channels: 2 });
    const starts = (channel: number) => client.of("speech_start").filter(({ data }) => data.channel === channel);
    expect(starts(0).length).toBeGreaterThan(0);
    expect(starts(0).filter(({ data }) => data.time < nearSeconds - 0.3)).toEqual([]);
    expect(starts(1).length).toBeGreaterThanOrEqual(3);
    const finals = client.finals().filter(({ data }) => data.utterance.channel === 0);
    expect(normalizedWords(finals.map(({ data }) => data.utterance.text).join(" ")).join(" ")).toMatch(
      /^hello from the/,
    );
  });

  test("two channels with one source are transcribed once", async () => {
    const single = await whole(pcm);
    const { client, id } = await whole(encodePcm([speech, speech.map((value) => -0.9 * value)]), { channels: 2 });
    const words = (finals: typeof client) => finals.finals().map(({ data }) => data.utterance.words);
    expect(words(client)).toEqual(words(single.client));
    expect((await job(id)).result.metadata.number_of_distinct_channels).toBe(1);
  });

  test("channels are separated when they start to differ", async () => {
    const twice = new Float32Array(speech.length * 2);
    twice.set(speech);
    const other = twice.slice();
    other.set(speech, speech.length);
    const { client, id } = await whole(encodePcm([twice, other]), { channels: 2 });
    const found = client.finals().map(({ data: { utterance } }) => utterance);
    const second = speech.length / 16_000;
    expect(found.filter(({ start }) => start < second - 0.1).map(({ channel }) => channel)).not.toContain(1);
    const later = found.filter(({ start }) => start >= second - 0.1);
    expect(later.map(({ channel }) => channel)).toEqual(later.map(() => 1));
    expect(normalizedWords(later.map(({ text }) => text).join(" ")).slice(0, 3)).toEqual(["hello", "from", "the"]);
    expect((await job(id)).result.metadata.number_of_distinct_channels).toBe(2);
  });

  test("the recording is available as a WAV of the streamed audio", async () => {
    const { id } = await whole(pcm);
    for (const name of ["file", "audio"]) {
      const response = await fetch(`${service.base}/v2/live/${id}/${name}`, { headers: { "x-service-key": TEST_KEY } });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
      expect(bytes.subarray(44).equals(pcm)).toBe(true);
    }
  });

  test("a large backlog in one base64 frame is taken", async () => {
    const session = await createSession(service, { messages_config: { receive_speech_events: false } });
    const client = await LiveClient.connect(session.url);
    client.sendChunk(Buffer.alloc(10 * 1024 * 1024));
    const ack = await client.message((message) => message.type === "audio_chunk");
    expect(ack.data.byte_range).toEqual([0, 10 * 1024 * 1024]);
    client.stop();
    expect((await client.closed).code).toBe(1000);
  });
});

describe("connections", () => {
  test("a guessed token, none, and an ended session have different close codes", async () => {
    const address = service.base.replace("http", "ws");
    expect((await (await LiveClient.connect(`${address}/v2/live?token=guess`)).closed).code).toBe(4401);
    expect((await (await LiveClient.connect(`${address}/v2/live`)).closed).code).toBe(4401);
    const session = await createSession(service);
    await call(service, "DELETE", `/v2/live/${session.id}?cancel=true`);
    expect((await (await LiveClient.connect(session.url)).closed).code).toBe(4401);
  });

  test("a newer connection takes over and continues", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const first = await LiveClient.connect(session.url);
    first.send(pcm.subarray(0, 32_000));
    await first.message((message) => message.type === "audio_chunk");
    const second = await LiveClient.connect(session.url);
    expect((await first.closed).code).toBe(4409);
    second.send(pcm.subarray(32_000));
    second.stop();
    expect((await second.closed).code).toBe(1000);
    expect((await job(session.id)).result.transcription.full_transcript).toMatch(/^Hello from/);
  });

  test("nothing for too long ends the session with 4408; empty chunks keep it alive", async () => {
    const impatient = await startService({ environment: { PARLANCE_LIVE_IDLE_SECONDS: "3" } });
    try {
      await ready(impatient);
      const session = await createSession(impatient);
      const client = await LiveClient.connect(session.url);
      const started = Date.now();
      const keepAlive = setInterval(() => client.sendChunk(Buffer.alloc(0)), 500);
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      clearInterval(keepAlive);
      expect((await client.closed).code).toBe(4408);
      expect(Date.now() - started).toBeGreaterThan(4_500);
      const status = async () => (await call(impatient, "GET", `/v2/live/${session.id}`)).json.status;
      await expect.poll(status).toBe("done");
    } finally {
      await impatient.remove();
    }
  });

  test("a client that stays away is finished after the grace period", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const client = await LiveClient.connect(session.url);
    client.send(pcm);
    await client.message((message) => message.type === "audio_chunk");
    await client.drop();
    expect((await job(session.id)).status).toBe("processing");
    await expect.poll(async () => (await job(session.id)).status, { timeout: 20_000, interval: 200 }).toBe("done");
    expect((await job(session.id)).result.transcription.full_transcript).toMatch(/^Hello from/);
  });

  test("messages produced without a connection are delivered after a reconnect", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const first = await LiveClient.connect(session.url);
    first.send(pcm);
    await first.message((message) => message.type === "audio_chunk");
    await first.drop();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const second = await LiveClient.connect(session.url);
    const final = await second.message((message) => message.type === "transcript");
    expect(final.data.utterance.text).toMatch(/^ Hello from/);
    second.stop();
    expect((await second.closed).code).toBe(1000);
  });

  test("with replay, a connection receives all messages from the first one on, and then the session continues", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const first = await LiveClient.connect(session.url);
    first.send(pcm);
    await first.message((message) => message.type === "transcript");
    await first.drop();
    const plain = await LiveClient.connect(session.url);
    await plain.drop();
    const second = await LiveClient.connect(`${session.url}&replay=true`);
    expect(await second.message((message) => message.type === "transcript")).toEqual(first.finals()[0]);
    second.send(pcm.subarray(100, 3_300));
    second.send(pcm);
    await second.message(({ data }) => data?.id === "00_00000001");
    second.stop();
    expect((await second.closed).code).toBe(1000);
    expect(second.finals().map(({ data }) => data.id)).toEqual(["00_00000000", "00_00000001"]);
    expect(second.of("error")).toEqual([]);
  });

  test("another value of replay is reported", async () => {
    const session = await createSession(service);
    const client = await LiveClient.connect(`${session.url}&replay=yes`);
    const { message } = await client.message(({ type }) => type === "error");
    expect(message).toMatch(/replay must be true or false/);
    client.stop();
    await client.closed;
  });

  test("messages that were on their way when the connection was lost are delivered on return", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const first = await LiveClient.connect(session.url);
    first.send(pcm);
    await first.message(({ type }) => type === "audio_chunk");
    // A network that went away: the service writes to it, nothing arrives.
    first.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    first.socket.terminate();
    const second = await LiveClient.connect(session.url);
    const final = await second.message((message) => message.type === "transcript");
    expect(final.data.utterance.text).toMatch(/^ Hello from/);
    // And then not once more. (The same audio first would be taken for audio that is sent again.)
    second.send(pcm.subarray(100, 3_300));
    second.send(pcm);
    await second.message(({ data }) => data?.id === "00_00000001");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await second.drop();
    const third = await LiveClient.connect(session.url);
    third.stop();
    expect((await third.closed).code).toBe(1000);
    expect([...second.finals(), ...third.finals()].map(({ data }) => data.id)).toEqual(["00_00000000", "00_00000001"]);
  });

  test("PATCH stores metadata; lists show live jobs with their parameters", async () => {
    const { id } = await whole(Buffer.alloc(3_200), { custom_metadata: { suite: "live" } });
    const patched = await call(service, "PATCH", `/v2/live/${id}`, { body: { note: "kept" } });
    expect(patched.status).toBe(204);
    expect((await job(id)).post_session_metadata).toEqual({ note: "kept" });
    const list = await call(service, "PATCH", `/v2/live/${id}`, { body: { post_session_metadata: ["a"] } });
    expect([list.status, list.json.validation_errors]).toEqual([400, ["post_session_metadata must be an object"]]);
    const { items } = (await call(service, "GET", "/v2/live?custom_metadata[suite]=live")).json;
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ id, kind: "live", request_params: { encoding: "wav/pcm" } });
    expect((await call(service, "GET", `/v2/pre-recorded/${id}`)).status).toBe(404);
    expect((await call(service, "DELETE", `/v2/live/${id}`)).status).toBe(202);
    expect((await call(service, "GET", `/v2/live/${id}`)).status).toBe(404);
  });
});

describe("the reference client", () => {
  const sdk = () => new GladiaClient({ apiKey: TEST_KEY, apiUrl: service.base }).liveV2();
  const options = {
    sample_rate: 16_000 as const,
    endpointing: 0.3,
    messages_config: { receive_lifecycle_events: true, receive_acknowledgments: true },
  };

  test("speaks a session from start to end", async () => {
    const session = sdk().startSession(options);
    const types: string[] = [];
    let text = "";
    session.on("message", (message) => {
      types.push(message.type);
      if (message.type === "transcript" && message.data.is_final) text += message.data.utterance.text;
    });
    const ended = new Promise<{ code: number }>((resolve) => session.once("ended", resolve));
    for (let at = 0; at < pcm.length; at += 3_200) session.sendAudio(pcm.subarray(at, at + 3_200));
    session.stopRecording();
    expect((await ended).code).toBe(1000);
    expect(text).toMatch(/^\s?Hello from/);
    expect(types.filter((type) => type === "start_session")).toHaveLength(1);
    expect(types.filter((type) => type === "start_recording")).toHaveLength(1);
  });
});

describe("capacity", () => {
  const create = () => call(service, "POST", "/v2/live", { body: {} });

  /** Creates sessions until one is refused. A fast machine has places for hundreds. */
  async function fill() {
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.all(Array.from({ length: 25 }, create));
      const refused = outcomes.find(({ status }) => status !== 201);
      if (refused) return refused;
    }
    throw new Error("no session was refused");
  }

  test("places of created sessions are counted at once; beyond them every protocol is refused, and they expire", async () => {
    const refused = await fill();
    expect(refused).toMatchObject({
      status: 503,
      json: { message: expect.stringMatching(/at most \d+ can be served/) },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await call(service, "GET", "/v2/system")).json.load.live_capacity).toBeGreaterThanOrEqual(4);
    const address = `${service.base.replace("http", "ws")}/v1/listen?encoding=linear16&sample_rate=16000`;
    const statusOfUpgrade = async () => {
      await fill();
      const socket = new WebSocket(address, { headers: { authorization: `Token ${TEST_KEY}` } });
      socket.on("error", () => undefined);
      const status = await new Promise((resolve) => {
        socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
        socket.once("open", () => resolve("open"));
      });
      socket.terminate();
      return status;
    };
    // On a slow machine, places expire between the two.
    await expect.poll(statusOfUpgrade).toBe(503);
    await expect.poll(async () => (await create()).status).toBe(201);
    const { text } = await call(service, "GET", "/metrics");
    expect(text).toMatch(/parlance_live_capacity_sessions \d+/);
    expect(text).toMatch(/parlance_live_load_stage [012]\n/);
  });
});
