// Packets of RTP and RTMP, decoded as the service passes them on.
import { expect, test } from "vitest";
import { compressed, packetsOf, sweep } from "../../../../test/fixtures/compressed.ts";
import type { Codec, CodecSetup } from "./demuxer.ts";
import { FramedPackets, framedPacket, framedSetup } from "./framed-packets.ts";
import type { Compression } from "./message.ts";
import { MpegFrames } from "./mpeg-frames.ts";
import { StreamDecoder } from "./stream-decoder.ts";

const SECONDS = 2;
const COMPRESSION: Compression = { encoding: "packets", channels: 1, sampleRate: 16_000 };
const ADTS_BYTES = 7;

/** @returns samples of a channel, and why the stream is refused */
function decoded(
  bytes: Buffer,
  step = bytes.length,
): { samples: Int16Array; refused: string | undefined; lost: number } {
  const decoder = new StreamDecoder(COMPRESSION);
  const parts = [];
  for (let at = 0; at < bytes.length; at += step) {
    let part = decoder.push(bytes.subarray(at, at + step));
    for (parts.push(part); part.hasMore; parts.push(part)) part = decoder.step();
  }
  parts.push(decoder.finish());
  decoder.close();
  const samples = Buffer.concat(parts.map((part) => part.samples));
  return {
    samples: new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2),
    refused: parts.find(({ refused }) => refused !== undefined)?.refused,
    lost: parts.flatMap(({ lost }) => lost).length,
  };
}

const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length));

const stream = (setup: CodecSetup, packets: readonly Buffer[]) =>
  Buffer.concat([framedSetup(setup), ...packets.map(framedPacket)]);
async function frames(codec: "aac" | "mp3", rate: number, channels = 1): Promise<Buffer[]> {
  const bytes = await compressed(codec, sweep(SECONDS, rate, channels), { sampleRate: rate });
  return new MpegFrames(codec).push(bytes).flatMap((part) => (part.kind === "packet" ? [part.bytes] : []));
}
const raw = (packets: readonly Buffer[]) => packets.map((packet) => packet.subarray(ADTS_BYTES));

test.each([
  [48_000, 2, "1190"],
  [16_000, 1, "1408"],
  [44_100, 1, "1208"],
])("AAC without headers of %s Hz and %s channels", async (rate, channels, config) => {
  const setup = { codec: "aac", head: Buffer.from(config, "hex") } as const;
  const bytes = stream(setup, raw(await frames("aac", rate, channels)));
  const { samples, lost } = decoded(bytes);
  expect(lost).toBe(0);
  expect(Math.abs(samples.length / 16_000 - SECONDS)).toBeLessThan(0.15);
  expect(loudness(samples)).toBeGreaterThan(3_000);
  for (const step of [1, 100, 4_321]) expect(decoded(bytes, step).samples).toEqual(samples);
});

test("several frames of MP3 in a packet are all decoded", async () => {
  const all = await frames("mp3", 24_000);
  const packets = Array.from({ length: Math.ceil(all.length / 6) }, (_, at) =>
    Buffer.concat(all.slice(6 * at, 6 * at + 6)),
  );
  const single = decoded(stream({ codec: "mp3" }, all)).samples.length / 16_000;
  expect(decoded(stream({ codec: "mp3" }, packets)).samples.length / 16_000).toBeCloseTo(single, 2);
  expect(single).toBeGreaterThan(SECONDS - 0.1);
});

test("Opus without its head", async () => {
  const packets = packetsOf(await compressed("ogg/opus", sweep(SECONDS, 48_000)));
  const { samples } = decoded(stream({ codec: "opus", channels: 2 }, packets));
  expect(Math.abs(samples.length / 16_000 - SECONDS)).toBeLessThan(0.1);
  expect(loudness(samples)).toBeGreaterThan(3_000);
});

test.each([
  ["s16be", Buffer.from("4000c000", "hex")],
  ["s16le", Buffer.from("004000c0", "hex")],
  ["mu-law", Buffer.of(0x8f, 0x0f)],
  ["a-law", Buffer.of(0xba, 0x3a)],
] as [Codec, Buffer][])("raw samples as %s", (codec, pair) => {
  const packets = Array.from({ length: 50 }, () => Buffer.concat(Array.from({ length: 160 }, () => pair)));
  const { samples, lost } = decoded(stream({ codec, sampleRate: 16_000, channels: 1 }, packets));
  expect(lost).toBe(0);
  expect(samples.length).toBe(16_000);
  expect(loudness(samples)).toBeGreaterThan(10_000);
});

test("another format follows within the stream", async () => {
  const opus = packetsOf(await compressed("ogg/opus", sweep(SECONDS, 48_000)));
  const { samples, refused } = decoded(
    Buffer.concat([
      stream({ codec: "aac", head: Buffer.from("1208", "hex") }, raw(await frames("aac", 44_100))),
      stream({ codec: "opus", channels: 2 }, opus),
      stream({ codec: "a-law", sampleRate: 8_000, channels: 2 }, [Buffer.alloc(16_000, 0xd5)]),
    ]),
  );
  expect(refused).toBeUndefined();
  expect(Math.abs(samples.length / 16_000 - 2 * SECONDS - 1)).toBeLessThan(0.3);
});

test("damaged packets are lost, those after them are decoded", async () => {
  const packets = raw(await frames("aac", 44_100));
  const damaged = packets.map((packet, at) => (at % 10 === 5 ? Buffer.alloc(packet.length, 0xff) : packet));
  const { samples, lost } = decoded(
    stream({ codec: "aac", head: Buffer.from("1208", "hex") }, [...damaged, Buffer.alloc(0)]),
  );
  expect(lost).toBeGreaterThan(3);
  expect(samples.length / 16_000).toBeGreaterThan(0.7 * SECONDS);
});

test("parameters that cannot be decoded refuse the stream", () => {
  expect(decoded(stream({ codec: "aac", head: Buffer.from("0000", "hex") }, [])).refused).toMatch(/cannot be decoded/);
  expect(decoded(framedPacket(Buffer.from("abc"))).lost).toBe(1);
  expect(new FramedPackets().end()).toEqual([]);
});
