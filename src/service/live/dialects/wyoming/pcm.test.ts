import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIn, PcmConverter, type SampleFormat, sessionFormat } from "./pcm.ts";

const MONO_16K = { rate: 16_000, width: 2, channels: 1 };

/** A tone in any format, in every channel. */
function tone({ rate, width, channels }: SampleFormat, seconds: number): Buffer {
  const frames = Math.round(rate * seconds);
  const bytes = Buffer.alloc(frames * width * channels);
  const scale = 2 ** (width * 8 - 1) - 1;
  for (let frame = 0; frame < frames; frame++) {
    const value = Math.round(0.5 * scale * Math.sin((2 * Math.PI * 440 * frame) / rate));
    for (let channel = 0; channel < channels; channel++) {
      const at = (frame * channels + channel) * width;
      if (width === 1) bytes.writeUInt8(value + 128, at);
      else bytes.writeIntLE(value, at, width);
    }
  }
  return bytes;
}

function converted(from: SampleFormat, pieces: readonly Buffer[]): Buffer {
  const converter = new PcmConverter(MONO_16K);
  return Buffer.concat([converter.begin(from), ...pieces.map((piece) => converter.push(piece)), converter.end()]);
}

test("a session has the client's format where it is one channel at a usual rate", () => {
  expect(sessionFormat({ rate: 44_100, width: 3, channels: 1 })).toEqual({ rate: 44_100, width: 3, channels: 1 });
  expect(sessionFormat({ rate: 48_000, width: 4, channels: 2 })).toEqual({ rate: 48_000, width: 2, channels: 1 });
  expect(sessionFormat({ rate: 22_050, width: 2, channels: 1 })).toEqual(MONO_16K);
});

test.each([
  { rate: 48_000, width: 2, channels: 2 },
  { rate: 22_050, width: 1, channels: 1 },
  { rate: 44_100, width: 3, channels: 1 },
  { rate: 8_000, width: 4, channels: 8 },
  { rate: 192_000, width: 2, channels: 1 },
])("%o becomes the same sound in the session's format", (from) => {
  const bytes = converted(from, [tone(from, 0.5)]);
  const wanted = tone(MONO_16K, 0.5);
  expect(Math.abs(bytes.length - wanted.length)).toBeLessThanOrEqual(2);
  // Away from the edges, where the filter lacks samples.
  let worst = 0;
  for (let at = 1_000; at < wanted.length - 1_000; at += 2) {
    worst = Math.max(worst, Math.abs(bytes.readInt16LE(at) - wanted.readInt16LE(at)));
  }
  expect(worst).toBeLessThan(600);
});

test("any division of the bytes gives the same samples", () => {
  const from = { rate: 44_100, width: 3, channels: 2 };
  const bytes = tone(from, 0.05);
  const whole = converted(from, [bytes]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 }), (places) => {
      const cuts = [0, ...places.sort((left, right) => left - right), bytes.length];
      const pieces = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
      expect(converted(from, pieces).equals(whole)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("a format that changes between samples is converted; within a sample it is refused", () => {
  const converter = new PcmConverter(MONO_16K);
  const stereo = { rate: 48_000, width: 2, channels: 2 };
  const first = converter.push(tone(MONO_16K, 0.1));
  const held = converter.begin(stereo);
  const second = converter.push(tone(stereo, 0.1));
  const rest = converter.begin(MONO_16K);
  expect(first.length).toBe(3_200);
  expect(held.length + second.length + rest.length).toBe(3_200);
  converter.push(Buffer.alloc(3));
  expect(converter.incompleteBytes).toBe(1);
  expect(() => converter.begin(stereo)).toThrow(/changes within a sample/);
});

test("a format that is not supported is refused by its name, and what an event leaves out is that of the one before", () => {
  expect(formatIn({ rate: 16_000, width: 2, channels: 1, timestamp: null })).toEqual(MONO_16K);
  expect(formatIn({ rate: null }, MONO_16K)).toEqual(MONO_16K);
  expect(() => formatIn({ rate: 44_101, width: 2.5, channels: "2" })).toThrow(
    /rate must be one of .*44101; width must be .*2\.5; channels must be .*"2"/,
  );
  expect(() => formatIn({})).toThrow(/rate .* it is missing/);
});
