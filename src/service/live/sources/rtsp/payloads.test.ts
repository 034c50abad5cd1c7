// Frames in the packets of each format.
import { expect, test } from "vitest";
import { payloadsOf } from "./payloads.ts";
import type { RtpPacket } from "./rtp.ts";

const format = (encoding: string, rate: number, parameters: Record<string, string> = {}, channels = 1) => ({
  ...{ payloadType: 96, encoding, rate, channels },
  parameters: new Map(Object.entries(parameters)),
});
const packet = (payload: Buffer, isMarked = true, timestamp = 0): RtpPacket => ({
  ...{ payloadType: 96, isMarked, sequence: 0, timestamp, source: 0, payload },
});
const bytes = (length: number, value: number) => Buffer.alloc(length, value);
/** Headers of frames of 13 and 3 bits. */
function headers(...lengths: number[]): Buffer {
  const all = Buffer.alloc(2 + 2 * lengths.length);
  all.writeUInt16BE(16 * lengths.length);
  for (const [at, length] of lengths.entries()) all.writeUInt16BE(length << 3, 2 + 2 * at);
  return all;
}
const AAC = format("MPEG4-GENERIC", 48_000, {
  mode: "AAC-hbr",
  sizelength: "13",
  indexlength: "3",
  indexdeltalength: "3",
  config: "1190",
});

test("frames of AAC in one packet follow one another in time", () => {
  const frames = payloadsOf(AAC)?.frames(packet(Buffer.concat([headers(5, 7), bytes(5, 1), bytes(7, 2)])), false);
  expect(frames).toEqual([
    { bytes: bytes(5, 1), seconds: 0 },
    { bytes: bytes(7, 2), seconds: 1_024 / 48_000 },
  ]);
});

test("a frame of AAC in several packets is whole, or left out after a loss", () => {
  const aac = payloadsOf(AAC);
  const piece = (value: number) => Buffer.concat([headers(8), bytes(4, value)]);
  expect(aac?.frames(packet(piece(1), false), false)).toEqual([]);
  expect(aac?.frames(packet(piece(2)), false)).toEqual([
    { bytes: Buffer.concat([bytes(4, 1), bytes(4, 2)]), seconds: 0 },
  ]);
  expect(aac?.frames(packet(piece(1), false), false)).toEqual([]);
  expect(aac?.frames(packet(piece(2)), true)).toEqual([]);
  // The pieces of one frame have one time.
  expect(aac?.frames(packet(piece(1), false, 5), false)).toEqual([]);
  expect(aac?.frames(packet(Buffer.concat([headers(3), bytes(3, 3)]), true, 6), false)).toEqual([
    { bytes: bytes(3, 3), seconds: 0 },
  ]);
});

test("damaged headers of AAC give no frames beyond the packet, in linear time", () => {
  const aac = payloadsOf(AAC);
  const since = performance.now();
  for (const payload of [Buffer.alloc(0), Buffer.of(1), bytes(65_523, 0xff), bytes(65_523, 0), bytes(3, 0xff)]) {
    const frames = aac?.frames(packet(payload), false) ?? [];
    expect(frames.reduce((sum, one) => sum + one.bytes.length, 0)).toBeLessThanOrEqual(payload.length);
  }
  const narrow = payloadsOf(
    format("MPEG4-GENERIC", 8_000, { sizelength: "1", indexlength: "0", indexdeltalength: "0" }),
  );
  narrow?.frames(packet(Buffer.concat([Buffer.of(0xff, 0xff), bytes(65_000, 0xff)])), false);
  narrow?.frames(packet(Buffer.concat([Buffer.of(0xff, 0xff), bytes(65_000, 0)])), false);
  expect(performance.now() - since).toBeLessThan(5_000);
});

test("AAC in a multiplex: the description of AAC begins at its 16th bit, and lengths precede the frames", () => {
  const latm = payloadsOf(format("MP4A-LATM", 44_100, { cpresent: "0", config: "40002420adca00" }));
  expect(latm?.setup.head?.subarray(0, 2).toString("hex")).toBe("1210");
  const frame = bytes(300, 7);
  expect(latm?.frames(packet(Buffer.concat([Buffer.of(255, 45), frame])), false)).toEqual([
    { bytes: frame, seconds: 0 },
  ]);
  expect(payloadsOf(format("MP4A-LATM", 44_100, { cpresent: "1" }))).toBeUndefined();
  expect(payloadsOf(format("MP4A-LATM", 44_100, { cpresent: "0", config: "" }))).toBeUndefined();
  expect(latm?.frames(packet(bytes(60_000, 255)), false)).toHaveLength(1);
});

test("Opus, G.711 and L16 are passed on with their parameters", () => {
  const setup = (...given: Parameters<typeof format>) => payloadsOf(format(...given))?.setup;
  expect(setup("OPUS", 48_000, {}, 2)).toEqual({ codec: "opus", channels: 2 });
  expect(setup("PCMU", 8_000)).toEqual({ codec: "mu-law", sampleRate: 8_000, channels: 1 });
  expect(setup("PCMA", 16_000)).toEqual({ codec: "a-law", sampleRate: 16_000, channels: 1 });
  expect(setup("L16", 44_100, {}, 2)).toEqual({ codec: "s16be", sampleRate: 44_100, channels: 2 });
  for (const [encoding, rate] of [
    ["G722", 8_000],
    ["L16", 192_000],
    ["OPUS", 8_000],
    ["__proto__", 8_000],
  ] as const)
    expect(setup(encoding, rate)).toBeUndefined();
  expect(payloadsOf(format("PCMU", 8_000))?.frames(packet(Buffer.of(1, 2)), false)).toEqual([
    { bytes: Buffer.of(1, 2), seconds: 0 },
  ]);
});

test("MPEG audio: whole frames, and one in pieces", () => {
  const mpeg = payloadsOf(format("MPA", 90_000));
  // 144 bytes: 24 kHz, 48 kbit/s.
  const frame = Buffer.concat([Buffer.from("fff364c4", "hex"), bytes(140, 1)]);
  expect(mpeg?.frames(packet(Buffer.concat([bytes(4, 0), frame, frame])), false)).toEqual([
    { bytes: Buffer.concat([frame, frame]), seconds: 0 },
  ]);
  const later = Buffer.concat([Buffer.of(0, 0, 0, 100), frame.subarray(100)]);
  expect(mpeg?.frames(packet(Buffer.concat([bytes(4, 0), frame.subarray(0, 100)])), false)).toEqual([]);
  expect(mpeg?.frames(packet(later), false)).toEqual([{ bytes: frame, seconds: 0 }]);
  expect(mpeg?.frames(packet(later), false)).toEqual([]);
});
