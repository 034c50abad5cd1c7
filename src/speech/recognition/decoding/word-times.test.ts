import { expect, test } from "vitest";
import { frameEnergies } from "../../audio/frame-energies.ts";
import { alignTokens, lastAttendedFrame, plausibleWords, silenceLevel, trimSilence } from "./word-times.ts";

test("tokens follow the frames that they attend to", () => {
  // Three tokens on six frames: 0-1, 2-3, 4-5.
  const attention = Float32Array.from(
    [
      [0.5, 0.5, 0, 0, 0, 0],
      [0, 0, 0.5, 0.5, 0, 0],
      [0, 0, 0, 0, 0.5, 0.5],
    ].flat(),
  );
  expect(alignTokens(attention, 3, 6)).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 4 },
    { start: 4, end: 6 },
  ]);
});

test("starts and ends never decrease and every token has a frame, for any attention", () => {
  for (let seed = 1; seed < 50; seed++) {
    const tokens = 1 + (seed % 9);
    const frames = 1 + ((seed * 7) % 13);
    const attention = Float32Array.from({ length: tokens * frames }, (_, at) => Math.abs(Math.sin(seed * (at + 1))));
    const spans = alignTokens(attention, tokens, frames);
    expect(spans).toHaveLength(tokens);
    for (const [index, span] of spans.entries()) {
      expect(span.end).toBeGreaterThan(span.start);
      expect(span.end).toBeLessThanOrEqual(frames);
      expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.start ?? 0);
      expect(span.end).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
    }
  }
  expect(alignTokens(new Float32Array(), 0, 5)).toEqual([]);
});

test("frames without attention behind a token are not its last one", () => {
  const row = Float32Array.from([0.9, 0.01, 0.5, 0.2, 0.03, 0.01, 0.02, 0.9]);
  expect(lastAttendedFrame(row, { start: 1, end: 7 })).toBe(4);
  expect(lastAttendedFrame(row, { start: 2, end: 4 })).toBe(3);
  expect(lastAttendedFrame(new Float32Array(8), { start: 2, end: 6 })).toBe(5);
});

test("silent frames at the edges of a word are trimmed, but never the whole word", () => {
  const samples = new Float32Array(384 * 10).map((_, at) => (at >= 384 * 3 && at < 384 * 7 ? 0.5 : 0.0001));
  const energies = frameEnergies(samples, 10, 384);
  const silence = silenceLevel(energies);
  expect(trimSilence({ start: 0, end: 10 }, energies, silence)).toEqual({ start: 3, end: 7 });
  expect(trimSilence({ start: 0, end: 3 }, energies, silence)).toEqual({ start: 1, end: 3 });
});

test("digital silence around the audio does not make quiet frames count as speech", () => {
  const FRAME = 384;
  const loudness = (frame: number) => (frame < 8 ? 0 : frame < 12 ? 0.0001 : 0.3);
  const samples = new Float32Array(FRAME * 20).map((_, at) => loudness(Math.floor(at / FRAME)));
  const energies = frameEnergies(samples, 20, FRAME);
  expect(trimSilence({ start: 0, end: 20 }, energies, silenceLevel(energies))).toEqual({ start: 12, end: 20 });
});

test("words that all start in one frame were not spoken; two may share any frame but the last", () => {
  expect(plausibleWords([0, 4, 9], 12)).toEqual([true, true, true]);
  expect(plausibleWords([1, 4, 4, 9], 12)).toEqual([true, true, true, true]);
  expect(plausibleWords([1, 4, 4, 4, 9], 12)).toEqual([true, false, false, false, true]);
  expect(plausibleWords([1, 11], 12)).toEqual([true, true]);
  expect(plausibleWords([1, 11, 11], 12)).toEqual([true, false, false]);
  expect(plausibleWords([], 0)).toEqual([]);
});
