import { expect, test } from "vitest";
import { initialRumble, removeRumble, withoutRumble } from "./rumble.ts";

const WINDOW = 512;
const SECOND = 31 * WINDOW;
const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
const decibels = (samples: Float32Array) => 10 * Math.log10(power(samples));

/** @param level  dBFS */
const tone = (frequency: number, level: number, samples = 2 * SECOND) =>
  Float32Array.from(
    { length: samples },
    (_, at) => Math.SQRT2 * 10 ** (level / 20) * Math.sin((2 * Math.PI * frequency * at) / 16_000),
  );
const mixed = (...parts: Float32Array[]) =>
  (parts[0] as Float32Array).map((_, at) => parts.reduce((sum, part) => sum + (part[at] as number), 0));

function inWindows(samples: Float32Array, state = initialRumble()): Float32Array {
  const copy = samples.slice();
  for (let from = 0; from < copy.length; from += WINDOW) removeRumble(copy.subarray(from, from + WINDOW), state);
  return copy;
}

test("a voice is left as it is, also with less rumble than voice, and in a quiet background of rumble", () => {
  const voice = tone(300, -25);
  const both = mixed(voice, tone(40, -25));
  const background = tone(40, -55);
  for (const samples of [voice, both, background, tone(110, -20)]) {
    expect(inWindows(samples)).toEqual(samples);
    expect(withoutRumble(samples)).toBe(samples);
  }
});

test("hum and a constant offset that are most of the sound are removed, without a transient", () => {
  const voice = tone(400, -30);
  const offset = new Float32Array(voice.length).fill(0.3);
  for (const rumble of [tone(50, -16), offset]) {
    const samples = mixed(voice, rumble);
    for (const cleaned of [inWindows(samples), withoutRumble(samples)]) {
      expect(decibels(cleaned.slice(0, 4 * WINDOW))).toBeLessThan(-25);
      expect(decibels(cleaned.slice(-SECOND))).toBeCloseTo(-30, 0);
    }
  }
});

test.each([50, 85])("a hum of %i Hz that is 24 dB louder than the voice is quieter afterwards", (hertz) => {
  const voice = tone(400, -30);
  for (const cleaned of [inWindows(mixed(voice, tone(hertz, -6))), withoutRumble(mixed(voice, tone(hertz, -6)))]) {
    const level = decibels(cleaned.slice(-SECOND));
    if (hertz === 50) expect(level).toBeCloseTo(-30, 0);
    else expect(level).toBeLessThan(-16);
  }
});

test("the stored state of an earlier version, with fewer sections, continues", () => {
  const state = { ...initialRumble(), offset: 0, memory: [0, 0, 0, 0] };
  expect(inWindows(mixed(tone(400, -30), tone(50, -16)), state).every(Number.isFinite)).toBe(true);
});

test("the result does not depend on how the audio is split into calls", () => {
  const samples = mixed(tone(400, -40), tone(30, -20));
  const state = initialRumble();
  const first = inWindows(samples.subarray(0, SECOND), state);
  const second = inWindows(samples.subarray(SECOND), structuredClone(state));
  expect(Float32Array.from([...first, ...second])).toEqual(inWindows(samples));
});

test("empty audio stays empty", () => {
  expect(withoutRumble(new Float32Array(0))).toHaveLength(0);
});
