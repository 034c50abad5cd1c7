// Digital silence in the middle of sound is found, and pauses are not.
import { expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { decodeSpeech, repeated } from "../../../test/fixtures/speech.ts";
import { type HoleStretch, Holes, holesInSpeech, holesWarning } from "./holes.ts";

const RATE = 16_000;
const WINDOW_SECONDS = 0.032;

/** A steady sound, in which every place is as loud as the others. @param level  of each sample */
function sound(seconds: number, level: (time: number) => number = () => 0.1): Float32Array {
  const random = randomOf(7);
  return Float32Array.from({ length: seconds * RATE }, (_, at) => level(at / RATE) * (random() + 0.01));
}

function withHole(samples: Float32Array, from: number, to: number): Float32Array {
  return samples.slice().fill(0, from * RATE, to * RATE);
}

function holesOf(samples: Float32Array, piece = 1_111): HoleStretch[] {
  const holes = new Holes();
  for (let at = 0; at < samples.length; at += piece) holes.push(samples.subarray(at, at + piece));
  return holes.stretches;
}

test.each([0.2, 0.5, 3])("a hole of %f s is found", (seconds) => {
  const [hole, ...others] = holesOf(withHole(sound(8), 2, 2 + seconds));
  expect(others).toEqual([]);
  expect(hole?.startSeconds).toBeCloseTo(2, 3);
  expect(hole?.endSeconds).toBeCloseTo(2 + seconds, 3);
  expect(hole?.silentSeconds).toBeCloseTo(seconds, 3);
});

test("the size of the pieces changes nothing", () => {
  const samples = withHole(sound(4), 1, 1.3);
  expect(holesOf(samples, 37)).toEqual(holesOf(samples, 16_000));
});

test("lost packets are one stretch", () => {
  const samples = sound(4);
  for (let at = 1; at < 3; at += 0.1) samples.fill(0, Math.round(at * RATE), Math.round((at + 0.02) * RATE));
  const stretches = holesOf(samples);
  expect(stretches).toHaveLength(1);
  expect(stretches[0]?.silentSeconds).toBeCloseTo(0.4, 2);
});

test("silence after a sound that fades, and at both ends, is no hole", () => {
  const fading = sound(4, (time) => 0.1 * Math.exp(-6 * (time % 2)));
  expect(holesOf(withHole(fading, 1.5, 2))).toEqual([]);
  expect(holesOf(withHole(sound(4), 0, 1))).toEqual([]);
  expect(holesOf(withHole(sound(4), 3, 4))).toEqual([]);
});

test("silence that is reported as a gap of the file is no hole", () => {
  const holes = new Holes();
  holes.push(sound(1));
  holes.interrupt(RATE / 2);
  holes.push(sound(1));
  expect(holes.stretches).toEqual([]);
  holes.push(withHole(sound(2), 0.5, 1));
  expect(holes.stretches[0]?.startSeconds).toBeCloseTo(3, 3);
});

test("a recording of speech has none, and one in which its words are cut has", async () => {
  const speech = repeated(await decodeSpeech(), 3, 0.5);
  expect(holesOf(speech)).toEqual([]);
  const loudest = speech.reduce((best, value, at) => (Math.abs(value) > Math.abs(speech[best] ?? 0) ? at : best), 0);
  const from = Math.max(0, loudest / RATE - 0.1);
  expect(holesOf(withHole(speech, from, from + 0.1))).toHaveLength(1);
});

test("only holes between speech count, from 0.15 s in all", () => {
  const stretches = [
    { startSeconds: 1, endSeconds: 1.5, silentSeconds: 0.5 },
    { startSeconds: 6, endSeconds: 6.5, silentSeconds: 0.5 },
  ];
  const speech = Float32Array.from({ length: 300 }, (_, at) => (at * WINDOW_SECONDS < 3 ? 0.9 : 0));
  expect(holesInSpeech(stretches, speech, WINDOW_SECONDS)).toEqual([stretches[0]]);
  const short = [{ startSeconds: 1, endSeconds: 1.1, silentSeconds: 0.1 }];
  expect(holesInSpeech(short, speech, WINDOW_SECONDS)).toEqual([]);
});

test("the warning names the places", () => {
  expect(holesWarning([{ startSeconds: 1, endSeconds: 1.5, silentSeconds: 0.5 }])).toContain("0.5 s of digital");
});
