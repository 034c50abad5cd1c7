// Recordings whose header was not updated are read to the end of their samples, and no further; what is not read is named.
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hertzOf, readMedia } from "../../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { soundParts } from "./sound-parts.ts";

const RATE = 16_000;
const SECONDS = 3;
const HERTZ = 440;
const STALE_HEADER = path.resolve("../shared/cases/header-says-3s-file-has-11s.wav");

const LITTLE = Buffer.from(Int16Array.from(tone(SECONDS, HERTZ, RATE), (value) => value * 20_000).buffer);
const BIG = Buffer.from(LITTLE).swap16();
const BYTES = LITTLE.length;
/** A second. */
const STALE = BYTES / SECONDS;

function number(value: number | bigint, bytes: 2 | 4 | 8, isBig = false): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)));
  else buffer.writeUIntLE(Number(value), 0, bytes);
  return isBig ? buffer.reverse() : buffer;
}

const joined = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));

function chunk(name: string, content: Buffer, isBig = false, length = content.length): Buffer {
  return joined(name, number(length, 4, isBig), content, Buffer.alloc(content.length % 2));
}

const description = (code: number, bits: number, isBig = false) =>
  joined(
    ...[code, 1].map((value) => number(value, 2, isBig)),
    ...[RATE, (RATE * bits) / 8].map((value) => number(value, 4, isBig)),
    ...[bits / 8, bits].map((value) => number(value, 2, isBig)),
  );

/** @param stated  length of the samples in the header */
function wave(stated: number, tail: Buffer = Buffer.alloc(0), samples = LITTLE): Buffer {
  const head = joined("WAVE", chunk("fmt ", description(1, 16)), "data", number(stated, 4));
  return joined("RIFF", number((stated + head.length) % 2 ** 32, 4), head, samples, tail);
}

function longWave(stated: number | bigint, tail: Buffer = Buffer.alloc(0), magic = "RF64"): Buffer {
  const lengths = joined(number(BYTES + 72, 8), number(stated, 8), number(BYTES / 2, 8), number(0, 4));
  const unknown = number(0xffff_ffff, 4);
  const head = joined("WAVE", chunk("ds64", lengths), chunk("fmt ", description(1, 16)));
  return joined(magic, unknown, head, "data", unknown, LITTLE, tail);
}

const WAVE64 = ["666d7420", "64617461"].map((name) => Buffer.from(`${name}f3acd3118cd100c04f8edb8a`, "hex"));
function wave64(stated: number | bigint): Buffer {
  const [format, data] = WAVE64 as [Buffer, Buffer];
  const riff = Buffer.from("726966662e91cf11a5d628db04c10000", "hex");
  const kind = Buffer.from("77617665f3acd3118cd100c04f8edb8a", "hex");
  const content = joined(format, number(40, 8), description(1, 16), data, number(stated, 8), LITTLE);
  return joined(riff, number(40 + content.length, 8), kind, content);
}

/** 16 kHz as an 80-bit number. */
const EXTENDED_RATE = Buffer.from("400cfa00000000000000", "hex");
function aiff(stated: number, tail: Buffer = Buffer.alloc(0), kind = "AIFF"): Buffer {
  const compression = kind === "AIFC" ? "sowt\0\0" : "";
  const common = joined(
    number(1, 2, true),
    number(stated / 2, 4, true),
    number(16, 2, true),
    EXTENDED_RATE,
    compression,
  );
  const samples = kind === "AIFC" ? LITTLE : BIG;
  const sound = joined("SSND", number(stated === 0 ? 0 : stated + 8, 4, true), Buffer.alloc(8), samples);
  const content = joined(kind, chunk("COMM", common, true), sound);
  return joined("FORM", number(stated === 0 ? 0 : content.length - BYTES + stated, 4, true), content, tail);
}

function coreAudio(stated: number | bigint, tail: Buffer = Buffer.alloc(0)): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(RATE);
  const fields = [2, 2, 1, 1, 16].map((value) => number(value, 4, true));
  const head = joined("caff", number(1, 2, true), number(0, 2), "desc", number(32, 8, true), rate, "lpcm", ...fields);
  return joined(head, "data", number(stated, 8, true), number(0, 4), LITTLE, tail);
}

const au = (stated: number, tail: Buffer = Buffer.alloc(0)) =>
  joined(".snd", ...[24, stated, 3, RATE, 1].map((value) => number(value, 4, true)), BIG, tail);

const TITLE = chunk("LIST", joined("INFO", chunk("INAM", Buffer.from("A title of the recording"))));
const METADATA = joined(TITLE, chunk("bext", randomBytes(602)), chunk("id3 ", joined("ID3\x03\0\0", randomBytes(900))));
const NOTES = joined(chunk("ANNO", Buffer.alloc(600, "note "), true), chunk("ID3 ", randomBytes(301), true));
const INFO = joined("info", number(900, 8, true), randomBytes(900));
const ID3V1 = Buffer.alloc(128, "TAG A title");
const UNKNOWN = 0xffff_ffff;

/** A warning about the header, or none. */
const UPDATED = /header states 32000 bytes of audio, but 96000 bytes follow it/;

const STALE_FILES: [what: string, content: Buffer, warning?: RegExp][] = [
  ["WAV, 0 bytes", wave(0)],
  ["WAV, 0 bytes, with metadata", wave(0, METADATA)],
  ["WAV of a pipe", wave(UNKNOWN)],
  ["WAV of a pipe, with metadata", wave(UNKNOWN, METADATA)],
  ["WAV, fewer bytes", wave(STALE), UPDATED],
  ["WAV, fewer bytes, with metadata", wave(STALE, METADATA), UPDATED],
  ["WAV, fewer bytes, with a tag", wave(STALE, ID3V1), UPDATED],
  ["WAV, an odd number of bytes", wave(STALE + 1), /header states 32001 bytes/],
  ["WAV, more bytes, with metadata", wave(2 * BYTES, METADATA), /truncated/],
  ["RF64, 0 bytes", longWave(0)],
  ["RF64, fewer bytes", longWave(STALE, METADATA), UPDATED],
  ["BW64, fewer bytes", longWave(STALE, TITLE, "BW64"), UPDATED],
  ["RF64, more bytes", longWave(2 * BYTES), /truncated/],
  ["RF64 without its lengths", joined("RF64", wave(UNKNOWN).subarray(4))],
  ["Wave64, 0 bytes", wave64(0)],
  ["Wave64, no known length", wave64(-1)],
  ["Wave64, fewer bytes", wave64(STALE + 24), UPDATED],
  ["AIFF, 0 bytes", aiff(0)],
  ["AIFF, 0 bytes, with metadata", aiff(0, NOTES)],
  ["AIFF, fewer bytes", aiff(STALE), UPDATED],
  ["AIFF, fewer bytes, with metadata", aiff(STALE, NOTES), UPDATED],
  ["AIFF, more bytes", aiff(2 * BYTES), /truncated/],
  ["AIFF-C, fewer bytes", aiff(STALE, NOTES, "AIFC"), UPDATED],
  ["Core Audio, no known length", coreAudio(-1, INFO)],
  ["Core Audio, fewer bytes", coreAudio(STALE + 4, INFO), UPDATED],
  ["AU, no known length", au(UNKNOWN)],
  ["AU, 0 bytes", au(0)],
  ["AU, fewer bytes", au(STALE), UPDATED],
];

const seconds = (samples: Int16Array) => samples.length / RATE;

describe("a header that states another length", () => {
  test.each(STALE_FILES)("%s: all samples are read, and nothing else", async (_what, content, warning) => {
    const { probe, decoded, samples } = await readMedia(content);
    expect(seconds(samples)).toBeCloseTo(SECONDS, 2);
    expect([probe.durationSeconds, decoded.durationSeconds]).toEqual([seconds(samples), seconds(samples)]);
    expect(hertzOf(samples)).toBeCloseTo(HERTZ, 0);
    expect(decoded.warnings).toEqual(warning ? [expect.stringMatching(warning)] : []);
  });
});

const OTHER_BYTES: [what: string, content: Buffer, note: RegExp][] = [
  ["random bytes", wave(BYTES, randomBytes(30_000)), /^30000 bytes .* from byte 96044 on, were not used: not samples/],
  ["random bytes behind AU", au(BYTES, randomBytes(30_000)), /^30000 bytes .* not samples/],
  [
    "random bytes behind metadata",
    wave(BYTES, joined(TITLE, randomBytes(30_000))),
    /^30000 bytes .* behind the metadata/,
  ],
  [
    "random bytes behind an ID3v2 tag",
    wave(BYTES, joined("ID3\x04\0\0", number(20, 4, true), Buffer.alloc(20), randomBytes(30_000))),
    /^30000 bytes .* behind the metadata/,
  ],
  ["zeros", wave(BYTES, Buffer.alloc(30_000)), /^30000 bytes .* padding/],
  ["text", wave(BYTES, Buffer.alloc(30_000, "Some Text, And More. ")), /^30000 bytes .* text/],
  ["an archive", wave(BYTES, joined("PK\x03\x04", randomBytes(9_996))), /^10000 bytes .* a ZIP archive/],
  [
    "a chunk of a vendor",
    wave(BYTES, chunk("Zoom", Buffer.alloc(4_000, "x\0y\x01"))),
    /chunks of unknown kinds \(Zoom\)/,
  ],
];

describe("bytes behind the samples", () => {
  test("digital silence is read if further samples follow it", async () => {
    const { decoded, samples } = await readMedia(wave(BYTES, joined(Buffer.alloc(100_000), LITTLE)));
    expect(seconds(samples)).toBeCloseTo((2 * BYTES + 100_000) / 2 / RATE, 2);
    expect(decoded.warnings).toEqual([
      expect.stringMatching(/states 96000 bytes of audio, but 292000 bytes follow it/),
    ]);
  });

  test.each(OTHER_BYTES)("%s: not read as samples, and named", async (_what, content, note) => {
    const { decoded, samples } = await readMedia(content);
    expect(seconds(samples)).toBe(SECONDS);
    expect(decoded.warnings).toEqual([expect.stringMatching(note)]);
  });

  test.each([
    ["WAV", wave(BYTES, METADATA)],
    ["WAV without padding", wave(BYTES - 1, TITLE, LITTLE.subarray(0, -1))],
    ["BW64", longWave(BYTES, METADATA, "BW64")],
    ["AIFF", aiff(BYTES, NOTES)],
    ["Core Audio", coreAudio(BYTES + 4, INFO)],
  ])("metadata of %s need no warning", async (_what, content) => {
    const { decoded } = await readMedia(content);
    expect(decoded.durationSeconds).toBeCloseTo(SECONDS, 2);
    expect(decoded.warnings.filter((warning) => /header|not used/.test(warning))).toEqual([]);
  });
});

test.each([
  ["AIFF", aiff(BYTES)],
  ["Wave64", wave64(BYTES + 24)],
  ["Core Audio", coreAudio(BYTES + 4)],
  ["AU", au(BYTES)],
  ["RF64", longWave(BYTES)],
  ["WAV of pipes", wave(UNKNOWN)],
])("joined files of %s are read to the end", async (_what, content) => {
  const { probe, samples } = await readMedia(joined(content, content));
  expect([probe.durationSeconds, seconds(samples)]).toEqual([2 * SECONDS, 2 * SECONDS]);
});

/** Big-endian samples of WAV's encodings. */
function bigEndian(code: number, bits: number): Buffer {
  const values = Array.from(tone(SECONDS, HERTZ, RATE));
  if (code === 3) return joined(...values.map((value) => Buffer.from(Float32Array.of(value).buffer).reverse()));
  if (bits === 8) return Buffer.from(values.map((value) => 128 + value * 100));
  return joined(...values.map((value) => number(Math.round(value * 2e9) >>> 0, 4, true).subarray(0, bits / 8)));
}

describe.each([
  [1, 8],
  [1, 16],
  [1, 24],
  [1, 32],
  [3, 32],
])("RIFX of encoding %i with %i bits", (code, bits) => {
  test.each([1, SECONDS])("that states the length of a %i-th of its samples is read", async (divisor) => {
    const samples = bigEndian(code, bits);
    const format = chunk("fmt ", description(code, bits, true), true);
    const content = joined("WAVE", format, "data", number(samples.length / divisor, 4, true), samples);
    const read = await readMedia(joined("RIFX", number(content.length, 4, true), content));
    expect(read.probe).toMatchObject({ extension: "wav", durationSeconds: SECONDS, sampleRate: RATE });
    expect(hertzOf(read.samples)).toBeCloseTo(HERTZ, 0);
    expect(read.decoded.warnings).toHaveLength(divisor === 1 ? 0 : 1);
  });
});

test("for any bytes, the search ends, and a part holds its header and lies in the file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-parts-"));
  const file = path.join(folder, "file");
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(TITLE, INFO, Buffer.from("LIST"), Buffer.from("RIFFxxxxWAVEfmt "), Buffer.from("data"), ID3V1),
    fc
      .constantFrom(wave, longWave, wave64, aiff, coreAudio, au)
      .chain((made) =>
        fc
          .tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.nat(200))
          .map(([stated, length]) => made(stated).subarray(0, length)),
      ),
  );
  try {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const content = Buffer.concat(pieces);
        writeFileSync(file, content);
        const work = soundParts(file);
        let steps = 0;
        let step = work.next();
        for (; !step.done; step = work.next()) expect(++steps).toBeLessThan(1_000);
        for (const { startBytes, endBytes } of step.value.parts) {
          expect(startBytes).toBeGreaterThanOrEqual(0);
          expect(endBytes).toBeGreaterThanOrEqual(startBytes);
          expect(endBytes).toBeLessThanOrEqual(content.length);
        }
      }),
      { numRuns: 300 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(!existsSync(STALE_HEADER))(
  "the shared recording of a recorder that crashed is read to its end",
  async () => {
    const { probe, decoded } = await readMedia(readFileSync(STALE_HEADER));
    expect([probe.durationSeconds, decoded.durationSeconds]).toEqual([11, 11]);
    expect(decoded.warnings).toEqual([expect.stringMatching(/all of them were read/)]);
  },
);
