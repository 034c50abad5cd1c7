// Samples of an unusual scale come out at a usual level, and a sentence says what was done.
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Demuxer } from "node-av";
import { expect, test } from "vitest";
import { mediaBytes } from "../../../../test/fixtures/media.ts";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { readMedia } from "../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../test/fixtures/recordings.ts";
import { fileOpener } from "./formats.ts";
import { mediaWork } from "./media-file.ts";
import { scaleOf } from "./sample-scale.ts";

const { AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO } = await import("node-av");

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

function wave(samples: readonly number[], encoding: Encoding, rate = RATE): Buffer {
  const [code, bits] = CODES[encoding];
  const data = bytesOf(samples, encoding);
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  for (const [at, value] of [code, 1].entries()) header.writeUInt16LE(value, 20 + 2 * at);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE((rate * bits) / 8, 28);
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
const random = randomOf(3);

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
  ["f32", 2 ** -16],
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

test.each(["f32", "f64", "s24", "s32"] as const)(
  "%s samples that were clipped at full scale stay",
  async (encoding) => {
    const clipped = SOUND.map((value) =>
      Math.max(-1, Math.min(encoding.startsWith("f") ? 1 : 1 - 2 ** -23, 30 * value)),
    );
    const { samples, warnings } = await decoded(wave(clipped, encoding));
    expect(warnings).toEqual([]);
    expect(Math.max(...samples)).toBeGreaterThan(0.99);
  },
);

test.each(["f32", "s24"] as const)("%s silence with the dither of 16 bits is not raised", async (encoding) => {
  const dither = SOUND.map(() => (Math.round(2 * random()) - 1) / FULL_SCALE);
  const { warnings } = await decoded(wave(dither, encoding));
  expect(warnings).toEqual([]);
});

const CLIPPED = "Some samples of the file go beyond full scale; they were clipped";
/** Bytes of no format as floating-point numbers. */
const damage = Float32Array.from({ length: 1_000 }, () => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Math.floor(random() * 2 ** 32));
  const value = bytes.readFloatLE(0);
  return Number.isFinite(value) ? value : 0;
});
const DAMAGED_FROM = 20_000;
const damaged = (scale: number) => SOUND.map((value, at) => damage[at - DAMAGED_FROM] ?? value * scale);
/** Without the damage, and what the resampler spreads it to. */
const mended = (samples: readonly number[]) =>
  samples.map((value, at) => (Math.abs(at - DAMAGED_FROM - 500) < 600 ? (SOUND[at] as number) : value));

test("a damaged second does not change the rest", async () => {
  const { samples, warnings } = await decoded(wave(damaged(1), "f32"));
  expect(warnings).toEqual([CLIPPED]);
  expectSound(mended(samples), 1);
});

test("a damaged second does not hide the scale of the rest", async () => {
  const { samples, warnings } = await decoded(wave(damaged(2 ** 15), "f32"));
  expect(warnings).toEqual(["The samples of the file go beyond full scale; they were divided by 32768"]);
  expectSound(mended(samples), 1);
});

const LONG_SOUND = [...tone(8, 440, RATE)];
test.each([
  [1, 1, [CLIPPED]],
  // Very quiet sound: neither divided for the shout nor raised.
  [1 / 512, 1, [CLIPPED]],
  [4, 2, ["The samples of the file go beyond full scale; they were divided by 2", CLIPPED]],
])("a shout in sound times %d", async (level, divisor, expected) => {
  const sound = LONG_SOUND.map((value, at) => (at >= 4 * RATE && at < 5 * RATE ? value * 40 : value * level));
  const { samples, warnings } = await decoded(wave(sound, "f32"));
  expect(warnings).toEqual(expected);
  expect(Math.max(...samples.slice(0, 3 * RATE))).toBeCloseTo((LEVEL * level) / divisor, 3);
});

test.each([
  ["f32", 2 ** -17],
  ["s32", 2 ** -18],
] as const)("%s noise of a converter is not raised", async (encoding, scale) => {
  const { warnings } = await decoded(
    wave(
      SOUND.map((value) => value * scale),
      encoding,
    ),
  );
  expect(warnings).toEqual([]);
});

const LOW_RATE = 2_000;
/** Start of a stretch that is not measured, in seconds. */
const GAP = 513;
/** Short recordings are measured as a whole, long ones in places. */
const QUIET_SECONDS = 590;
function mostlyQuiet(loudFrom: number, loudEnd: number): number[] {
  const sound = tone(QUIET_SECONDS, 100, LOW_RATE);
  return Array.from(sound, (value, at) =>
    at >= loudFrom * LOW_RATE && at < loudEnd * LOW_RATE ? value : value / 1024,
  );
}

/** Measures a file. @returns the seconds that were stated as progress, too, and the streams that were read */
async function measured(content: Buffer) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-scale-"));
  try {
    const file = path.join(folder, "stored");
    writeFileSync(file, content);
    let input: Demuxer | undefined;
    const steps = scaleOf(async () => {
      input = await fileOpener()(file);
      return input;
    }, 0);
    let [seconds, kept] = [0, [] as string[]];
    for (;;) {
      const step = await steps.next();
      if (step.done) return { scale: step.value, seconds, kept };
      seconds += step.value;
      const read = input?.streams.filter(({ discard }) => discard !== AVDISCARD_ALL) ?? [];
      kept = read.map(({ codecpar: { codecType } }) => (codecType === AVMEDIA_TYPE_AUDIO ? "audio" : "other"));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the measurement of a long recording is bounded, states its progress and reaches its end", async () => {
  const { scale, seconds } = await measured(wave(mostlyQuiet(500, QUIET_SECONDS), "f32", LOW_RATE));
  expect(scale.gain).toBe(1);
  expect(seconds).toBeGreaterThan(200);
  expect(seconds).toBeLessThan(300);
});

test("places of a long FLAC file are measured", async () => {
  const rate = 8_000;
  const sound = tone(600, 100, rate).map((value, at) => (at < 400 * rate ? value / 1024 : value));
  const file = await mediaBytes("flac", { tracks: [{ encoder: "flac", sampleRate: rate, channels: [sound] }] });
  const { scale, seconds } = await measured(file);
  expect(scale).toEqual({ gain: 1, isClipped: false, isSilence: false });
  expect(seconds).toBeGreaterThan(60);
  expect(seconds).toBeLessThan(300);
});

test("the measurement of a film does not read its pictures", async () => {
  const tracks = [{ encoder: "pcm_s24le", sampleRate: RATE, channels: [tone(3, 440, RATE)] }];
  const film = await mediaBytes("mov", { videoSeconds: 3, tracks });
  const { kept } = await measured(film);
  expect(kept).toEqual(["audio"]);
});

test("sound of a usual level ends the raising of quiet sound", async () => {
  // Between two measured places.
  const { samples } = await decoded(wave(mostlyQuiet(GAP, GAP + 1.5), "s24", LOW_RATE));
  const loud = samples.slice((GAP + 0.25) * RATE, (GAP + 1.25) * RATE);
  expect(Math.max(...loud)).toBeCloseTo(LEVEL, 1);
});

test("a usual part of a joined file keeps the others from being raised", async () => {
  const quiet = wave(
    SOUND.map((value) => value / 2 ** 13),
    "s24",
  );
  const usual = wave(SOUND, "s24");
  for (const parts of [
    [quiet, usual],
    [usual, quiet],
  ]) {
    const { warnings } = await decoded(Buffer.concat(parts));
    expect(warnings).toEqual([]);
  }
  const { samples, warnings } = await decoded(Buffer.concat([quiet, quiet]));
  expect(warnings).toEqual([expect.stringMatching(/multiplied by/)]);
  expect(samples).toHaveLength(2 * SOUND.length);
});

test("parts of one scale have one note", async () => {
  const part = wave(
    SOUND.map((value) => value * 2 ** 15),
    "f32",
  );
  const { warnings } = await decoded(Buffer.concat([part, part, part]));
  expect(warnings).toEqual(["The samples of the file go beyond full scale; they were divided by 32768"]);
});

test("a decoding that ends early leaves no file open", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-scale-"));
  const file = path.join(folder, "stored");
  const openCount = () =>
    readdirSync("/proc/self/fd").filter((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
      } catch {
        return false;
      }
    }).length;
  try {
    writeFileSync(file, wave(mostlyQuiet(0, 0), "f32", LOW_RATE));
    const work = mediaWork({ kind: "decode", path: file, maximumSeconds: 2_000, outputs: [path.join(folder, "pcm")] });
    // The measurement opens the file again.
    while (openCount() < 2) await work.next();
    await work.return(undefined as never);
    expect(openCount()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("values that are not numbers late in a recording count as silence", async () => {
  const sound = Array.from(tone(80, 100, LOW_RATE), (value, at) => (at === 75 * LOW_RATE ? Number.NaN : value));
  const { samples, warnings } = await decoded(wave(sound, "f32", LOW_RATE));
  expect(warnings).toEqual(["Some samples of the file are not numbers; they count as silence"]);
  const around = samples.slice(75 * RATE - 1_000, 75 * RATE + 1_000);
  expect(Math.max(...around.map(Math.abs))).toBeLessThan(2 * LEVEL);
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

test("a very quiet file of a codec is raised, and one at a usual level is not", async () => {
  const file = (decibels: number) =>
    mediaBytes("mkv", {
      tracks: [
        {
          encoder: "aac",
          sampleRate: RATE,
          channels: [tone(4, 440, RATE).map((value) => (value / LEVEL) * 10 ** (decibels / 20))],
        },
      ],
    });
  const quiet = await decoded(await file(-75));
  expect(quiet.warnings).toEqual([
    expect.stringMatching(/^The samples of the file are very quiet; they were multiplied by \d+$/),
  ]);
  expect(Math.max(...quiet.samples)).toBeGreaterThan(2 ** -8);
  const usual = await decoded(await file(-12));
  expect(usual.warnings).toEqual([]);
  expect(Math.max(...usual.samples)).toBeCloseTo(10 ** (-12 / 20), 1);
});

test("the pauses of 8-bit samples, which are zeros, are no holes", async () => {
  const sound = LONG_SOUND.map((value, at) => (at % RATE < RATE / 2 ? value : 0));
  const holes = async (file: Buffer) => (await readMedia(file)).decoded.holes?.flat() ?? [];
  const bytes = Buffer.from(Uint8Array.from(sound, (value) => Math.round(128 + 127 * value)));
  const header = wave([], "s24").subarray(0, 44);
  header.writeUInt32LE(RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.writeUInt32LE(bytes.length, 40);
  expect(await holes(Buffer.concat([header, bytes]))).toEqual([]);
  expect(await holes(wave(sound, "s24"))).not.toEqual([]);
});
