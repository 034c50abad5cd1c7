import { describe, expect, test } from "vitest";
import { noise } from "../../../test/fixtures/recordings.ts";
import { encodePcm } from "../../../test/fixtures/speech.ts";
import type { StreamFormat } from "../../audio/stream-format.ts";
import { writeWavHeader } from "../../audio/wav.ts";
import { headerWarning, StreamReader } from "./stream-reader.ts";

const FORMAT: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 };
const SAMPLES = noise(2, 0.3);
const pcm = encodePcm([SAMPLES]);
const header = writeWavHeader(FORMAT, 4_096);

function pieces(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
}

/** A header in front of every chunk. */
const headed = (chunkBytes: number, each = header) =>
  Buffer.concat(pieces(pcm, chunkBytes).flatMap((chunk) => [each, chunk]));

function read(bytes: Buffer, pieceBytes: number, reader = new StreamReader(FORMAT)): Float32Array {
  const samples = pieces(bytes, pieceBytes).flatMap((piece) => [...reader.push(piece)].map(([channel]) => channel));
  samples.push(reader.flush()[0]);
  return Float32Array.from(samples.flatMap((piece) => [...(piece as Float32Array)]));
}

const plain = read(pcm, pcm.length);

describe("a WAV header in front of every chunk", () => {
  test("is skipped, however the bytes are split", () => {
    for (const pieceBytes of [1, 7, 44, 100, 4_140, 65_536]) expect(read(headed(4_096), pieceBytes)).toEqual(plain);
  });

  test("counts as bytes, not as time", () => {
    const reader = new StreamReader(FORMAT);
    const stream = headed(4_096);
    read(stream, 1_000, reader);
    expect(reader.secondsAt(stream.length)).toBeCloseTo(2, 5);
    expect(reader.secondsAt(44)).toBe(0);
    expect(reader.secondsAt(44 + 4_096 + 44)).toBeCloseTo(0.128, 5);
    expect(reader.headers.count).toBe(16);
  });

  test("is skipped when resuming within the stream, and in the recording", async () => {
    const stream = headed(4_096);
    const first = new StreamReader(FORMAT);
    read(stream, 1_000, first);
    const reader = new StreamReader(FORMAT, { headerBytes: 44, format: FORMAT });
    reader.skim(stream.subarray(44));
    for (const sample of [0, 1, 2_047, 2_048, 2_049, 20_000]) {
      reader.startAt(sample);
      expect(read(stream.subarray(reader.byteFor(sample)), 999, reader)).toEqual(plain.subarray(sample));
    }
    const parts: Buffer[] = [];
    const chunks = (async function* () {
      yield* pieces(stream, 1_001);
    })();
    for await (const part of reader.headers.without(chunks)) parts.push(Buffer.from(part));
    expect(Buffer.concat(parts).equals(pcm)).toBe(true);
  });

  test("that differs is reported", () => {
    const reader = new StreamReader(FORMAT);
    read(Buffer.concat([pcm, writeWavHeader({ ...FORMAT, sampleRate: 48_000 }, 0), pcm]), 1_000, reader);
    expect(reader.contradictingHeader).toMatchObject({ sampleRate: 48_000 });
  });
});

describe("unreadable audio", () => {
  test.each([
    ["WebM", Buffer.concat([Buffer.from("1a45dfa3", "hex"), Buffer.alloc(100)]), /WebM/],
    ["stereo in a mono session", writeWavHeader({ ...FORMAT, channels: 2 }, 0), /2 channels.*created with 1 channel/],
    ["floating-point samples", Buffer.from(header).fill(3, 20, 21), /floating-point/],
    ["12 bits", Buffer.from(header).fill(12, 34, 35), /12 bits/],
  ])("%s is refused with a reason", (_what, bytes, reason) => {
    expect(new StreamReader(FORMAT).refusalOf(bytes)).toMatch(reason);
  });

  test("is reported as soon as enough of it has arrived", () => {
    const reader = new StreamReader(FORMAT);
    const stereo = writeWavHeader({ ...FORMAT, channels: 2 }, 0);
    for (const byte of stereo.subarray(0, 43)) {
      expect(reader.refusalOf(Buffer.of(byte))).toBeUndefined();
      for (const _ of reader.push(Buffer.of(byte)));
    }
    expect(reader.refusalOf(stereo.subarray(43))).toMatch(/2 channels/);
  });
});

test("audio that ends before its format is known is not lost", () => {
  expect(read(pcm.subarray(0, 10), 10)).toHaveLength(5);
  // "RIF" may be the start of a header.
  expect(read(Buffer.from("xxRIF!RIF", "latin1"), 3)).toHaveLength(4);
});

test("a header that differs from the session takes precedence, and the warning names the differences", () => {
  const start = { headerBytes: 44, format: { ...FORMAT, sampleRate: 48_000 } };
  expect(headerWarning(start, FORMAT)).toMatch(/sample_rate \(48000, not 16000\)/);
  expect(headerWarning({ headerBytes: 44, format: FORMAT }, FORMAT)).toBeUndefined();
});
