// WAV files whose header states another format than that of their samples are read by the samples, and right ones by the header.
import { expect, test } from "vitest";
import { randomOf } from "../../../../../test/fixtures/random.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { noise, tone } from "../../../../../test/fixtures/recordings.ts";
import { MUSIC } from "../../../../../test/fixtures/sounds.ts";
import { decodeSpeech, encodeAlaw, encodePcm, encodeUlaw } from "../../../../../test/fixtures/speech.ts";
import { exchangedNote, trueFormat } from "./true-format.ts";
import { sampleFormat } from "./wave-format.ts";

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
const backwards = Float32Array.from(speech).reverse();
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
function likeness(samples: Int16Array, of = speech): number {
  let [both, own, others] = [0, 0, 0];
  for (const [at, value] of samples.entries()) {
    const right = of[at] ?? 0;
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
  ["big-endian 16-bit PCM", Buffer.from(encodePcm([speech, backwards])).swap16(), { channels: 2 }],
  ["audio of two channels, or of one with every sample twice", encodePcm([speech, backwards]), {}],
])("%s under another header", async (name, data, stated) => {
  const { probe, decoded, samples } = await readMedia(wave(data, stated));
  expect(decoded.warnings).toEqual([expect.stringMatching(/^The samples are declared as .*; they were read as such$/)]);
  expect(decoded.warnings[0]).toContain(`they are ${name.replace(/, or .*/, "")};`);
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
    /from \d\.\d s to 1\d\.\d s they are big-endian 16-bit PCM/,
  ],
  [
    "big-endian up to the middle",
    [swapped.subarray(0, half), short.subarray(half)],
    /from 0\.0 s to \d\.\d s they are big-endian 16-bit PCM/,
  ],
  [
    "a byte short in the middle",
    [short.subarray(0, half + 1), short.subarray(half + 2)],
    /from \d\.\d s to 1\d\.\d s they are 16-bit PCM that is one byte out of step/,
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

/** Windows have half a second. */
const seconds = (from: number, end: number, bytes = short) => bytes.subarray(2 * from * RATE, 2 * end * RATE);

test.each<[string, Buffer[], RegExp, [right: number, end: number]]>([
  ["after a second", [seconds(0, 1), seconds(1, 10, swapped)], /from 1\.0 s to \d+\.\d s they are big-endian/, [0, 1]],
  [
    "up to the last second",
    [seconds(0, 9, swapped), seconds(9, 10)],
    /from 0\.0 s to 9\.0 s they are big-endian/,
    [9.1, 10],
  ],
  [
    "between two seconds at the ends",
    [seconds(0, 1), seconds(1, 9, swapped), seconds(9, 10)],
    /from 1\.0 s to 9\.0 s they are big-endian/,
    [9.1, 10],
  ],
])("samples that are big-endian %s", async (_, pieces, warning, right) => {
  const { decoded, samples } = await readMedia(wave(Buffer.concat(pieces)));
  expect(decoded.warnings).toEqual([expect.stringMatching(warning)]);
  for (const [from, end] of [right, [2, 8]] as const) {
    const [first, last] = [Math.round(from * RATE), Math.round(end * RATE)];
    expect(likeness(samples.subarray(first, last), speech.subarray(first))).toBeGreaterThan(0.9);
  }
});

test("a second that looks like another format is no section of it", async () => {
  const { decoded } = await readMedia(wave(Buffer.concat([seconds(0, 2), seconds(2, 3.1, swapped), seconds(3.1, 5)])));
  expect(decoded.warnings).toEqual([]);
});

test("a file of both formats in turns is read by its header", async () => {
  const pieces = [0, 2, 4, 6, 8].map((from, at) => seconds(from, from + 2, at % 2 === 1 ? swapped : short));
  const { decoded, samples } = await readMedia(wave(Buffer.concat(pieces)));
  expect(decoded.warnings.filter((warning) => warning.includes("read as such"))).toEqual([]);
  expect(likeness(samples.subarray(0, 2 * RATE))).toBeGreaterThan(0.98);
});

/** Hours of the speech without a file: big-endian from a time on. */
function longRecording(changeSeconds: number) {
  const read = (at: number, count: number) => {
    const bytes = Buffer.alloc(count);
    for (let done = 0; done < count; done++) {
      const from = at + done;
      const source = from < changeSeconds * 2 * RATE ? short : swapped;
      bytes[done] = source[from % source.length] as number;
    }
    return bytes;
  };
  return { read };
}

test.each([600, 4_003, 7_200])("a change after %i seconds of three hours is found", (change) => {
  const stated = { encoding: "wav/pcm", bitDepth: 16, channels: 1, sampleRate: RATE } as const;
  const steps = trueFormat(longRecording(change), {
    soundBytes: 0,
    lengthBytes: 3 * 3_600 * 2 * RATE,
    stated,
    isComplete: true,
    startSeconds: 0,
  });
  let step = steps.next();
  let count = 0;
  while (!step.done) {
    step = steps.next();
    count++;
  }
  const parts = step.value?.parts ?? [];
  expect(parts.map(({ format }) => format)).toEqual(["s16le", "s16be"]);
  expect(Math.abs((parts[0]?.endBytes ?? 0) / (2 * RATE) - change)).toBeLessThan(1.5);
  expect(count).toBeLessThan(200);
});

const TELEPHONY = speech.filter((_, at) => at % 2 === 0);
test.each<[string, Float32Array]>([
  ["each sample twice", speech.map((_, at) => TELEPHONY[at >> 1] as number)],
  [
    "each sample twice from the second on",
    speech.map((_, at) => TELEPHONY[Math.min(TELEPHONY.length - 1, (at + 1) >> 1)] as number),
  ],
  ["each sample twice and noise", speech.map((_, at) => (TELEPHONY[at >> 1] as number) + 0.002 * (2 * random() - 1))],
  ["a zero behind each sample", speech.map((_, at) => (at % 2 === 0 ? (TELEPHONY[at >> 1] as number) : 0))],
])("telephony at twice its rate with %s keeps its speed", async (_, samples) => {
  const { decoded } = await readMedia(wave(encodePcm([samples])));
  expect(decoded.channels).toBe(1);
  expect(decoded.durationSeconds).toBeCloseTo(samples.length / RATE, 2);
  expect(decoded.warnings.filter((warning) => warning.includes("read as such"))).toEqual([]);
});

test.each([
  ["lost", 1],
  ["inserted", -1],
])("a byte %s in stereo does not exchange the channels", async (_, lost) => {
  const stereo = encodePcm([speech, backwards]);
  const middle = 4 * (stereo.length >> 3) + 1;
  const data = Buffer.concat([stereo.subarray(0, middle), stereo.subarray(middle + lost)]);
  const { decoded, samples } = await readMedia(wave(data, { channels: 2 }));
  expect(decoded.warnings).toEqual([expect.stringMatching(/they are 16-bit PCM that is one byte out of step/)]);
  const from = 3 * (samples.length >> 2);
  const shifts = [-2, -1, 0, 1, 2].map((by) => likeness(samples.subarray(from), speech.subarray(from + by)));
  expect(Math.max(...shifts)).toBeGreaterThan(0.98);
});

test("exchanged channels are possible where the length does not show them", async () => {
  const stereo = encodePcm([speech, backwards]);
  const data = Buffer.concat([
    stereo.subarray(0, stereo.length / 2 + 1),
    stereo.subarray(stereo.length / 2 + 2),
    Buffer.alloc(1),
  ]);
  const { decoded } = await readMedia(wave(data, { channels: 2 }));
  expect(decoded.warnings).toContain(exchangedNote);
});

test("the truncation of a file in another format is reported", async () => {
  const whole = wave(swapped);
  const { decoded } = await readMedia(whole.subarray(0, whole.length / 2));
  expect(decoded.warnings).toEqual([
    expect.stringMatching(/they are big-endian 16-bit PCM/),
    expect.stringMatching(/^The file is truncated: its header states \d+ bytes of audio/),
  ]);
});

test("impossible sample rates are not judged, and windows of many channels are bounded", () => {
  const format = { code: PCM, channels: 8, sampleRate: 100_000_000, bits: 32 };
  expect(sampleFormat(format)).toBeUndefined();
  const stated = sampleFormat({ ...format, sampleRate: 1_536_000 });
  let largest = 0;
  const read = (_: number, count: number) => {
    largest = Math.max(largest, count);
    return Buffer.alloc(count);
  };
  const steps = trueFormat(
    { read },
    { soundBytes: 0, lengthBytes: 2 ** 26, stated: stated as never, isComplete: true, startSeconds: 0 },
  );
  while (!steps.next().done);
  expect(largest).toBeGreaterThan(2 ** 20);
  expect(largest).toBeLessThanOrEqual(2 ** 21);
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
  expect(decoded.warnings.filter((warning) => !warning.includes("are very quiet"))).toEqual([]);
});

test("static behind speech is no other format", async () => {
  const samples = Float32Array.from([...speech, ...noise(3, 1)]);
  const { decoded } = await readMedia(wave(encodePcm([samples])));
  expect(decoded.warnings).toEqual([]);
});

test("the times of a section count from the beginning of the file, and the same note comes once", async () => {
  const before = wave(encodePcm([speech]));
  const swapped = [encodePcm([speech]), encodePcm([speech]).swap16()];
  const joined = Buffer.concat([before, wave(Buffer.concat(swapped))]);
  const { decoded } = await readMedia(joined);
  expect(decoded.warnings).toHaveLength(1);
  const [, from, end] = /from ([\d.]+) s to ([\d.]+) s they are big-endian/.exec(decoded.warnings.join()) ?? [];
  const seconds = speech.length / RATE;
  expect(Math.abs(Number(from) - 2 * seconds)).toBeLessThan(0.6);
  expect(Number(end)).toBeCloseTo(3 * seconds, 1);
  const big = wave(encodePcm([speech]).swap16());
  expect((await readMedia(Buffer.concat([big, big, big]))).decoded.warnings).toHaveLength(1);
});

test("bytes that look encrypted are reported", async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 6 * RATE }, () => Math.floor(256 * random())));
  const { decoded } = await readMedia(wave(bytes));
  expect(decoded.warnings).toEqual([expect.stringMatching(/the bytes look like compressed or encrypted data/)]);
});

test.each([16, 20, 24, 32])("%i valid bits in samples of 32 bits", async (validBits) => {
  const { probe, decoded, samples } = await readMedia(wave(wides, { bits: 32, validBits }));
  expect(decoded.warnings).toEqual([]);
  expect(probe.durationSeconds).toBeCloseTo(speech.length / RATE, 2);
  expect(likeness(samples)).toBeGreaterThan(0.98);
});
