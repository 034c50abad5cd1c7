import { expect, test } from "vitest";
import { compressed, sweep } from "../../../../test/fixtures/compressed.ts";
import type { Demuxer, Part } from "./demuxer.ts";
import { MpegFrames } from "./mpeg-frames.ts";
import { crc32, OggPackets } from "./ogg.ts";
import { StreamDecoder } from "./stream-decoder.ts";
import { WebmPackets } from "./webm.ts";

const SERIAL = 7;
const HEADER_BYTES = 27;
const CONTINUES = 1;
const BEGINS = 2;
const HEAD = Buffer.concat([Buffer.from("OpusHead"), Buffer.of(1, 1), Buffer.alloc(9)]);

/** @param isOpen  whether the body ends within a packet, whose pieces have 255 bytes each */
function page(sequence: number, flags: number, packets: readonly Buffer[], isOpen = false): Buffer {
  const lengths: number[] = [];
  for (const [index, { length }] of packets.entries()) {
    for (let rest = length; rest >= 255; rest -= 255) lengths.push(255);
    if (!isOpen || index < packets.length - 1) lengths.push(length % 255);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("OggS");
  header[5] = flags;
  header.writeUInt32LE(SERIAL, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = lengths.length;
  const bytes = Buffer.concat([header, Buffer.from(lengths), ...packets]);
  bytes.writeUInt32LE(crc32(bytes), 22);
  return bytes;
}

const piece = (count: number) => Buffer.alloc(255 * count, 0x21);
const start = () => page(0, BEGINS, [HEAD]);

function partsOf(demuxer: Demuxer, bytes: Buffer, step = bytes.length): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; at += step) parts.push(...demuxer.push(bytes.subarray(at, at + step)));
  return [...parts, ...demuxer.end()];
}

/** In any split of the bytes. @returns lost bytes of each part, their ranges, and lengths of the packets */
function oggParts(...pages: Buffer[]) {
  const bytes = Buffer.concat(pages);
  const parts = partsOf(new OggPackets(), bytes);
  for (const step of [1, 100, 4_000]) {
    if (bytes.length / step > 5_000) continue;
    const sum = (all: readonly Part[]) =>
      all.reduce((count, part) => count + (part.kind === "lost" ? part.bytes : 0), 0);
    expect(sum(partsOf(new OggPackets(), bytes, step))).toBe(sum(parts));
  }
  const lost = parts.flatMap((part) => (part.kind === "lost" ? [part] : []));
  const packets = parts.flatMap((part) => (part.kind === "packet" ? [part.bytes.length] : []));
  return { lost: lost.map(({ bytes: count }) => count), ranges: lost.map(({ from, end }) => [from, end]), packets };
}

test("Ogg: a packet that continues on further pages is one, and nothing is lost", () => {
  const found = oggParts(
    start(),
    page(1, 0, [piece(2)], true),
    page(2, CONTINUES, [piece(3)], true),
    page(3, CONTINUES, [Buffer.alloc(5), Buffer.alloc(9)]),
  );
  expect(found).toEqual({ lost: [], ranges: [], packets: [5 * 255 + 5, 9] });
});

test("Ogg: both ends of a packet whose middle page is missing are lost", () => {
  const [head, first, last] = [
    start(),
    page(1, 0, [Buffer.alloc(9), piece(2)], true),
    page(3, CONTINUES, [Buffer.alloc(5), Buffer.alloc(9)]),
  ];
  const from = head.length + first.length;
  expect(oggParts(head, first, last)).toEqual({
    lost: [2 * 255, 5],
    // Header, two lengths, and the piece.
    ranges: [
      [head.length, from],
      [from, from + HEADER_BYTES + 2 + 5],
    ],
    packets: [9, 9],
  });
});

test("Ogg: a page within a packet whose beginning is missing is lost as a whole", () => {
  const found = oggParts(start(), page(2, CONTINUES, [piece(4)], true), page(3, CONTINUES, [Buffer.alloc(7)]));
  expect(found).toMatchObject({ lost: [4 * 255, 7], packets: [] });
});

test("Ogg: a packet that another one replaces, a new stream follows or the stream ends in is lost", () => {
  expect(oggParts(start(), page(1, 0, [piece(2)], true), page(2, 0, [Buffer.alloc(3)]))).toMatchObject({
    lost: [510],
    packets: [3],
  });
  expect(oggParts(start(), page(1, 0, [piece(2)], true), start(), page(1, 0, [Buffer.alloc(3)]))).toMatchObject({
    lost: [510],
    packets: [3],
  });
  expect(oggParts(start(), page(1, 0, [piece(2)], true))).toMatchObject({ lost: [510], packets: [] });
  const cut = page(2, CONTINUES, [piece(2)], true).subarray(0, 100);
  expect(oggParts(start(), page(1, 0, [piece(2)], true), cut)).toMatchObject({ lost: [510, 100], packets: [] });
});

test("Ogg: damage within a packet costs the packet, and lost bytes are in order", () => {
  const damaged = page(2, CONTINUES, [piece(1)], true);
  damaged[40] = 0x55;
  const found = oggParts(
    start(),
    page(1, 0, [piece(2)], true),
    damaged,
    page(3, CONTINUES, [piece(1), Buffer.alloc(6)]),
  );
  expect(found.lost.reduce((sum, bytes) => sum + bytes, 0)).toBe(510 + damaged.length + 255);
  expect(found.packets).toEqual([6]);
  expect(found.ranges.every(([from = 0], index) => from >= (found.ranges[index - 1]?.[1] ?? 0))).toBe(true);
});

test("Ogg: every byte of a packet of more than a megabyte is lost, and the next packet is read", () => {
  const pages = 20;
  const long = Array.from({ length: pages }, (_, at) => page(1 + at, at === 0 ? 0 : CONTINUES, [piece(255)], true));
  const { lost, packets } = oggParts(start(), ...long, page(pages + 1, CONTINUES, [Buffer.alloc(8), Buffer.alloc(4)]));
  expect(lost.reduce((sum, bytes) => sum + bytes, 0)).toBe(pages * 255 * 255 + 8);
  expect(packets).toEqual([4]);
});

test.each([
  ["another version", Buffer.from([0x4f, 0x67, 0x67, 0x53, 0, 0xff, 0xff])],
  ["impossible flags", Buffer.concat([Buffer.from("OggS\0"), Buffer.alloc(22, 255)])],
  ["a wrong checksum", Buffer.concat([Buffer.from("OggS\0\0"), Buffer.alloc(21, 255)])],
])("Ogg: the work for false pages with %s is proportional to the bytes", (_, unit) => {
  const bytes = Buffer.concat([start(), Buffer.alloc(400_000, unit)]);
  const demuxer = new OggPackets();
  const lostOf = (parts: readonly Part[]) =>
    parts.reduce((sum, part) => sum + (part.kind === "lost" ? part.bytes : 0), 0);
  expect(lostOf(partsOf(demuxer, bytes, 32_768))).toBe(400_000);
  expect(demuxer.checkedBytes).toBeLessThan(6 * bytes.length + 1_200_000);
  // The pages after them are found.
  const after = Buffer.concat([bytes, Buffer.alloc(70_000), page(1, 0, [Buffer.alloc(6)])]);
  for (const step of [999, 32_768, after.length]) {
    const parts = partsOf(new OggPackets(), after, step);
    expect(parts.filter(({ kind }) => kind === "packet")).toHaveLength(1);
    expect(lostOf(parts)).toBe(470_000);
  }
});

test("Ogg: the packets of a page that have no bytes are lost together", () => {
  const empty = Array.from({ length: 200 }, () => Buffer.alloc(0));
  expect(oggParts(start(), page(1, 0, [...empty, Buffer.alloc(7)]))).toMatchObject({ lost: [200], packets: [7] });
});

/** @returns an element of Matroska with a length of four bytes */
function element(id: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x10000000 + body.length);
  return Buffer.concat([Buffer.from(id, "hex"), length, body]);
}

/** The beginning of a WebM stream with a track of Opus. */
function webmHead(): Buffer {
  const track = Buffer.concat([
    element("d7", Buffer.of(1)),
    element("83", Buffer.of(2)),
    element("86", Buffer.from("A_OPUS")),
  ]);
  return Buffer.concat([element("1a45dfa3", Buffer.alloc(0)), element("1654ae6b", element("ae", track))]);
}

test("WebM: a block whose frames of one length do not fill it is lost", () => {
  const head = webmHead();
  // Track 1, time, lacing of one length, three frames.
  const block = (bytes: number) => element("a3", Buffer.concat([Buffer.of(0x81, 0, 0, 4, 2), Buffer.alloc(bytes)]));
  const [whole, damaged] = [block(30), block(31)];
  const parts = partsOf(new WebmPackets(), Buffer.concat([head, whole, damaged]));
  expect(parts.map((part) => (part.kind === "packet" ? part.bytes.length : part.kind))).toEqual([
    ...["setup", 10, 10, 10, "lost"],
  ]);
  expect(parts.at(-1)).toMatchObject({ bytes: damaged.length });
});

test("WebM: frames without bytes are one loss, in blocks of every lacing", () => {
  // 256 frames of one length that is zero; frames of 0, 0 and 5 bytes; a frame of 0 bytes.
  const equal = Buffer.of(0xa3, 0x85, 0x81, 0, 0, 4, 255);
  const xiph = Buffer.of(0xa3, 0x8c, 0x81, 0, 0, 2, 2, 0, 0, 1, 2, 3, 4, 5);
  const lone = Buffer.of(0xa3, 0x84, 0x81, 0, 0, 0);
  const parts = partsOf(new WebmPackets(), Buffer.concat([webmHead(), equal, xiph, lone]));
  expect(parts.map((part) => [part.kind, "bytes" in part && Buffer.isBuffer(part.bytes) ? 5 : part])).toMatchObject([
    ["setup", {}],
    ["lost", { bytes: equal.length }],
    ["packet", 5],
    ["lost", { bytes: 2 }],
    ["lost", { bytes: lone.length }],
  ]);
  const many = new WebmPackets();
  expect(many.push(Buffer.concat([webmHead(), Buffer.alloc(32_768, equal)])).length).toBeLessThan(5_000);
});

test("elements without audio are skipped, and long ones are counted as lost", () => {
  const lostOf = (demuxer: Demuxer, bytes: Buffer, step: number) =>
    partsOf(demuxer, bytes, step).reduce((sum, part) => sum + (part.kind === "lost" ? part.bytes : 0), 0);
  const ofVoid = (bytes: number) => Buffer.concat([webmHead(), element("ec", Buffer.alloc(bytes)), webmHead()]);
  const tag = (bytes: number) =>
    Buffer.concat([Buffer.from("ID3\x04\0\0"), Buffer.of(bytes >> 21, (bytes >> 14) & 127, 0, 0), Buffer.alloc(bytes)]);
  for (const step of [1_000, 32_768]) {
    expect(lostOf(new WebmPackets(), ofVoid(65_536), step)).toBe(0);
    expect(lostOf(new WebmPackets(), ofVoid(1_000_000), step)).toBe(1_000_000);
    expect(lostOf(new MpegFrames("mp3"), tag(1_048_576), step)).toBe(0);
    expect(lostOf(new MpegFrames("mp3"), tag(2_097_152), step)).toBe(2_097_152 + 10);
  }
});

test("a stream that ends before its container is known is lost", async () => {
  const beginning = (await compressed("aac", sweep(1, 44_100))).subarray(0, 50);
  const decoder = new StreamDecoder({ encoding: "container", channels: 1 });
  expect(decoder.push(beginning)).toMatchObject({ lost: [], hasMore: false });
  expect(decoder.finish().lost).toEqual([{ from: 0, end: 50, bytes: 50 }]);
  decoder.close();
});
