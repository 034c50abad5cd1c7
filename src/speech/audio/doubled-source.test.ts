// A sound that is mixed with itself later is found, and other sound is not. `npm run bench -- doubled-source` measures it on recordings.
import { expect, test } from "vitest";
import { LOOPS } from "../../../test/fixtures/loops.ts";
import { MUSIC } from "../../../test/fixtures/sounds.ts";
import { decodeSpeech, repeated } from "../../../test/fixtures/speech.ts";
import { STEADY_NOISE } from "../../../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../../../test/fixtures/telephone-tones.ts";
import { DoubledSource } from "./doubled-source.ts";

const speech = repeated(await decodeSpeech(), 5, 0.4);

function delayIn(samples: Float32Array, piece = 1_111): number | undefined {
  const source = new DoubledSource();
  for (let at = 0; at < samples.length; at += piece) source.push(samples.subarray(at, at + piece));
  return source.delaySeconds;
}

const doubled = (samples: Float32Array, seconds: number, gain: number) =>
  samples.map((value, at) => (value + gain * (samples[at - seconds * 16_000] ?? 0)) / 2);

test.each([
  [0.12, 1],
  [0.25, 0.7],
  [0.5, 0.5],
])("a copy %f s later at %f of the level is found", (seconds, gain) => {
  expect(delayIn(doubled(speech, seconds, gain))).toBeCloseTo(seconds, 3);
});

test("the size of the pieces changes nothing", () => {
  const samples = doubled(speech, 0.2, 0.8);
  expect(delayIn(samples, 333)).toBe(delayIn(samples, 16_000));
});

test("repeated speech, a quiet echo, music, noise, tones and silence have no copy", () => {
  const sounds = [...Object.values(MUSIC), ...Object.values(STEADY_NOISE), ...Object.values(TELEPHONE_TONES)];
  const others = sounds.map((sound) => sound(9, 3));
  for (const samples of [speech, doubled(speech, 0.3, 0.05), new Float32Array(160_000), ...others]) {
    expect(delayIn(samples)).toBeUndefined();
  }
});

const powerOf = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length;

/** Speech and another sound, which is this much weaker. */
function mixed(sound: Float32Array, decibels: number): Float32Array {
  const gain = Math.sqrt(powerOf(speech) / powerOf(sound) / 10 ** (decibels / 10));
  return speech.map((value, at) => (value + gain * (sound[at] as number)) / 2);
}

test.each(Object.entries(LOOPS))(
  "%s, which repeats sample by sample, has no copy: alone, beside speech, before speech",
  (_, sound) => {
    const samples = sound(speech.length / 16_000, 4);
    const before = speech.map((value, at) => (at < 6 * 16_000 ? (samples[at] as number) : value));
    for (const heard of [samples, mixed(samples, 0), mixed(samples, 12), before])
      expect(delayIn(heard)).toBeUndefined();
  },
);

test.each([0.15, 0.3, 0.45, 0.6, 0.78])("%f s of speech in a loop have no copy", (seconds) => {
  const length = seconds * 16_000;
  expect(delayIn(speech.map((_, at) => speech[16_000 + (at % length)] as number))).toBeUndefined();
});

test("a copy in a third of the recording is not found", () => {
  const copied = doubled(speech, 0.3, 1);
  const third = speech.length / 3;
  expect(delayIn(speech.map((value, at) => (at < third ? (copied[at] as number) : value / 2)))).toBeUndefined();
});

test("a copy beside a loop is found", () => {
  const hiHat = LOOPS["hi-hat in eighths"]?.(speech.length / 16_000, 4) as Float32Array;
  const copied = doubled(speech, 0.35, 1);
  expect(delayIn(copied.map((value, at) => value + 0.02 * (hiHat[at] as number)))).toBeCloseTo(0.35, 3);
});
