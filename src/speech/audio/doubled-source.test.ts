// A sound that is mixed with itself later is found, and other sound is not. `npm run bench -- doubled-source` measures it on recordings.
import { expect, test } from "vitest";
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
