// Audio in another format than its session names is detected, and sound is not. signal-check.slow.test.ts: recordings.
import { describe, expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { noise } from "../../../test/fixtures/recordings.ts";
import { expectPlausible, PCM, warningOf } from "../../../test/fixtures/signal-warning.ts";
import { decodeSpeech, encodeAlaw, encodePcm, encodeUlaw } from "../../../test/fixtures/speech.ts";
import type { StreamFormat } from "./stream-format.ts";

/** The same samples encoded for a given reader. */
function written(samples: Float32Array, bytes: number, write: (buffer: Buffer, value: number, at: number) => void) {
  const buffer = Buffer.alloc(samples.length * bytes);
  for (const [index, value] of samples.entries()) write(buffer, value, index * bytes);
  return buffer;
}

const whole = (value: number, bits: number) => Math.round(value * (2 ** (bits - 1) - 1));
const bigEndian = (samples: Float32Array) =>
  written(samples, 2, (buffer, value, at) => void buffer.writeInt16BE(whole(value, 16), at));
const floats = (samples: Float32Array) =>
  written(samples, 4, (buffer, value, at) => void buffer.writeFloatLE(value, at));

const sentence = await decodeSpeech();
const speech = Float32Array.from({ length: 4 * sentence.length }, (_, at) => sentence[at % sentence.length] as number);

describe("speech decoded in the wrong format", () => {
  test.each<[string, Buffer, Partial<StreamFormat>, RegExp]>([
    ["big-endian samples", bigEndian(speech), {}, /big-endian 16-bit/],
    ["floating-point samples", floats(speech), {}, /floating-point/],
    ["floating-point samples in a session of 32 bits", floats(speech), { bitDepth: 32 }, /floating-point/],
    ["24-bit samples", encodePcm([speech], 24), {}, /24-bit/],
    ["32-bit samples", encodePcm([speech], 32), {}, /32-bit/],
    ["8-bit samples", encodePcm([speech], 8), {}, /unsigned 8-bit/],
    ["mu-law", encodeUlaw(speech), {}, /mu-law/],
    ["A-law", encodeAlaw(speech), {}, /A-law/],
    ["PCM in a mu-law session", encodePcm([speech]), { encoding: "wav/ulaw", bitDepth: 8 }, /16-bit/],
    ["PCM in an A-law session", encodePcm([speech]), { encoding: "wav/alaw", bitDepth: 8 }, /16-bit/],
    ["samples one byte out of step", Buffer.concat([Buffer.of(1), encodePcm([speech])]), {}, /out of step/],
    ["base64", Buffer.from(encodePcm([speech]).toString("base64")), {}, /base64/],
  ])("%s are named", (_what, bytes, format, name) => {
    expect(warningOf(bytes, { ...PCM, ...format })).toMatch(name);
  });

  test("data without structure is named as such", () => {
    const random = randomOf(1);
    const bytes = Buffer.from(Uint8Array.from({ length: 200_000 }, () => random() * 256));
    expect(warningOf(bytes)).toMatch(/compressed or encrypted/);
  });
});

test("sound, whether loud, quiet, clipped or silent, is never suspicious", () => {
  for (const sound of [speech, noise(4, 0.5), noise(4, 0.01), new Float32Array(64_000)]) expectPlausible(sound);
});
