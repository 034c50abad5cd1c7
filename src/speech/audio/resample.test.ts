import { expect, test } from "vitest";
import { Resampler } from "./resample.ts";

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / rate));

function all(input: Float32Array, rate: number, pieces: number[]): Float32Array {
  const resampler = new Resampler(rate, 16_000);
  const parts: Float32Array[] = [];
  let at = 0;
  for (let index = 0; at < input.length; index++) {
    const size = pieces[index % pieces.length] as number;
    parts.push(resampler.push(input.slice(at, at + size)));
    at += size;
  }
  parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

test.each([8_000, 16_000, 32_000, 44_100, 48_000])("a tone at %d Hz is preserved", (rate) => {
  const output = all(tone(440, rate, 0.5), rate, [1_000]);
  const expected = tone(440, 16_000, 0.5);
  expect(Math.abs(output.length - expected.length)).toBeLessThanOrEqual(1);
  for (let at = 200; at < expected.length - 200; at++) {
    expect(Math.abs((output[at] as number) - (expected[at] as number))).toBeLessThan(0.02);
  }
});

test("frequencies above the new Nyquist frequency are removed", () => {
  const output = all(tone(12_000, 48_000, 0.2), 48_000, [960]);
  expect(Math.max(...output.slice(200, -200).map(Math.abs))).toBeLessThan(0.01);
});

test.each([8_000, 44_100, 48_000])("any split of the input at %d Hz gives the same output", (rate) => {
  const input = tone(300, rate, 0.2);
  const whole = all(input, rate, [input.length]);
  for (const pieces of [[1], [7, 300, 2], [441]]) expect(all(input, rate, pieces)).toEqual(whole);
});

test("it can start anywhere and gives the same output", () => {
  const rate = 44_100;
  const input = tone(500, rate, 0.3);
  const whole = all(input, rate, [input.length]);
  const resampler = new Resampler(rate, 16_000, 1_000);
  const rest = resampler.push(input.slice(resampler.inputStart(1_000)));
  expect([...rest]).toEqual([...whole.slice(1_000, 1_000 + rest.length)]);
});
