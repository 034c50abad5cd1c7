// Bytes behind the audio of a file are named, but for tags and padding.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMedia } from "../../../../../test/fixtures/media.ts";
import { noise, tone } from "../../../../../test/fixtures/recordings.ts";
import { mediaWork } from "../media-file.ts";
import type { DecodeAnswer } from "../message.ts";

const RATE = 48_000;
const SECONDS = 2;
const LONG_SECONDS = 12;
const OTHER_BYTES = 20_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-end-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function recording(extension: string, encoder: string, samples = tone(SECONDS, 440, RATE)): Promise<Buffer> {
  const file = path.join(folder, `recording.${extension}`);
  await writeMedia(file, { tracks: [{ channels: [samples], sampleRate: RATE, encoder }] });
  return readFileSync(file);
}

async function decoded(extension: string, ...pieces: Buffer[]): Promise<DecodeAnswer> {
  const file = path.join(folder, `joined.${extension}`);
  writeFileSync(file, Buffer.concat(pieces));
  const outputs = [path.join(folder, "output.pcm")];
  const work = mediaWork({ kind: "decode", path: file, outputs, maximumSeconds: 600 });
  for (;;) {
    const step = await work.next();
    if (step.done) return step.value as DecodeAnswer;
  }
}

const ID3V1 = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125, 0x20)]);
function apeTag(): Buffer {
  const item = Buffer.concat([Buffer.from([5, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("Title\0hello")]);
  const footer = Buffer.alloc(32);
  footer.write("APETAGEX");
  footer.writeUInt32LE(2_000, 8);
  footer.writeUInt32LE(item.length + footer.length, 12);
  footer.writeUInt32LE(1, 16);
  return Buffer.concat([item, footer]);
}
/** A tag of ID3v2.4 with a footer. */
function id3Footer(): Buffer {
  const head = Buffer.from([4, 0, 0x10, 0, 0, 72, 0]);
  return Buffer.concat([Buffer.from("ID3"), head, Buffer.alloc(72 * 128, 0x20), Buffer.from("3DI"), head]);
}
function lyrics(): Buffer {
  const content = `LYRICSBEGININD0000200LYR05000${"a line; ".repeat(625)}`;
  return Buffer.from(`${content}${String(content.length).padStart(6, "0")}LYRICS200`);
}
/** Larger than any index of a short recording, and no frames of any encoding. */
const OTHER = Buffer.from("another file, of another kind; ".repeat(OTHER_BYTES / 31));

const FORMATS = [
  ["ogg", "libopus"],
  ["ts", "aac"],
  ["mkv", "aac"],
  ["webm", "libopus"],
  ["m4a", "aac"],
  ["flac", "flac"],
  ["mp3", "libmp3lame"],
  ["aac", "aac"],
] as const;

describe.each(FORMATS)("behind .%s with %s", (extension, encoder) => {
  test("tags and padding are ordinary", async () => {
    const one = await recording(extension, encoder);
    for (const end of [
      [],
      [ID3V1],
      [apeTag()],
      [apeTag(), ID3V1],
      [id3Footer()],
      [lyrics(), ID3V1],
      [Buffer.alloc(16_000)],
      [Buffer.alloc(9_000), ID3V1],
    ]) {
      const { warnings, durationSeconds } = await decoded(extension, one, ...end);
      expect(warnings).toEqual([]);
      expect(durationSeconds).toBeCloseTo(SECONDS, 0);
    }
  });
});

describe.each(FORMATS)("behind .%s with %s", (extension, encoder) => {
  test("zeros that are too many for padding are named", async () => {
    const one = await recording(extension, encoder);
    const { warnings, durationSeconds } = await decoded(extension, one, Buffer.alloc(140_000), ID3V1);
    expect(durationSeconds).toBeCloseTo(SECONDS, 0);
    expect(warnings).toEqual([expect.stringMatching(/^1(39|40)\d{3} bytes .*not used: they are zeros/)]);
  });
});

test.each(FORMATS.filter(([extension]) => extension !== "m4a"))(
  "the zeros of an interrupted download of .%s are named",
  async (extension, encoder) => {
    const one = await recording(extension, encoder, noise(LONG_SECONDS, 0.3, RATE));
    const begin = one.subarray(0, one.length * 0.3);
    const { warnings, durationSeconds } = await decoded(extension, begin, Buffer.alloc(one.length - begin.length));
    expect(durationSeconds).toBeLessThan(LONG_SECONDS / 2);
    expect(warnings).toContainEqual(expect.stringContaining("they are zeros"));
  },
);

test("padding may be larger in a larger file", async () => {
  const one = await recording("flac", "flac", noise(LONG_SECONDS, 0.3, RATE));
  const short = await recording("flac", "flac");
  expect((await decoded("flac", one, Buffer.alloc(100_000))).warnings).toEqual([]);
  expect((await decoded("flac", short, Buffer.alloc(100_000))).warnings).toHaveLength(1);
});

describe.each(FORMATS.slice(0, 5))("behind .%s with %s", (extension, encoder) => {
  test("a second file of another kind is named with its place", async () => {
    const one = await recording(extension, encoder);
    const { warnings, durationSeconds } = await decoded(extension, one, OTHER, ID3V1);
    expect(durationSeconds).toBeCloseTo(SECONDS, 0);
    const place = `${OTHER.length + (extension === "m4a" ? ID3V1.length : 0)} bytes of the file, from byte ${one.length} on`;
    expect(warnings).toEqual([expect.stringContaining(place)]);
  });

  test("a second recording of the same kind is read", async () => {
    const one = await recording(extension, encoder);
    const { warnings, durationSeconds } = await decoded(extension, one, one);
    expect(durationSeconds).toBeCloseTo(2 * SECONDS, 0);
    expect(warnings.filter((warning) => warning.includes("not used"))).toEqual([]);
  });
});
