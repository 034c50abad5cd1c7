// Streams of live sources: what they are is found, they may begin anywhere, and damage ends nothing.
import { expect, test } from "vitest";
import { compressed, sweep } from "../../../../test/fixtures/compressed.ts";
import { hlsFiles } from "../../../../test/fixtures/live-source.ts";
import { mediaBytes } from "../../../../test/fixtures/media.ts";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { Broadcast } from "./broadcast.ts";
import type { DecodedPart } from "./message.ts";
import { StreamDecoder } from "./stream-decoder.ts";

const RATE = 16_000;
const SECONDS = 4;
const [SWEEP] = sweep(SECONDS, RATE) as [Float32Array];

/** @param step  bytes of a push */
function decode(bytes: Buffer, step = 5_000) {
  const decoder = new StreamDecoder({ encoding: "broadcast", channels: 1, sampleRate: RATE });
  const parts: DecodedPart[] = [];
  const more = (part: DecodedPart, next: () => DecodedPart) => {
    parts.push(part);
    for (let last = part; last.hasMore; parts.push(last)) last = next();
  };
  for (let at = 0; at < bytes.length; at += step)
    more(decoder.push(bytes.subarray(at, at + step)), () => decoder.step());
  more(decoder.finish(), () => decoder.step(true));
  decoder.close();
  const samples = Buffer.concat(parts.map((part) => part.samples));
  return {
    samples: new Int16Array(samples.buffer, samples.byteOffset, samples.length / 2),
    clock: parts.find(({ clock }) => clock !== undefined)?.clock,
    refused: parts.find(({ refused }) => refused !== undefined)?.refused,
    lost: parts.flatMap(({ lost }) => lost).reduce((sum, { bytes: count }) => sum + count, 0),
  };
}

/** Greatest correlation with the sweep at a shift of up to 0.2 s. */
function likeness(samples: Int16Array): number {
  let best = 0;
  for (let shift = 0; shift < 0.2 * RATE; shift += 4) {
    let [product, own, given] = [0, 0, 0];
    for (let at = RATE; at < 3 * RATE; at += 3) {
      const [left, right] = [SWEEP[at] as number, (samples[at + shift] ?? 0) / 32_768];
      product += left * right;
      own += left * left;
      given += right * right;
    }
    best = Math.max(best, product / Math.sqrt(own * given + 1e-9));
  }
  return best;
}

const whole = async (kind: "mpegts" | "fmp4") => {
  const { files, parts, init } = await hlsFiles(SWEEP, kind);
  const names = [...(init ? [init] : []), ...parts.map(({ name }) => name)];
  return Buffer.concat(names.map((name) => files.get(name) as Buffer));
};
const tagged = (bytes: Buffer, ticks: bigint) => {
  const frame = Buffer.concat([
    Buffer.from("com.apple.streaming.transportStreamTimestamp\0", "latin1"),
    Buffer.alloc(8),
  ]);
  frame.writeBigUInt64BE(ticks, frame.length - 8);
  const size = frame.length + 10;
  const header = Buffer.concat([Buffer.from("PRIV"), Buffer.of(0, 0, 0, frame.length, 0, 0), frame]);
  return Buffer.concat([Buffer.from("ID3"), Buffer.of(4, 0, 0, 0, 0, 0, size), header, bytes]);
};

const STREAMS: [name: string, bytes: () => Promise<Buffer>][] = [
  ["an MPEG transport stream", () => whole("mpegts")],
  ["fragmented MP4", () => whole("fmp4")],
  ["AAC", () => compressed("aac", sweep(SECONDS, 44_100))],
  ["AAC with a time", async () => tagged(await compressed("aac", sweep(SECONDS, 44_100)), 900_000n)],
  ["MP3", () => compressed("mp3", sweep(SECONDS, 24_000))],
  ["Opus in Ogg", () => compressed("ogg/opus", sweep(SECONDS, 48_000))],
  ["Opus in WebM", () => compressed("webm/opus", sweep(SECONDS, 48_000))],
];

test.each(STREAMS)("%s is decoded to the rate of the session, whatever the split of its bytes", async (_, make) => {
  const bytes = await make();
  const { samples, refused, lost } = decode(bytes);
  expect(refused).toBeUndefined();
  expect(lost).toBe(0);
  expect(Math.abs(samples.length / RATE - SECONDS)).toBeLessThan(0.2);
  expect(likeness(samples)).toBeGreaterThan(0.98);
  expect(Buffer.from(decode(bytes, 377).samples.buffer).equals(Buffer.from(samples.buffer))).toBe(true);
});

test("the clock of the sender is known where the stream states it", async () => {
  const tracks = [{ channels: [SWEEP], sampleRate: RATE, encoder: "aac" }];
  const clock = decode(await mediaBytes("ts", { tracks, muxerOptions: { output_ts_offset: "5" } })).clock ?? 0;
  // Less what the encoder adds in front.
  expect(Math.abs(clock / 90_000 - 5)).toBeLessThan(0.1);
  expect(decode(await whole("fmp4")).clock).toBe(0);
  expect(decode(tagged(await compressed("aac", sweep(1, 44_100)), 2n ** 33n + 7n)).clock).toBe(7);
  expect(decode(await compressed("mp3", sweep(1, 24_000))).clock).toBeUndefined();
});

test.each(["aac", "mp3"] as const)("a stream of %s may begin within a frame", async (name) => {
  const bytes = await compressed(name, sweep(SECONDS, name === "aac" ? 44_100 : 24_000));
  const { samples, refused } = decode(bytes.subarray(777));
  expect(refused).toBeUndefined();
  expect(samples.length / RATE).toBeGreaterThan(SECONDS - 0.5);
});

test("the audio of a stream with video is found", async () => {
  const tracks = [{ channels: [SWEEP], sampleRate: RATE, encoder: "aac" }];
  const { samples, refused } = decode(await mediaBytes("ts", { videoSeconds: SECONDS, tracks }));
  expect(refused).toBeUndefined();
  expect(likeness(samples)).toBeGreaterThan(0.98);
});

test.each([
  ["a page", Buffer.from(`<html>${"<p>No such Mount Point</p>".repeat(20)}`), /text/],
  ["noise", Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * 7) % 251)), /not known/],
  ["FLAC", Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(100)]), /FLAC/],
])("%s is refused with a reason", (_, bytes, reason) => {
  expect(decode(bytes).refused).toMatch(reason);
});

test("a transport stream with other audio, and MP4 with other audio, name it", async () => {
  const tracks = (encoder: string) => [{ channels: [SWEEP], sampleRate: 48_000, encoder }];
  expect(decode(await mediaBytes("ts", { tracks: tracks("ac3") })).refused).toMatch(/AC-3/);
  const muxerOptions = { movflags: "frag_keyframe+empty_moov+default_base_moof" };
  expect(decode(await mediaBytes("mp4", { tracks: tracks("libopus"), muxerOptions })).refused).toMatch(/Opus/);
});

test("damaged streams end no demuxer", async () => {
  const random = randomOf(5);
  for (const bytes of [await whole("mpegts"), await whole("fmp4")]) {
    for (let round = 0; round < 150; round++) {
      const damaged = Buffer.from(bytes.subarray(Math.floor(random() * 400)));
      for (let count = 0; count < 40; count++)
        damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      const demuxer = new Broadcast();
      for (let at = 0; at < damaged.length; at += 3_000) demuxer.push(damaged.subarray(at, at + 3_000));
      demuxer.end();
    }
  }
});
