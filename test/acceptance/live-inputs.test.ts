// Live audio that is not PCM as declared: the client receives a reason, and nothing is transcribed wrongly without a message.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StreamFormat } from "../../src/speech/audio/stream-format.ts";
import { writeWavHeader } from "../../src/speech/audio/wav.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { writeMedia } from "../fixtures/media.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, encodeUlaw, repeated } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const FORMAT: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 };
const WORDS = ["hello", "from", "the"];

let service: RunningService;
let folder: string;
let speech: Float32Array;
let pcm: Buffer;
let expected: string[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-inputs-"));
  service = await startService({ environment: { PARLANCE_MAX_LIVE_SESSIONS: "50" } });
  speech = repeated(await decodeSpeech(), 2, 0.8);
  pcm = encodePcm([speech]);
  await ready(service);
  expected = (await session([pcm])).words;
  expect(expected.slice(0, 3)).toEqual(WORDS);
});
afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

const pieces = (bytes: Buffer, length: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => bytes.subarray(at * length, (at + 1) * length));

/** A whole session of these frames; text frames where they are strings. */
async function session(frames: (Buffer | string)[], body: object = {}) {
  const { id, url } = await createSession(service, { endpointing: 0.3, ...body });
  const client = await LiveClient.connect(url);
  for (const frame of frames) client.socket.send(frame);
  client.stop();
  const { code, reason } = await client.closed;
  const job = await sessionResult(service, id);
  return { id, url, client, code, reason, job, words: normalizedWords(client.text()) };
}

async function file(extension: string, encoder: string): Promise<Buffer> {
  const name = path.join(folder, `speech.${extension}`);
  await writeMedia(name, { tracks: [{ channels: [speech], sampleRate: 16_000, encoder }] });
  return readFileSync(name);
}

describe("a stream that is no PCM is refused with its name", () => {
  const webm = () => file("webm", "libopus");
  test.each<[string, () => Promise<Buffer>, number, RegExp]>([
    ["WebM", webm, 4_000, /WebM/],
    ["WebM in frames of one byte", webm, 1, /WebM/],
    ["Ogg", () => file("ogg", "libopus"), 320, /Ogg/],
    ["MP4", () => file("mp4", "aac"), 4_000, /MP4/],
    ["MP3", async () => readFileSync(HELLO_MP3), 100, /MP3/],
    ["AIFF", () => file("aiff", "pcm_s16be"), 4_000, /AIFF/],
    ["base64 as binary", async () => Buffer.from(pcm.subarray(20_000).toString("base64")), 1_000, /base64/],
    [
      "floating-point WAV",
      async () => Buffer.concat([Buffer.from(writeWavHeader(FORMAT, 0)).fill(3, 20, 21), pcm]),
      1_000,
      /floating-point/,
    ],
    [
      "stereo WAV in a mono session",
      async () => Buffer.concat([writeWavHeader({ ...FORMAT, channels: 2 }, 0), pcm]),
      1_000,
      /2 channels.*1 channel/,
    ],
  ])("%s", async (_what, bytes, frameBytes, name) => {
    const content = (await bytes()).subarray(0, 200 * Math.max(frameBytes, 30));
    const { client, code, reason, job, url } = await session(pieces(content, frameBytes));
    expect(code).toBe(4400);
    expect(reason).toMatch(/the (audio is|WAV header says)/);
    const errors = client.of("error");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ message: expect.stringMatching(name), data: { code: "invalid_audio_format" } });
    expect(client.of("audio_chunk").at(-1)).toMatchObject({
      acknowledged: false,
      error: { message: expect.stringMatching(name) },
    });
    expect(job).toMatchObject({ status: "error", error_code: 400, error_message: expect.stringMatching(name) });
    expect((await (await LiveClient.connect(url)).closed).code).toBe(4400);
  });
});

describe("a stream that is decoded in the wrong way", () => {
  test.each<[string, () => Buffer, RegExp]>([
    ["big-endian samples", () => Buffer.from(pcm).swap16(), /big-endian/],
    [
      "floating-point samples",
      () => Buffer.from(speech.buffer, speech.byteOffset, speech.byteLength),
      /floating-point/,
    ],
    ["mu-law", () => encodeUlaw(repeated(speech, 3, 0)), /mu-law/],
  ])("%s give one warning, kept with the result", async (_what, bytes, name) => {
    const { client, code, job } = await session(pieces(bytes(), 3_200));
    expect(code).toBe(1000);
    const warnings = client.of("error");
    expect(warnings).toHaveLength(1);
    expect(warnings[0].message).toMatch(name);
    const kept = job.result.messages
      .map((text: string) => JSON.parse(text))
      .filter(({ type }: never) => type === "error");
    expect(kept).toHaveLength(1);
    expect(job.result.metadata.warnings).toContain(warnings[0].message);
  });
});

test("two channels in a session of one give one warning that states what to declare", async () => {
  const { client, code } = await session(pieces(encodePcm([speech, speech]), 3_200));
  expect(code).toBe(1000);
  // Speech without words, which slow speech may be, has a message of its own.
  const warnings = client.of("error").filter(({ data }) => data.code === "invalid_audio_format");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.message).toMatch(/two channels.*open the session with channels 2/);
});

describe("values that differ in form alone are accepted", () => {
  test("a WAV header in front of every frame", async () => {
    const frames = pieces(pcm, 8_192).map((chunk) => Buffer.concat([writeWavHeader(FORMAT, chunk.length), chunk]));
    const { client, words, job, id } = await session(frames);
    expect(words).toEqual(expected);
    expect(client.of("error")).toEqual([]);
    expect(client.acknowledged).toBe(Buffer.concat(frames).length);
    expect(client.of("audio_chunk").findLast(({ acknowledged }) => acknowledged).data.time_range[1]).toBeCloseTo(
      speech.length / 16_000,
      2,
    );
    expect(job.result.metadata.audio_duration).toBeCloseTo(speech.length / 16_000, 2);
    const stored = await fetch(`${service.base}/v2/live/${id}/file`, { headers: { "x-service-key": TEST_KEY } });
    expect(
      Buffer.from(await stored.arrayBuffer())
        .subarray(44)
        .equals(pcm),
    ).toBe(true);
  });

  test("a header within the stream that differs gives a warning", async () => {
    const other = writeWavHeader({ ...FORMAT, sampleRate: 48_000 }, 0);
    const { client, job } = await session([pcm.subarray(0, 32_000), other, pcm.subarray(32_000)]);
    expect(client.of("error").map(({ message }) => message)).toEqual([expect.stringMatching(/sample_rate/)]);
    expect(job.result.metadata.warnings).toEqual([expect.stringMatching(/sample_rate/)]);
  });

  test("a control message in a binary frame, and base64 with line breaks", async () => {
    const chunk = JSON.stringify({
      type: "audio_chunk",
      data: { chunk: (pcm.toString("base64").match(/.{1,76}/g) as string[]).join("\r\n") },
    });
    const stop = Buffer.from(JSON.stringify({ type: "stop_recording" }));
    const { client, code, words } = await session([chunk, Buffer.from('{"type":"sing"}'), stop]);
    expect(code).toBe(1000);
    expect(words).toEqual(expected);
    expect(client.acknowledged).toBe(pcm.length);
    expect(client.of("error")[0].message).toMatch(/type must be/);
    expect(client.of("stop_recording")[0].acknowledged).toBe(true);
  });
});
