// Audio in another format than its session names is detected, and sound is not. signal-check.slow.test.ts: recordings.
import { describe, expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { noise, tone } from "../../../test/fixtures/recordings.ts";
import { expectPlausible, PCM, warningOf } from "../../../test/fixtures/signal-warning.ts";
import { MUSIC } from "../../../test/fixtures/sounds.ts";
import { atRate, decodeSpeech, encodeAlaw, encodePcm, encodeUlaw } from "../../../test/fixtures/speech.ts";
import { TELEPHONE_TONES } from "../../../test/fixtures/telephone-tones.ts";
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
const unsigned = (samples: Float32Array) =>
  written(samples, 2, (buffer, value, at) => void buffer.writeUInt16LE(whole(value, 16) + 32_768, at));
/** Big-endian, from 16 bits: the low halves are zero. */
const widened = (samples: Float32Array) =>
  written(samples, 4, (buffer, value, at) => void buffer.writeInt16BE(whole(value, 16), at));
const floats = (samples: Float32Array) =>
  written(samples, 4, (buffer, value, at) => void buffer.writeFloatLE(value, at));

const sentence = await decodeSpeech();
const speech = Float32Array.from({ length: 4 * sentence.length }, (_, at) => sentence[at % sentence.length] as number);

const MU_LAW: Partial<StreamFormat> = { encoding: "wav/ulaw", bitDepth: 8 };
const A_LAW: Partial<StreamFormat> = { encoding: "wav/alaw", bitDepth: 8 };
const telephone = atRate(speech, 8_000);
const otherVoice = speech.map((_, at) => 0.7 * (speech[(at + 20_000) % speech.length] as number));
const later = speech.map((_, at) => 0.8 * (speech[at - 3] ?? 0) + 0.3 * (speech[at - 40] ?? 0));
const interleaved = Float32Array.from({ length: 2 * speech.length }, (_, at) => speech[at >> 1] as number);

describe("speech decoded in the wrong format", () => {
  test.each<[string, Buffer, Partial<StreamFormat>, RegExp]>([
    ["big-endian samples", bigEndian(speech), {}, /big-endian 16-bit/],
    ["floating-point samples", floats(speech), {}, /floating-point/],
    ["floating-point samples in a session of 32 bits", floats(speech), { bitDepth: 32 }, /floating-point/],
    ["16-bit samples in a session of 32 bits", encodePcm([speech]), { bitDepth: 32 }, /16-bit/],
    ["unsigned samples", unsigned(speech), {}, /unsigned 16-bit/],
    ["big-endian samples in a session of 32 bits", encodePcm([speech], 32).swap32(), { bitDepth: 32 }, /big-endian 32/],
    ["widened big-endian samples in a session of 32 bits", widened(speech), { bitDepth: 32 }, /big-endian 32/],
    ["24-bit samples", encodePcm([speech], 24), {}, /24-bit/],
    ["32-bit samples", encodePcm([speech], 32), {}, /32-bit/],
    ["8-bit samples", encodePcm([speech], 8), {}, /unsigned 8-bit/],
    ["mu-law", encodeUlaw(speech), {}, /mu-law/],
    ["A-law", encodeAlaw(speech), {}, /A-law/],
    ["PCM in a mu-law session", encodePcm([speech]), { encoding: "wav/ulaw", bitDepth: 8 }, /16-bit/],
    ["PCM in an A-law session", encodePcm([speech]), { encoding: "wav/alaw", bitDepth: 8 }, /16-bit/],
    ["samples one byte out of step", Buffer.concat([Buffer.of(1), encodePcm([speech])]), {}, /out of step/],
    ["A-law in a mu-law session", encodeAlaw(telephone), { ...MU_LAW, sampleRate: 8_000 }, /A-law/],
    ["mu-law in an A-law session", encodeUlaw(telephone), { ...A_LAW, sampleRate: 8_000 }, /mu-law/],
    ["two equal channels in a session of one", encodePcm([speech, speech]), {}, /two channels/],
    ["a caller and an agent in a session of one channel", encodePcm([speech, otherVoice]), {}, /two channels/],
    ["a silent second channel in a session of one", encodePcm([speech, noise(16, 1e-4)]), {}, /two channels/],
    [
      "24-bit samples of two channels in a session of one",
      encodePcm([speech, speech], 24),
      { bitDepth: 24 },
      /two channels/,
    ],
    ["mu-law of two channels in a session of one", encodeUlaw(interleaved), MU_LAW, /two channels/],
    ["one channel in a session of two", encodePcm([speech]), { channels: 2 }, /one channel/],
    ["a second channel at half the level", encodePcm([speech, speech.map((value) => value / 2)]), {}, /two channels/],
    ["a second microphone, later and quieter", encodePcm([speech, later]), {}, /two channels/],
    ["A-law of two channels in a mu-law session", encodeAlaw(interleaved), { ...MU_LAW, channels: 2 }, /A-law/],
    ["quiet A-law in a mu-law session", encodeAlaw(telephone.map((value) => value / 50)), MU_LAW, /A-law/],
    ["hexadecimal digits", Buffer.from(encodePcm([speech]).toString("hex")), {}, /text/],
    ["base64", Buffer.from(encodePcm([speech]).toString("base64")), {}, /base64/],
  ])("%s are named", (_what, bytes, format, name) => {
    expect(warningOf(bytes, { ...PCM, ...format })).toMatch(name);
  });

  test("the warning states the declared format, the likely one, and what to declare", () => {
    expect(warningOf(encodeAlaw(telephone), { ...PCM, ...MU_LAW, sampleRate: 8_000 })).toBe(
      "the audio is probably not in the format of the session: it is read as wav/ulaw with 1 channel, " +
        'and its bytes look like A-law; open the session with the encoding "wav/alaw" and the bit_depth 8',
    );
    expect(warningOf(encodePcm([speech, otherVoice]))).toMatch(
      /16-bit PCM with 1 channel, .*two channels.*channels 2 if they are two; send each sample once if it is one$/,
    );
  });

  test("the warning comes within three seconds of speech", () => {
    const seconds = 3 * 16_000;
    expect(warningOf(encodePcm([speech.subarray(0, seconds), later.subarray(0, seconds)]))).toMatch(/two channels/);
    expect(warningOf(encodeAlaw(speech.subarray(0, seconds)), { ...PCM, ...MU_LAW })).toMatch(/A-law/);
  });

  test("data without structure is named as such", () => {
    const random = randomOf(1);
    const bytes = Buffer.from(Uint8Array.from({ length: 200_000 }, () => random() * 256));
    expect(warningOf(bytes)).toMatch(/compressed or encrypted/);
  });
});

test("speech after a long silence is checked from its start on", () => {
  const silence = encodePcm([new Float32Array(20 * 16_000)]);
  const bytes = Buffer.concat([silence, bigEndian(speech).subarray(0, 96_000)]);
  expect(warningOf(bytes)).toMatch(/big-endian/);
});

test("sound, whether loud, quiet, clipped or silent, is never suspicious", () => {
  const tones = Object.values(TELEPHONE_TONES).map((tone) => tone(4, 2));
  const music = Object.values(MUSIC).map((one) => one(4, 2));
  const others = [noise(4, 0.5), noise(4, 0.01), new Float32Array(64_000), tone(4, 4_000), tone(4, 2_000)];
  for (const sound of [speech, atRate(atRate(speech, 8_000), 32_000), ...others, ...tones, ...music])
    expectPlausible(sound);
});

test("noise in one channel and speech in the other are the declared format", () => {
  for (const level of [1e-3, 1e-2, 0.1]) {
    const hiss = noise(speech.length / 16_000, level);
    for (const bits of [16, 24] as const) {
      for (const channels of [
        [hiss, speech],
        [speech, hiss],
      ])
        expect(warningOf(encodePcm(channels, bits), { ...PCM, bitDepth: bits, channels: 2 })).toBeUndefined();
    }
  }
});

test("the noise of a line before the call does not use up the windows that are checked", () => {
  const line = noise(12, 3e-4);
  const samples = Float32Array.from([...line, ...telephone]);
  expect(warningOf(encodeAlaw(samples), { ...PCM, ...MU_LAW, sampleRate: 8_000 })).toMatch(/A-law/);
});

test("two microphones at any distance are two channels", () => {
  for (const samples of [-3, -2, -1, -0.75, -0.25, 0.25, 0.75, 1, 2, 3]) {
    const moved = speech.map((_, at) => {
      const whole = Math.floor(at - samples);
      const part = at - samples - whole;
      return (speech[whole] ?? 0) * (1 - part) + (speech[whole + 1] ?? 0) * part;
    });
    expect(warningOf(encodePcm([speech, moved]), { ...PCM, channels: 2 })).toBeUndefined();
  }
});

test("two voices in the channels of a telephone session are not taken for another format", () => {
  for (const [encode, law] of [
    [encodeUlaw, MU_LAW],
    [encodeAlaw, A_LAW],
  ] as const) {
    const both = Float32Array.from(
      { length: interleaved.length },
      (_, at) => (at % 2 === 0 ? speech : otherVoice)[at >> 1] as number,
    );
    expect(warningOf(encode(both), { ...PCM, ...law, channels: 2 })).toBeUndefined();
  }
});
