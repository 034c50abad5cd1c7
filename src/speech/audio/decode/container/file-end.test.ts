// Bytes behind the audio of a file are named, but for tags and padding.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMedia } from "../../../../../test/fixtures/media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { mediaWork } from "../media-file.ts";
import type { DecodeAnswer } from "../message.ts";

const RATE = 48_000;
const SECONDS = 2;
const OTHER_BYTES = 20_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-end-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function recording(extension: string, encoder: string): Promise<Buffer> {
  const file = path.join(folder, `recording.${extension}`);
  await writeMedia(file, { tracks: [{ channels: [tone(SECONDS, 440, RATE)], sampleRate: RATE, encoder }] });
  return readFileSync(file);
}

async function decoded(extension: string, ...pieces: Buffer[]): Promise<DecodeAnswer> {
  const file = path.join(folder, `joined.${extension}`);
  writeFileSync(file, Buffer.concat(pieces));
  const outputs = [path.join(folder, "output.pcm")];
  const work = mediaWork({ kind: "decode", path: file, outputs, maximumSeconds: 60 });
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
      [Buffer.alloc(100_000)],
      [Buffer.alloc(9_000), ID3V1],
    ]) {
      const { warnings, durationSeconds } = await decoded(extension, one, ...end);
      expect(warnings).toEqual([]);
      expect(durationSeconds).toBeCloseTo(SECONDS, 0);
    }
  });
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
