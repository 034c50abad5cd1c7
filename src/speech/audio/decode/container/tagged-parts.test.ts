// Streams of frames behind an ID3 tag whose size contradicts the file, and bytes behind a compressed CAF file.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { mediaBytes } from "../../../../../test/fixtures/media.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { resultOf } from "../../../../../test/fixtures/steps.ts";
import { taggedParts } from "./tagged-parts.ts";

const SECONDS = 3;
const encoded = (muxer: string, encoder: string, sampleRate = 48_000) =>
  mediaBytes(muxer, { tracks: [{ channels: [tone(SECONDS, 440, sampleRate)], sampleRate, encoder }] });

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-tagged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127));
const wholeNumber = (value: number) => Buffer.from([24, 16, 8, 0].map((shift) => (value >> shift) & 255));

/** A tag with two fields and padding. @param stated  its size without the header */
function tag(version: 2 | 3 | 4, padding: number, stated?: number): Buffer {
  const field = (name: string, text: string) => {
    const content = Buffer.from(`\0${text}`);
    if (version === 2) return Buffer.concat([Buffer.from(name), wholeNumber(content.length).subarray(1), content]);
    const length = version === 4 ? sevenBits(content.length) : wholeNumber(content.length);
    return Buffer.concat([Buffer.from(name), length, Buffer.alloc(2), content]);
  };
  const names = version === 2 ? ["TT2", "TP1"] : ["TIT2", "TPE1"];
  const fields = Buffer.concat([field(names[0] as string, "A title"), field(names[1] as string, "x".repeat(200))]);
  const body = Buffer.concat([fields, Buffer.alloc(padding)]);
  return Buffer.concat([Buffer.from("ID3"), Buffer.from([version, 0, 0]), sevenBits(stated ?? body.length), body]);
}

describe.each([
  ["mp3", "libmp3lame"],
  ["adts", "aac"],
  ["flac", "flac"],
])("%s", (muxer, encoder) => {
  const stream = encoded(muxer, encoder).then((bytes) =>
    bytes.toString("latin1", 0, 3) === "ID3" ? bytes.subarray(10 + bytes.readUInt32BE(6)) : bytes,
  );

  test.each([
    ["within the audio", 2, 0, 9_001],
    ["within the audio, with padding", 3, 2_000, 14_000],
    ["beyond the file", 4, 100, 200_000_000],
  ] as const)("a tag that ends %s loses no audio", async (_where, version, padding, stated) => {
    const bytes = tag(version, padding, stated);
    const { probe, decoded } = await readMedia(Buffer.concat([bytes, await stream]));
    expect(probe.durationSeconds).toBeCloseTo(SECONDS, 0);
    expect(decoded.durationSeconds).toBeCloseTo(probe.durationSeconds, 1);
    expect(decoded.warnings).toEqual([
      `The file's ID3 tag states ${stated + 10} bytes, but its audio begins at byte ${bytes.length}; all of it was read`,
    ]);
  });

  test("a right tag is skipped", async () => {
    const { decoded } = await readMedia(Buffer.concat([tag(4, 500), await stream]));
    expect(decoded.durationSeconds).toBeCloseTo(SECONDS, 0);
    expect(decoded.warnings).toEqual([]);
  });
});

test("for any bytes behind the name of a tag, a part lies in the file", () => {
  const file = path.join(folder, "file");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(2, 3, 4), (bytes, version) => {
      writeFileSync(file, Buffer.concat([Buffer.from("ID3"), Buffer.from([version]), bytes]));
      for (const { startBytes, endBytes } of resultOf(taggedParts(file)).parts)
        expect(startBytes).toBeLessThan(endBytes);
    }),
  );
});

test.each([
  ["caf", "alac"],
  ["asf", "wmav2"],
  ["flv", "libmp3lame"],
])("a short %s file that another one follows says what is not read", async (muxer, encoder) => {
  const one = await encoded(muxer, encoder, 44_100);
  const { decoded } = await readMedia(Buffer.concat([one, one]));
  expect(decoded.warnings.join(" ")).toMatch(/bytes of the file, from byte \d+ on, were not used/);
  expect((await readMedia(one)).decoded.warnings).toEqual([]);
});
