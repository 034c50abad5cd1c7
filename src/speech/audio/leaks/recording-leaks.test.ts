// Leaks between the channels of a recording, also those that are later than the adaptive filter reaches.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeSpeech, repeated } from "../../../../test/fixtures/speech.ts";
import { fromPcm16 } from "../samples.ts";
import { BLOCK_SAMPLES } from "./blocks.ts";
import { removeLeaks } from "./recording-leaks.ts";

const RATE = 16_000;
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-late-leaks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let speech: Float32Array;
let other: Float32Array;
beforeAll(async () => {
  speech = repeated(await decodeSpeech(), 4, 0.7);
  // Another voice: backwards, so that it says nothing of the first.
  other = speech.toReversed();
});

const later = (samples: Float32Array, seconds: number, decibels: number) =>
  samples.map((_, at) => 10 ** (decibels / 20) * (samples[at - Math.round(seconds * RATE)] ?? 0));
const sum = (one: Float32Array, second: Float32Array) => one.map((value, at) => value + (second[at] as number));
const decibels = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((total, value) => total + value * value, 1e-12) / samples.length);

function removed(channels: readonly Float32Array[]) {
  const files = channels.map((_, channel) => path.join(folder, `channel-${channel}`));
  for (const [channel, samples] of channels.entries()) {
    const integers = Int16Array.from(samples, (value) => Math.round(value * 32_767));
    writeFileSync(files[channel] as string, Buffer.from(integers.buffer));
  }
  const steps = removeLeaks(
    files,
    files.map((file) => `${file}.clean`),
  );
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { leaks, leakOnly } = step.value;
  const cleaned = (channel: number) => fromPcm16(readFileSync(`${files[channel]}.clean`));
  return { leaks, leakOnly, cleaned };
}

test.each([
  [0.5, 0],
  [0.9, -10],
  [2, -20],
])("the same speech %f s later at %f dB in the other channel is removed", (seconds, level) => {
  const copy = later(speech, seconds, level);
  const { leaks, cleaned } = removed([speech, copy]);
  expect(leaks).toEqual([{ from: 0, to: 1 }]);
  expect(cleaned(1)).toHaveLength(copy.length);
  expect(decibels(cleaned(1))).toBeLessThan(decibels(copy) - 20);
});

test("a late echo is removed from another voice, which stays", () => {
  const { leaks, cleaned } = removed([speech, sum(other, later(speech, 0.9, -10))]);
  expect(leaks).toEqual([{ from: 0, to: 1 }]);
  const difference = cleaned(1).map((value, at) => value - (other[at] as number));
  expect(decibels(difference)).toBeLessThan(decibels(other) - 9);
  expect(Math.abs(decibels(cleaned(1)) - decibels(other))).toBeLessThan(1);
});

test("of late echoes in both directions, the clearer one is removed", () => {
  const { leaks } = removed([sum(speech, later(other, 0.7, -10)), sum(other, later(speech, 1.2, -10))]);
  expect(leaks).toHaveLength(1);
});

test.each([
  [2.4, 2, 0.6],
  [2, 1.3, 0.7],
])(
  "a prompt every %f s that lasts %f s, and its echo %f s later, stays in one of the channels",
  (period, length, delay) => {
    const prompt = speech.map((_, at) => {
      const within = at % Math.round(period * RATE);
      return within < length * RATE ? (speech[within] as number) : 0;
    });
    const { leaks, cleaned } = removed([prompt, later(prompt, delay, 0)]);
    expect(leaks.length).toBeLessThanOrEqual(1);
    const levels = leaks.map(({ to }) => decibels(to === 0 ? later(prompt, delay, 0) : prompt));
    expect(levels.every((level) => level > decibels(prompt) - 1)).toBe(true);
    if (leaks[0]) expect(decibels(cleaned(leaks[0].to))).toBeLessThan(decibels(prompt));
  },
);

test("a channel has stretches with nothing but a leak while only its source speaks, from the start", () => {
  const near = other.map((value, at) => (at > 0.6 * other.length ? value : 0));
  const { leakOnly } = removed([sum(near, later(speech, 0.08, -15)), speech]);
  const [stretches = []] = leakOnly;
  const blocks = stretches.reduce((total, [from, until]) => total + until - from, 0);
  expect(stretches[0]?.[0]).toBeGreaterThanOrEqual(0);
  expect(stretches[0]?.[0]).toBeLessThan((0.5 * RATE) / BLOCK_SAMPLES);
  expect(blocks * BLOCK_SAMPLES).toBeGreaterThan(0.3 * near.length);
});

test("two voices without an echo stay as they are", () => {
  const { leaks, leakOnly } = removed([speech, other]);
  expect([leaks, leakOnly]).toEqual([[], [[], []]]);
});

test("one sound in both channels at once is no late leak, even if it repeats", () => {
  const loop = speech.map((_, at) => speech[RATE + (at % (0.75 * RATE))] as number);
  expect(removed([loop, loop]).leaks).toEqual([]);
});
