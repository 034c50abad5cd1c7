// Speech that is lost in a recording has a warning, and speech that is in two channels is transcribed once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { mediaBytes } from "../fixtures/media.ts";
import { noise, tone, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

const RATE = 16_000;
let service: RunningService;
let speech: Float32Array;

beforeAll(async () => {
  service = await startService();
  speech = repeated(await decodeSpeech(), 2, 0.8);
});
afterAll(() => service?.stop());

test("a hole in the middle of speech has a warning with its place", async () => {
  const length = 0.2 * RATE;
  const powerAt = (from: number) => speech.subarray(from, from + 160).reduce((sum, value) => sum + value * value, 0);
  // The place with the loudest sound on both sides.
  const edges = Array.from({ length: Math.floor((speech.length - length - RATE) / 160) }, (_, at) => {
    const from = RATE / 2 + at * 160;
    return { from, power: Math.min(powerAt(from - 160), powerAt(from + length)) };
  });
  const { from } = edges.reduce((best, one) => (one.power > best.power ? one : best));
  const holed = speech.slice().fill(0, from, from + length);
  const [{ result }, whole] = [
    await finished(service, await submit(service, wav([holed]))),
    await finished(service, await submit(service, wav([speech]))),
  ];
  expect(result.metadata.warnings).toEqual([
    expect.stringContaining(`0.2 s of digital silence in the middle of speech, at ${(from / RATE).toFixed(1)} to`),
  ]);
  expect(whole.result.metadata.warnings).toBeUndefined();
});

test("the same speech 0.9 s later in the other channel is transcribed once", async () => {
  const padded = Float32Array.from({ length: speech.length + RATE }, (_, at) => speech[at] ?? 0);
  const later = padded.map((_, at) => 0.3 * (padded[at - 0.9 * RATE] ?? 0));
  const { result } = await finished(service, await submit(service, wav([padded, later])));
  const { utterances } = result.transcription;
  expect(utterances.length).toBeGreaterThan(0);
  expect(utterances.every(({ channel }: { channel: number }) => channel === 0)).toBe(true);
});

const audio = (samples: Float32Array) => ({ encoder: "aac", sampleRate: RATE, channels: [samples] });
const SECONDS = 4;

test("a test tone in the first track does not hide the speech of the second one", async () => {
  const file = await mediaBytes("mkv", { tracks: [audio(tone(SECONDS, 1_000, RATE)), audio(speech)] });
  const { result } = await finished(service, await submit(service, file));
  expect(result.metadata).toMatchObject({ audio_track: 1, number_of_audio_tracks: 2 });
  expect(result.transcription.full_transcript).not.toBe("");
});

test("noise in the first track has a warning that names the other ones", async () => {
  const file = await mediaBytes("mkv", { tracks: [audio(noise(SECONDS, 0.2)), audio(speech)] });
  const { result } = await finished(service, await submit(service, file));
  expect(result.transcription.full_transcript).toBe("");
  expect(result.metadata.warnings).toEqual([expect.stringContaining("No words were recognised in audio track 0 of 2")]);
});
