// Times on the file's own clock, gaps, chained files and the choice of the audio track, through the real service.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaBytes } from "../fixtures/media.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY, upload } from "../service.ts";

const CASES = path.resolve("../shared/cases");
const hasCases = existsSync(CASES);
/** A word's start is known to about this. */
const WORD_TOLERANCE_SECONDS = 0.15;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await ready(service);
});
afterAll(() => service.remove());

/** "Hello from the Vercel AI SDK" as samples of 16 kHz. */
const speech = await decodeSpeech();
const SPEECH_SECONDS = speech.length / 16_000;
const silence = new Float32Array(speech.length);
const spoken = { channels: [speech], sampleRate: 16_000, encoder: "aac" };

/** Transcribes by OpenAI's interface. @param fields  of the form, in addition to the file and the model */
function openaiTranscription(content: Buffer, name: string, fields: Record<string, string>) {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), name);
  form.append("model", "whisper-1");
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  return call(service, "POST", "/v1/audio/transcriptions", {
    body: form,
    headers: { authorization: `Bearer ${TEST_KEY}` },
  });
}

/** Uploads and transcribes. Every place that states a duration states the same one. */
async function transcribe(content: Uint8Array, params: object = {}) {
  const uploaded = await upload(service, content);
  expect(uploaded.status, uploaded.text).toBe(200);
  const body = { audio_url: uploaded.json.audio_url, ...params };
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body });
  const job = await finished(service, json.id);
  expect(job.status, job.error_message).toBe("done");
  const duration = job.result.metadata.audio_duration;
  if (!("audio_track" in params)) {
    expect(uploaded.json.audio_metadata.audio_duration).toBeCloseTo(duration, 3);
    expect(uploaded.json.audio_metadata.number_of_channels).toBe(job.file.number_of_channels);
    expect(uploaded.json.audio_track).toBe(job.result.metadata.audio_track);
  }
  expect(job.file.audio_duration).toBeCloseTo(duration, 3);
  const words = job.result.transcription.utterances.flatMap(
    (utterance: { words: { word: string; start: number; end: number }[] }) => utterance.words,
  ) as { word: string; start: number; end: number }[];
  for (const { end } of words) expect(end).toBeLessThanOrEqual(duration + 1e-3);
  return { uploaded: uploaded.json, job, duration, words, text: job.result.transcription.full_transcript as string };
}

const near = (seconds: number, expected: number) =>
  expect(Math.abs(seconds - expected)).toBeLessThan(WORD_TOLERANCE_SECONDS);

describe("times", () => {
  let first: number;
  beforeAll(async () => {
    first = (await transcribe(readFileSync(HELLO_MP3))).words[0]?.start ?? Number.NaN;
  });

  test.each(["mp4", "mkv"])("of audio that starts 5 s after the video in .%s are 5 s later", async (extension) => {
    const late = { ...spoken, timeOf: (seconds: number) => seconds + 5 };
    const { words, duration, job } = await transcribe(
      await mediaBytes(extension, { videoSeconds: 9, tracks: [late] }),
      {
        subtitles: true,
        subtitles_config: { formats: ["srt", "vtt"] },
      },
    );
    near(words[0]?.start ?? 0, first + 5);
    near(duration, SPEECH_SECONDS + 5);
    for (const { subtitles } of job.result.transcription.subtitles) expect(subtitles).toMatch(/00:00:05[,.]/);
  });

  test.each(["webm", "ts"])("behind a gap of 20 s in .%s are 20 s later", async (extension) => {
    const twice = new Float32Array(2 * speech.length);
    twice.set(speech);
    twice.set(speech, speech.length);
    const encoder = extension === "webm" ? "libopus" : "aac";
    const timeOf = (seconds: number) => (seconds < SPEECH_SECONDS ? seconds : seconds + 20);
    const content = await mediaBytes(extension, {
      tracks: [{ channels: [twice], sampleRate: 16_000, encoder, timeOf }],
    });
    const { words, duration, job } = await transcribe(content, { diarization: true });
    near(duration, 2 * SPEECH_SECONDS + 20);
    const hellos = words.filter(({ word }) => /hello/i.test(word));
    expect(hellos).toHaveLength(2);
    near(hellos[1]?.start ?? 0, SPEECH_SECONDS + 20 + first);
    const speakers = job.result.transcription.utterances.map(({ speaker }: { speaker: number }) => speaker);
    expect(new Set(speakers).size).toBe(1);
    const peaks = await call(service, "GET", `/v2/transcription/${job.id}/peaks`);
    near(peaks.json.duration, duration);
    const loud = peaks.json.peaks.map((peak: number) => peak > 0.02) as boolean[];
    const at = (seconds: number) => Math.round((seconds / peaks.json.duration) * loud.length);
    expect(loud.slice(at(SPEECH_SECONDS + 0.5), at(SPEECH_SECONDS + 19.5))).not.toContain(true);
    expect(loud.slice(at(SPEECH_SECONDS + 20), at(2 * SPEECH_SECONDS + 20))).toContain(true);
  });

  test("in OpenAI's forms are on the same clock", async () => {
    const late = { ...spoken, timeOf: (seconds: number) => seconds + 5 };
    const content = await mediaBytes("mp4", { videoSeconds: 9, tracks: [late] });
    const answer = (format: string) => openaiTranscription(content, "late.mp4", { response_format: format });
    const { json } = await answer("verbose_json");
    near(json.duration, SPEECH_SECONDS + 5);
    near(json.segments[0].start, first + 5);
    expect((await answer("srt")).text).toMatch(/00:00:05,/);
    expect((await answer("vtt")).text).toMatch(/00:00:05\./);
  });
});

describe("skipped parts", () => {
  test("a truncated file is transcribed, and the result has the length of what is left", async () => {
    const content = await mediaBytes("mkv", {
      tracks: [{ ...spoken, channels: [Float32Array.of(...speech, ...speech, ...speech)] }],
    });
    const { job, duration } = await transcribe(content.subarray(0, Math.floor(content.length * 0.5)));
    expect(job.result.metadata.warnings).toContainEqual(
      expect.stringMatching(/^The file is truncated: it holds [\d.]+ s of the [\d.]+ s of audio that it declares$/),
    );
    expect(duration).toBeLessThan(2.5 * SPEECH_SECONDS);
  });

  test("an undamaged file has no warnings", async () => {
    const { job } = await transcribe(readFileSync(HELLO_MP3));
    expect(job.result.metadata).not.toHaveProperty("warnings");
    expect(job.result.metadata).toMatchObject({ audio_track: 0, number_of_audio_tracks: 1 });
  });
});

describe("the audio track", () => {
  const silent = { ...spoken, channels: [silence], title: "Music" };
  test("is the first one with sound", async () => {
    const { text, job, uploaded } = await transcribe(await mediaBytes("mkv", { tracks: [silent, spoken] }));
    expect(text).toMatch(/hello/i);
    expect(job.result.metadata).toMatchObject({ audio_track: 1, number_of_audio_tracks: 2 });
    expect(uploaded.audio_tracks).toMatchObject([
      { number: 0, codec: "aac", number_of_channels: 1, is_default: false, title: "Music" },
      { number: 1, codec: "aac", number_of_channels: 1, is_default: false },
    ]);
  });

  test("can be chosen by a request, and one that does not exist is refused with those that do", async () => {
    const content = await mediaBytes("mkv", { tracks: [{ ...spoken, language: "eng" }, silent] });
    expect((await transcribe(content, { audio_track: 1 })).text).toBe("");
    const id = await submit(service, content, { audio_track: 2 });
    const job = await finished(service, id);
    expect(job).toMatchObject({ status: "error", error_code: 400 });
    expect(job.error_message).toBe(
      'audio_track is 2, but the file has 2 audio tracks: 0 (eng, 1 channel); 1 ("Music", 1 channel)',
    );
    const { status, json } = await call(service, "POST", "/v2/pre-recorded", {
      body: { audio_url: "http://127.0.0.1/file.wav", audio_track: -1 },
    });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(/audio_track/);
  });

  test("can be chosen in OpenAI's form", async () => {
    const content = await mediaBytes("mkv", { tracks: [silent, spoken] });
    const answer = (track: string) => openaiTranscription(content, "film.mkv", { audio_track: track });
    expect((await answer("0")).json.text).toBe("");
    expect((await answer("1")).json.text).toMatch(/hello/i);
    expect(await answer("5")).toMatchObject({ status: 400, json: { error: { message: /has 2 audio tracks/ } } });
    expect(await answer("first")).toMatchObject({ status: 400, json: { error: { message: /audio_track must be/ } } });
  });
});

describe.skipIf(!hasCases)("shared cases (needs ../shared)", () => {
  const of = (name: string) => readFileSync(path.join(CASES, name));

  test("audio-starts-5s-late.mp4: first word at 5.3 s", async () => {
    const { words, duration } = await transcribe(of("audio-starts-5s-late.mp4"));
    near(words[0]?.start ?? 0, 5.3);
    near(duration, 16);
  });

  test("gap-of-10s.webm: last sentence at 15.4 s, duration 21 s", async () => {
    const { job, duration } = await transcribe(of("gap-of-10s.webm"));
    near(duration, 21);
    const last = job.result.transcription.utterances.at(-1);
    near(last.words[0].start, 15.4);
  });

  test.each([
    ["first-track-silent.mkv", 1, 2],
    ["first-track-empty.mp4", 1, 2],
    ["second-track-default.mkv", 1, 2],
  ])("%s: track %d of %d", async (name, track, count) => {
    const { job, text } = await transcribe(of(name));
    expect(job.result.metadata).toMatchObject({ audio_track: track, number_of_audio_tracks: count });
    expect(text.split(" ").length).toBeGreaterThan(8);
  });

  test("chained-mono-then-stereo.opus: both sentences, 6.0 s", async () => {
    const { text, duration } = await transcribe(of("chained-mono-then-stereo.opus"));
    expect(text).toMatch(/small dog/i);
    expect(text).toMatch(/figures/i);
    near(duration, 6);
  });
});
