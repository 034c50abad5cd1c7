// Compressed streams of real speech over the real WebSocket.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeWavHeader } from "../../src/speech/audio/wav.ts";
import { compressed, packetsOf, STREAMS, type StreamName } from "../fixtures/compressed.ts";
import { ListenClient } from "../fixtures/listen-client.ts";
import { type AnyMessage, createSession, LiveClient } from "../fixtures/live-client.ts";
import { atRate, decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { call, processIdsOf, type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
let speech: Float32Array;

beforeAll(async () => {
  service = await startService();
  speech = repeated(await decodeSpeech(), 1, 1);
});
afterAll(() => service.remove());

const CHUNK_BYTES = 1_000;
const PACKET_MILLISECONDS = 20;
const chunksOf = (bytes: Buffer, size = CHUNK_BYTES) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

/** Sends chunks at once, stops, and waits for the end. */
async function whole(chunks: readonly Buffer[], body: object, expectedCode = 1000) {
  const { id, url } = await createSession(service, { endpointing: 0.3, ...body });
  const client = await LiveClient.connect(url);
  for (const chunk of chunks) client.send(chunk);
  client.stop();
  const { code, reason } = await client.closed;
  expect([code, reason]).toEqual([expectedCode, expect.any(String)]);
  return { client, id };
}

const result = async (id: string) => (await call(service, "GET", `/v2/live/${id}`)).json;

async function recording(id: string): Promise<Buffer> {
  const file = await fetch(`${service.base}/v2/live/${id}/file`, { headers: { "x-service-key": TEST_KEY } });
  return Buffer.from(await file.arrayBuffer());
}

/** Of the finals, of which there is at least one. */
function contents(client: LiveClient) {
  expect(client.finals().length).toBeGreaterThan(0);
  return client.finals().map(({ data }) => ({ id: data.id, utterance: data.utterance }));
}

const at = (rate: number) => atRate(speech, rate);

describe.each(Object.keys(STREAMS) as StreamName[])("%s", (name) => {
  test("the finals are those of the decoded samples, and every byte is acknowledged once", async () => {
    const { sampleRate } = STREAMS[name];
    const bytes = await compressed(name, [at(sampleRate)]);
    const { client, id } = await whole(chunksOf(bytes), { encoding: name });
    expect(client.of("error")).toEqual([]);
    expect(normalizedWords(client.text()).join(" ")).toContain("hello");
    const ranges = client.of("audio_chunk").map(({ data }) => data);
    expect(ranges.every(({ byte_range: [from] }, index) => from === (ranges[index - 1]?.byte_range[1] ?? 0))).toBe(
      true,
    );
    expect(ranges.at(-1).byte_range[1]).toBe(bytes.length);
    expect(ranges.every(({ time_range: [from, to] }) => from <= to)).toBe(true);
    const wav = await recording(id);
    expect(wav.readUInt32LE(24)).toBe(sampleRate);
    const seconds = (wav.length - 44) / 2 / sampleRate;
    expect(Math.abs(seconds - speech.length / 16_000)).toBeLessThan(0.1);
    expect((await result(id)).result.metadata.audio_duration).toBeCloseTo(seconds, 2);
    const samples = await whole(chunksOf(wav.subarray(44), 9_600), { sample_rate: sampleRate });
    expect(contents(client)).toEqual(contents(samples.client));
  });
});

test("raw Opus packets, in binary messages and in base64, of a declared duration", async () => {
  const ogg = await compressed("ogg/opus", [at(48_000)]);
  const packets = packetsOf(ogg);
  const { client, id } = await whole(packets, { encoding: "opus", opus_frame_duration: 20 });
  const ranges = client.of("audio_chunk").map(({ data }) => data);
  expect(ranges.map(({ byte_range: [from, end] }) => end - from)).toEqual(packets.map(({ length }) => length));
  expect(ranges.at(-1).time_range[1]).toBeCloseTo(packets.length * 0.02, 5);
  const wav = await recording(id);
  const samples = await whole(chunksOf(wav.subarray(44), 9_600), { sample_rate: 48_000 });
  expect(contents(client)).toEqual(contents(samples.client));

  const { url } = await createSession(service, { endpointing: 0.3, encoding: "opus" });
  const other = await LiveClient.connect(url);
  for (const packet of packets) other.sendChunk(packet);
  other.stop();
  expect((await other.closed).code).toBe(1000);
  expect(contents(other)).toEqual(contents(client));
});

test("two channels are transcribed separately", async () => {
  const silence = new Float32Array(at(48_000).length);
  const bytes = await compressed("ogg/opus", [silence, at(48_000)], { bitRate: 96_000 });
  const { client } = await whole(chunksOf(bytes), { encoding: "ogg/opus", channels: 2 });
  expect(client.finals().length).toBeGreaterThan(0);
  expect(client.finals().every(({ data }) => data.utterance.channel === 1)).toBe(true);
});

test("the encoding container takes WAV and each container by its first bytes", async () => {
  const samples = encodePcm([speech]);
  const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
  const wav = Buffer.concat([writeWavHeader(format, samples.length), samples]);
  const own = await whole(chunksOf(wav, 3_200), {});
  const found = await whole([wav.subarray(0, 2), ...chunksOf(wav.subarray(2), 3_200)], { encoding: "container" });
  expect(contents(found.client)).toEqual(contents(own.client));
  expect(found.client.of("error")).toEqual([]);
  expect(await recording(found.id)).toEqual(await recording(own.id));
  const webm = await compressed("webm/opus", [at(48_000)]);
  const declared = await whole(chunksOf(webm), { encoding: "webm/opus" });
  const detected = await whole(chunksOf(webm), { encoding: "container" });
  expect(contents(detected.client)).toEqual(contents(declared.client));
});

test("in a container of one channel, the channels of a WAV header are mixed, at its rate", async () => {
  const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 2 } as const;
  const samples = encodePcm([speech, speech]);
  const wav = Buffer.concat([writeWavHeader(format, samples.length), samples]);
  const mono = await whole(chunksOf(encodePcm([speech]), 3_200), {});
  const { client, id } = await whole(chunksOf(wav, 6_400), { encoding: "container" });
  expect(contents(client)).toEqual(contents(mono.client));
  expect(client.of("error").map(({ data }) => data.message)).toEqual([
    "the 2 channels of the stream are mixed into one",
  ]);
  expect(client.of("audio_chunk").at(-1).data.time_range[1]).toBeCloseTo(speech.length / 16_000, 3);
  expect((await recording(id)).subarray(44).equals(samples)).toBe(true);
  const job = await result(id);
  expect(job.result.metadata).toMatchObject({ audio_duration: expect.closeTo(speech.length / 16_000, 2) });
});

test("a WAV header of samples that cannot be read refuses a container, however its bytes arrive", async () => {
  const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
  const wav = Buffer.concat([Buffer.from(writeWavHeader(format, 0)).fill(3, 20, 21), encodePcm([speech])]);
  for (const size of [10, 3_200]) {
    const chunks = chunksOf(wav, size).slice(0, 20);
    expect(await refused(chunks, { encoding: "container" })).toContain("floating-point samples");
  }
  const stereo = Buffer.concat([writeWavHeader({ ...format, channels: 2 }, 0), encodePcm([speech, speech])]);
  const declared = { encoding: "container", channels: 3 };
  expect(await refused(chunksOf(stereo).slice(0, 5), declared)).toContain("create it with channels: 2");
});

async function refused(chunks: readonly Buffer[], body: object) {
  const { id, url } = await createSession(service, { ...body });
  const client = await LiveClient.connect(url);
  for (const chunk of chunks) client.send(chunk);
  return refusal(id, client);
}

/** @returns the message, without a stop of the client */
async function refusal(id: string, client: LiveClient) {
  expect((await client.closed).code).toBe(4400);
  const job = await result(id);
  expect(job).toMatchObject({ status: "error", error_code: 400 });
  return client.of("error").at(-1).data.message as string;
}

test("a stream in another format than the declared one is refused before it ends, by what it is", async () => {
  const ogg = await compressed("ogg/opus", [at(48_000)]);
  const mp3 = await compressed("mp3", [at(24_000)]);
  const pcm = encodePcm([speech]);
  expect(await refused(chunksOf(mp3), { encoding: "ogg/opus" })).toContain("the audio is MP3");
  expect(await refused(chunksOf(ogg), { encoding: "aac" })).toContain("the audio is Ogg");
  expect(await refused(chunksOf(pcm, 640), { encoding: "opus" })).toContain("not Opus packets");
  expect(await refused(chunksOf(pcm, 640), { encoding: "mp3" })).toContain("not MP3");
  expect(await refused(chunksOf(ogg), { encoding: "ogg/opus", channels: 2 })).toContain("create it with channels: 1");
  expect(await refused(packetsOf(ogg), { encoding: "opus", opus_frame_duration: 60 })).toContain("declares 60 ms");
  expect(await refused([Buffer.alloc(70_000)], { encoding: "opus" })).toContain("send one packet in each message");
  // Samples are declared, a compressed stream comes: as before.
  expect(await refused(chunksOf(ogg), {})).toContain("ogg/opus");
});

test("a stream of few bytes a second that contains no frames is refused while it is sent", {
  timeout: 60_000,
}, async () => {
  const ogg = await compressed("ogg/opus", [at(48_000)], { bitRate: 16_000 });
  const packets = packetsOf(ogg);
  const { id, url } = await createSession(service, { encoding: "mp3" });
  const client = await LiveClient.connect(url);
  let isClosed = false;
  client.closed.then(() => {
    isClosed = true;
  });
  for (let count = 0; !isClosed; count++) {
    client.send(packets[count % packets.length] as Buffer);
    // At real-time speed: the demuxer refuses a stream after many bytes, and the session after some time.
    await new Promise((resolve) => setTimeout(resolve, PACKET_MILLISECONDS));
  }
  expect(await refusal(id, client)).toContain("no audio in the declared encoding (mp3)");
});

test("bytes that cannot be decoded are counted in a message that the result keeps", async () => {
  const bytes = await compressed("aac", [at(44_100)]);
  const middle = bytes.length >> 1;
  const damaged = Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(3_000, 0x33), bytes.subarray(middle)]);
  const { client, id } = await whole(chunksOf(damaged), { encoding: "aac" });
  const [error, ...others] = client.of("error");
  expect(others).toEqual([]);
  expect(error.data.code).toBe("undecodable_audio");
  const [lost] = /^\d+/.exec(error.data.message) ?? [];
  expect(Number(lost)).toBeGreaterThanOrEqual(3_000);
  expect(Number(lost)).toBeLessThan(4_500);
  expect((await result(id)).result.metadata.warnings).toEqual([expect.stringContaining(error.data.message)]);
});

test("a stream that ends before its container is known is counted as lost", async () => {
  const { client } = await whole([Buffer.from("RI")], { encoding: "container" });
  expect(client.of("error").map(({ data }) => [data.code, data.message])).toEqual([
    ["undecodable_audio", expect.stringMatching(/^2 bytes of the stream could not be decoded/)],
  ]);
});

test("a few bytes that are hours of audio delay nobody else", { timeout: 60_000 }, async () => {
  const { url } = await createSession(service, { encoding: "opus" });
  const bomb = await LiveClient.connect(url);
  const packet = Buffer.of(0xe3, 48);
  for (let count = 0; count < 20_000; count++) bomb.send(packet);
  const ogg = await compressed("ogg/opus", [at(48_000)]);
  const { client } = await whole(chunksOf(ogg), { encoding: "ogg/opus" });
  expect(normalizedWords(client.text()).join(" ")).toContain("hello");
  expect(bomb.socket.readyState).toBe(bomb.socket.OPEN);
  await bomb.drop();
});

test("fields that contradict each other are named", async () => {
  const { status, json } = await call(service, "POST", "/v2/live", { body: { encoding: "speex" } });
  expect(status).toBe(400);
  expect(json.validation_errors[0]).toContain("encoding");
  const other = await call(service, "POST", "/v2/live", { body: { opus_frame_duration: 20 } });
  expect(other.status).toBe(201);
  expect(other.json.warnings).toEqual([expect.stringContaining("opus_frame_duration")]);
  const wrong = await call(service, "POST", "/v2/live", { body: { encoding: "opus", opus_frame_duration: 30 } });
  expect(wrong.status).toBe(400);
});

test("the wires of other companies take the streams that they name", { timeout: 60_000 }, async () => {
  const [ogg, webm, aac] = await Promise.all([
    compressed("ogg/opus", [at(48_000)]),
    compressed("webm/opus", [at(48_000)]),
    compressed("aac", [at(44_100)]),
  ]);
  const packets = packetsOf(ogg);
  const token = { headers: { authorization: `Token ${TEST_KEY}` } };
  const key = { headers: { authorization: TEST_KEY } };
  const wires: [query: string, address: string, options: object, chunks: Buffer[]][] = [
    ["encoding=opus&sample_rate=48000", "/v1/listen", token, packets],
    ["encoding=ogg-opus", "/v1/listen", token, chunksOf(ogg)],
    ["model=nova-3", "/v1/listen", token, chunksOf(webm)],
    ["model=nova-3", "/v1/listen", token, chunksOf(aac)],
    ["model=flux-general-en&encoding=opus", "/v2/listen", token, packets],
    ["model=flux-general-en", "/v2/listen", token, chunksOf(ogg)],
    ["speech_model=universal-streaming-english&encoding=opus", "/v3/ws", key, packets],
    ["speech_model=universal-streaming-english&encoding=ogg_opus", "/v3/ws", key, chunksOf(ogg)],
    ["speech_model=universal-streaming-english&encoding=aac", "/v3/ws", key, chunksOf(aac)],
  ];
  for (const [query, address, options, chunks] of wires) {
    const client = await ListenClient.connect(service, query, options, address);
    for (const chunk of chunks) client.send(chunk);
    client.send({ type: address === "/v3/ws" ? "Terminate" : "CloseStream" });
    expect([query, (await client.closed).code]).toEqual([query, 1000]);
    expect([query, JSON.stringify(client.messages).toLowerCase()]).toEqual([query, expect.stringContaining("hello")]);
  }
  const other = await ListenClient.connect(service, "encoding=ogg-opus", token);
  for (const chunk of chunksOf(webm)) other.send(chunk);
  expect(await other.closed).toEqual({ code: 1008, reason: expect.stringMatching(/^DATA-0000: .*WebM/) });
});

/** Processes of the service that decode streams. */
async function decoders(): Promise<number[]> {
  const { execFileSync } = await import("node:child_process");
  const services = processIdsOf(service);
  return execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => services.includes(Number(parent)) && args.join(" ").includes("streams/child"))
    .map(([pid]) => Number(pid));
}

test("a decoder process that is killed in mid-stream changes nothing", { timeout: 60_000 }, async () => {
  const bytes = await compressed("webm/opus", [repeated(at(48_000), 2, 0)]);
  const undisturbed = await whole(chunksOf(bytes), { encoding: "webm/opus" });
  const { id, url } = await createSession(service, { endpointing: 0.3, encoding: "webm/opus" });
  const client = await LiveClient.connect(url);
  const chunks = chunksOf(bytes);
  for (const [index, chunk] of chunks.entries()) {
    client.send(chunk);
    if (index % Math.ceil(chunks.length / 4) !== 5) continue;
    await client.message((message: AnyMessage) => message.data?.byte_range?.[1] >= index * CHUNK_BYTES);
    const running = await decoders();
    expect(running).not.toEqual([]);
    for (const pid of running) process.kill(pid, "SIGKILL");
  }
  client.stop();
  expect((await client.closed).code).toBe(1000);
  expect(client.of("error")).toEqual([]);
  expect(contents(client)).toEqual(contents(undisturbed.client));
  expect(await recording(id)).toEqual(await recording(undisturbed.id));
});
