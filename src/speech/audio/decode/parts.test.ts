import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tone, wav } from "../../../../test/fixtures/recordings.ts";
import { resultOf } from "../../../../test/fixtures/steps.ts";
import { soundParts } from "./container/sound-parts.ts";
import { transportStreamParts } from "./continuations.ts";
import { oggParts } from "./ogg-parts.ts";

let file: string;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-parts-"));
  file = path.join(folder, "file");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function page(flags: number, bytes: number): Buffer {
  const header = Buffer.alloc(27 + 1);
  header.write("OggS");
  header[5] = flags;
  header[26] = 1;
  header[27] = bytes;
  return Buffer.concat([header, Buffer.alloc(bytes, 0x41)]);
}

test("a chained Ogg file has a part at every first page after others, also after damage", () => {
  const junk = Buffer.alloc(100_000, 0x42);
  const one = Buffer.concat([page(2, 10), page(2, 20), page(0, 200), page(4, 100)]);
  writeFileSync(file, Buffer.concat([one, one, page(2, 5), page(0, 6), junk, one]));
  const starts = resultOf(oggParts(file)).parts.map(({ startBytes }) => startBytes);
  expect(starts).toEqual([0, one.length, 2 * one.length, 2 * one.length + 33 + 34 + junk.length]);
});

test("of an Ogg file of too many parts, what is not read is named", () => {
  const one = Buffer.concat([page(2, 10), page(4, 100)]);
  writeFileSync(file, Buffer.concat(Array.from({ length: 1_003 }, () => one)));
  const { parts, notes } = resultOf(oggParts(file));
  expect(parts).toHaveLength(1_000);
  expect(parts.at(-1)?.endBytes).toBe(1_000 * one.length);
  expect(notes).toEqual([
    `${3 * one.length} bytes of the file, from byte ${1_000 * one.length} on, were not used: more than 1000 recordings`,
  ]);
});

test("an Ogg file that is cut off inside a page says which bytes are not used", () => {
  const whole = Buffer.concat([page(2, 10), page(0, 200), page(0, 200)]);
  writeFileSync(file, whole.subarray(0, whole.length - 50));
  const at = 38 + 228;
  expect(resultOf(oggParts(file)).notes).toEqual([
    `178 bytes of the file, from byte ${at} on, were not used: the file is cut off inside a page of Ogg`,
  ]);
  writeFileSync(file, whole);
  expect(resultOf(oggParts(file)).notes).toEqual([]);
});

test("for any bytes, parts are in order, and those of Ogg cover the file", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constant(Buffer.from("OggS")),
    fc.tuple(fc.constantFrom(0, 2, 4), fc.integer({ min: 0, max: 255 })).map(([flags, bytes]) => page(flags, bytes)),
    fc.constant(wav([tone(0.01, 440)])),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const content = Buffer.concat(pieces);
      writeFileSync(file, content);
      const ogg = resultOf(oggParts(file)).parts;
      for (const [index, part] of ogg.entries()) {
        expect(part.startBytes).toBe(index === 0 ? 0 : ogg[index - 1]?.endBytes);
        expect(part.endBytes).toBeGreaterThanOrEqual(part.startBytes);
      }
      if (ogg.length > 0) expect(ogg.at(-1)?.endBytes).toBe(content.length);
      let end = 0;
      for (const part of resultOf(soundParts(file)).parts) {
        expect(part.startBytes).toBeGreaterThanOrEqual(end);
        expect(part.endBytes).toBeGreaterThanOrEqual(part.startBytes);
        end = part.endBytes;
      }
      expect(end).toBeLessThanOrEqual(content.length);
      expect(resultOf(transportStreamParts(file, 0))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
