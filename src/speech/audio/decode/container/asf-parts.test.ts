// Windows Media files whose header states another length than the file has.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { mediaBytes } from "../../../../../test/fixtures/media.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { resultOf } from "../../../../../test/fixtures/steps.ts";
import { asfParts } from "./asf-parts.ts";

const RATE = 44_100;
const SECONDS = 6;
const DATA = Buffer.from("3626b2758e66cf11a6d900aa0062ce6c", "hex");
const PROPERTIES = Buffer.from("a1dcab8c47a9cf118ee400c00c205365", "hex");
const DATA_HEADER_BYTES = 50;
const INDEX = Buffer.from("90080033b1e5cf1189f400a0c90349cb", "hex");

let file: Buffer;
let data: number;
let packetBytes: number;
beforeAll(async () => {
  file = await mediaBytes("wma", {
    tracks: [{ channels: [tone(SECONDS, 440, RATE)], sampleRate: RATE, encoder: "wmav2" }],
  });
  data = file.indexOf(DATA);
  packetBytes = file.readUInt32LE(file.indexOf(PROPERTIES) + 92);
});

/** The file with another length of its packets, which begin behind a header of 50 bytes. */
function stating(packets: number, extra = 0): Buffer {
  const changed = Buffer.from(file);
  changed.writeBigUInt64LE(BigInt(DATA_HEADER_BYTES + packets * packetBytes + extra), data + 16);
  return changed;
}

/** An index, as encoders write it behind the packets. */
function index(): Buffer {
  const bytes = Buffer.alloc(56 + 6);
  INDEX.copy(bytes);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 16);
  return bytes;
}

const wholeNote = () => `${file.length - data - DATA_HEADER_BYTES} bytes follow it; all of them were read`;

test.each([
  ["one packet", 1, 0, 0],
  ["three packets", 3, 0, 0],
  ["a part of a packet", 3, 700, 0],
  ["three packets, before an index", 3, 0, 1],
])("a header that states %s loses no audio", async (_what, packets, extra, indexes) => {
  const content = [stating(packets, extra), ...Array.from({ length: indexes }, index)];
  const { probe, decoded } = await readMedia(Buffer.concat(content));
  expect(Math.abs(decoded.durationSeconds - SECONDS)).toBeLessThan(0.2);
  expect(Math.abs(probe.durationSeconds - decoded.durationSeconds)).toBeLessThan(0.1);
  expect(decoded.warnings).toEqual([
    `The file's header states ${packets * packetBytes + extra} bytes of audio, but ${wholeNote()}`,
  ]);
});

test("a right header, with and without an index behind the packets, has no note", async () => {
  for (const content of [file, Buffer.concat([file, index()])]) {
    const { decoded } = await readMedia(content);
    expect(Math.abs(decoded.durationSeconds - SECONDS)).toBeLessThan(0.2);
    expect(decoded.warnings).toEqual([]);
  }
});

test("for any bytes, the search ends, and the part is the file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-asf-"));
  const name = path.join(folder, "file");
  try {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: data + 200 }), fc.uint8Array({ maxLength: 40 }), (at, bytes) => {
        const changed = stating(2);
        changed.set(bytes.subarray(0, Math.max(0, changed.length - at)), at);
        writeFileSync(name, changed);
        for (const { startBytes, endBytes } of resultOf(asfParts(name)).parts)
          expect([startBytes, endBytes]).toEqual([0, changed.length]);
      }),
      { numRuns: 200 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
