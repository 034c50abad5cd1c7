// Samples of an unusual scale come out at a usual level, and a sentence says what was done.
import { expect, test } from "vitest";
import { readMedia } from "../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../test/fixtures/recordings.ts";

const RATE = 16_000;
const FULL_SCALE = 32_768;
/** Of `tone`. */
const LEVEL = 0.3;

type Encoding = "f32" | "f64" | "s24" | "s32";
const CODES = { f32: [3, 32], f64: [3, 64], s24: [1, 24], s32: [1, 32] } as const;

function bytesOf(samples: readonly number[], encoding: Encoding): Buffer {
  if (encoding === "f32") return Buffer.from(Float32Array.from(samples).buffer);
  if (encoding === "f64") return Buffer.from(Float64Array.from(samples).buffer);
  if (encoding === "s32") return Buffer.from(Int32Array.from(samples, (value) => Math.trunc(value * 2 ** 31)).buffer);
  const bytes = Buffer.alloc(samples.length * 3);
  for (const [at, value] of samples.entries()) bytes.writeIntLE(Math.trunc(value * 2 ** 23), at * 3, 3);
  return bytes;
}

function wave(samples: readonly number[], encoding: Encoding): Buffer {
  const [code, bits] = CODES[encoding];
  const data = bytesOf(samples, encoding);
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  for (const [at, value] of [code, 1].entries()) header.writeUInt16LE(value, 20 + 2 * at);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE((RATE * bits) / 8, 28);
  header.writeUInt16LE(bits / 8, 32);
  header.writeUInt16LE(bits, 34);
  header.write("data", 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

async function decoded(file: Buffer) {
  const { samples, decoded } = await readMedia(file);
  return { samples: Array.from(samples, (value) => value / FULL_SCALE), warnings: decoded.warnings };
}

const SOUND = [...tone(3, 440, RATE)];

/** Asserts that the samples are SOUND times a factor: neither clipped nor coarse. */
function expectSound(samples: readonly number[], factor: number): void {
  expect(samples).toHaveLength(SOUND.length);
  const error = samples.reduce(
    (most, value, at) => Math.max(most, Math.abs(value - (SOUND[at] as number) * factor)),
    0,
  );
  expect(error).toBeLessThan(2 / FULL_SCALE + factor * LEVEL * 0.01);
}

test.each([
  ["f32", 2 ** 7],
  ["f32", 2 ** 15],
  ["f64", 2 ** 15],
  ["f32", 2 ** 23],
  ["f64", 2 ** 31],
] as const)("%s samples of integers up to %i are divided by it", async (encoding, scale) => {
  const { samples, warnings } = await decoded(
    wave(
      SOUND.map((value) => value * scale),
      encoding,
    ),
  );
  expect(warnings).toEqual([`The samples of the file go beyond full scale; they were divided by ${scale}`]);
  expectSound(samples, 1);
});

test("a mix above full scale is not clipped", async () => {
  const { samples, warnings } = await decoded(
    wave(
      SOUND.map((value) => value * 10),
      "f32",
    ),
  );
  expect(warnings).toEqual(["The samples of the file go beyond full scale; they were divided by 4"]);
  expectSound(samples, 2.5);
});

test.each([
  ["s24", 2 ** -13],
  ["s32", 2 ** -16],
  ["f32", 2 ** -20],
] as const)("%s samples at the level %d of full scale are raised", async (encoding, scale) => {
  const { samples, warnings } = await decoded(
    wave(
      SOUND.map((value) => value * scale),
      encoding,
    ),
  );
  const factor = Number(/multiplied by (\d+)$/.exec(warnings.join())?.[1]);
  expect(warnings).toHaveLength(1);
  expect(Math.max(...samples)).toBeGreaterThan(2 ** -7);
  expectSound(samples, scale * factor);
});

test.each(["f32", "f64", "s24", "s32"] as const)("%s samples of a usual scale are not changed", async (encoding) => {
  // A click above full scale and a quiet beginning say nothing about the scale.
  const usual = SOUND.map((value, at) =>
    at === 5_000 && encoding === "f32" ? 1_000 : at < RATE ? value / 2_000 : value,
  );
  const { samples, warnings } = await decoded(wave(usual, encoding));
  expect(warnings).toEqual([]);
  expectSound(
    samples.map((value, at) => (at < RATE ? (SOUND[at] as number) : value)),
    1,
  );
});

test("values that are not numbers count as silence", async () => {
  const damaged = SOUND.map((value, at) =>
    at % 1_000 === 7 ? [Number.NaN, Number.POSITIVE_INFINITY][Math.floor(at / 1_000) % 2] : value,
  );
  const { samples, warnings } = await decoded(wave(damaged as number[], "f32"));
  expect(warnings).toEqual(["Some samples of the file are not numbers; they count as silence"]);
  expect(samples[7]).toBe(0);
  expectSound(
    samples.map((value, at) => (at % 1_000 === 7 ? (SOUND[at] as number) : value)),
    1,
  );
});
