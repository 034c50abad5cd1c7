// WAV files whose header states another format than that of their samples are read by the samples, and right ones by the header.
import { expect, test } from "vitest";
import { randomOf } from "../../../../../test/fixtures/random.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { noise, tone } from "../../../../../test/fixtures/recordings.ts";
import { MUSIC } from "../../../../../test/fixtures/sounds.ts";
import { decodeSpeech, encodeAlaw, encodePcm, encodeUlaw } from "../../../../../test/fixtures/speech.ts";

const RATE = 16_000;
/** Codes of WAV. */
const [PCM, FLOAT, ALAW, ULAW, EXTENSIBLE] = [1, 3, 6, 7, 0xfffe];

interface Stated {
  code?: number;
  bits?: number;
  channels?: number;
  /** In a header of the extensible form. */
  validBits?: number;
}

function wave(data: Buffer, { code = PCM, bits = 16, channels = 1, validBits }: Stated = {}): Buffer {
  const isExtensible = validBits !== undefined;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? EXTENSIBLE : code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(RATE, 4);
  format.writeUInt32LE((RATE * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (isExtensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(validBits, 18);
    format.writeUInt32LE(4, 20);
    Buffer.from("000000001000800000aa00389b71", "hex").copy(format, 26);
    format.writeUInt16LE(code, 24);
  }
  const lengths = [28 + format.length - 8 + data.length, format.length, data.length].map((length) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(length);
    return bytes;
  });
  const [whole, head, sound] = lengths as [Buffer, Buffer, Buffer];
  return Buffer.concat([
    Buffer.from("RIFF"),
    whole,
    Buffer.from("WAVEfmt "),
    head,
    format,
    Buffer.from("data"),
    sound,
    data,
  ]);
}

const sentence = await decodeSpeech();
const speech = Float32Array.from({ length: 4 * sentence.length }, (_, at) => sentence[at % sentence.length] as number);
const short = encodePcm([speech]);
const bytesOf = (
  bytes: number,
  write: (buffer: Buffer, value: number, at: number) => void,
  samples: Float32Array = speech,
) => {
  const buffer = Buffer.alloc(samples.length * bytes);
  for (const [index, value] of samples.entries()) write(buffer, value, index * bytes);
  return buffer;
};
const random = randomOf(7);
/** The low half is not that of 16-bit samples. */
const wide = (value: number) => Math.trunc(value * (2 ** 31 - 2 ** 16) + 2 ** 16 * random());

/** Correlation of decoded samples with the speech. */
function likeness(samples: Int16Array): number {
  let [both, own, others] = [0, 0, 0];
  for (const [at, value] of samples.entries()) {
    const right = speech[at] ?? 0;
    both += value * right;
    own += value * value;
    others += right * right;
  }
  return both / Math.sqrt(own * others);
}

const unsigned16 = bytesOf(
  2,
  (buffer, value, at) => void buffer.writeUInt16LE(Math.trunc(value * 32_767) + 32_768, at),
);
const signed8 = bytesOf(1, (buffer, value, at) => void buffer.writeInt8(Math.trunc(value * 127), at));
const floats = bytesOf(4, (buffer, value, at) => void buffer.writeFloatLE(value, at));
const bigFloats = bytesOf(4, (buffer, value, at) => void buffer.writeFloatBE(value, at));
const wides = bytesOf(4, (buffer, value, at) => void buffer.writeInt32LE(wide(value), at));
const bigWides = bytesOf(4, (buffer, value, at) => void buffer.writeInt32BE(wide(value), at));

test.each<[string, Buffer, Stated]>([
  ["big-endian 16-bit PCM", Buffer.from(short).swap16(), {}],
  ["unsigned 16-bit PCM", unsigned16, {}],
  ["16-bit PCM that is one byte out of step", Buffer.concat([Buffer.alloc(1), short, Buffer.alloc(1)]), {}],
  ["signed 8-bit PCM", signed8, { bits: 8 }],
  ["mu-law", encodeUlaw(speech), { bits: 8 }],
  ["A-law", encodeAlaw(speech), { bits: 8, code: ULAW }],
  ["mu-law", encodeUlaw(speech), { bits: 8, code: ALAW }],
  ["little-endian 32-bit floating-point samples", floats, { bits: 32 }],
  ["big-endian 32-bit floating-point samples", bigFloats, { bits: 32, code: FLOAT }],
  ["little-endian 32-bit PCM", wides, { bits: 32, code: FLOAT }],
  ["big-endian 32-bit PCM", bigWides, { bits: 32 }],
  ["audio of one channel", short, { channels: 2 }],
  ["audio of two channels, or of one with every sample twice", encodePcm([speech, speech]), {}],
])("%s under another header", async (name, data, stated) => {
  const { probe, decoded, samples } = await readMedia(wave(data, stated));
  expect(decoded.warnings).toEqual([expect.stringMatching(/^The file's header states .*; they were read as such$/)]);
  expect(decoded.warnings[0]).toContain(`its samples are ${name};`);
  expect(probe.durationSeconds).toBeCloseTo(speech.length / RATE, 2);
  expect(probe.extension).toBe("wav");
  expect(decoded.durationSeconds).toBeCloseTo(speech.length / RATE, 2);
  expect(likeness(samples)).toBeGreaterThan(0.98);
});

/** Half of the speech: ten windows. */
const half = 2 * (speech.length >> 1);
const swapped = Buffer.from(short).swap16();
test.each<[string, Buffer[], RegExp]>([
  [
    "big-endian from the middle on",
    [short.subarray(0, half), swapped.subarray(half)],
    /from \d\.\d s to 1\d\.\d s its samples are big-endian 16-bit PCM/,
  ],
  [
    "big-endian up to the middle",
    [swapped.subarray(0, half), short.subarray(half)],
    /from 0\.0 s to \d\.\d s its samples are big-endian 16-bit PCM/,
  ],
  [
    "a byte short in the middle",
    [short.subarray(0, half + 1), short.subarray(half + 2)],
    /from \d\.\d s to 1\d\.\d s its samples are 16-bit PCM that is one byte out of step/,
  ],
])("samples that are %s", async (_, pieces, warning) => {
  const { probe, decoded, samples } = await readMedia(wave(Buffer.concat(pieces)));
  expect(decoded.warnings).toEqual([expect.stringMatching(warning)]);
  expect(probe.durationSeconds).toBeCloseTo(speech.length / RATE, 2);
  const quarter = speech.length / 4;
  expect(likeness(samples.subarray(0, quarter))).toBeGreaterThan(0.98);
  const rest = samples.subarray(3 * quarter - 1);
  expect(Math.max(likeness(rest), likeness(rest.subarray(1)))).toBeGreaterThan(0.98);
});

const RIGHT: [string, (samples: Float32Array) => Buffer, Stated][] = [
  ["16 bits", (samples) => encodePcm([samples]), {}],
  ["two channels", (samples) => encodePcm([samples, samples.map((value) => value / 2)]), { channels: 2 }],
  [
    "32 bits",
    (samples) => bytesOf(4, (buffer, value, at) => void buffer.writeInt32LE(wide(value), at), samples),
    { bits: 32 },
  ],
  [
    "floats",
    (samples) => bytesOf(4, (buffer, value, at) => void buffer.writeFloatLE(value, at), samples),
    { bits: 32, code: FLOAT },
  ],
  ["mu-law", encodeUlaw, { bits: 8, code: ULAW }],
  ["A-law", encodeAlaw, { bits: 8, code: ALAW }],
];
const SOUNDS: [string, Float32Array][] = [
  ["speech", speech],
  ["clipped speech", speech.map((value) => Math.max(-1, Math.min(1, 30 * value)))],
  ["quiet speech", speech.map((value) => value / 100)],
  ["speech in noise", speech.map((value) => value / 2 + 0.2 * (2 * random() - 1))],
  ["noise", noise(6, 0.3)],
  ["a tone", tone(6, 3_000)],
  ...Object.entries(MUSIC).map(([name, sound]): [string, Float32Array] => [name, sound(6, 2)]),
];

test.each(
  SOUNDS.flatMap(([sound, samples]) =>
    RIGHT.map(([name, encode, stated]) => ({ sound, name, samples, encode, stated })),
  ),
)("$sound as $name is read by its header", async ({ samples, encode, stated }) => {
  const { decoded } = await readMedia(wave(encode(samples), stated));
  expect(decoded.warnings.filter((warning) => warning.includes("header states"))).toEqual([]);
});

test("bytes that look encrypted are reported", async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 6 * RATE }, () => Math.floor(256 * random())));
  const { decoded } = await readMedia(wave(bytes));
  expect(decoded.warnings).toEqual([expect.stringMatching(/its bytes look like compressed or encrypted data/)]);
});

test.each([16, 20, 24, 32])("%i valid bits in samples of 32 bits", async (validBits) => {
  const { probe, decoded, samples } = await readMedia(wave(wides, { bits: 32, validBits }));
  expect(decoded.warnings).toEqual([]);
  expect(probe.durationSeconds).toBeCloseTo(speech.length / RATE, 2);
  expect(likeness(samples)).toBeGreaterThan(0.98);
});
