import { describe, expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { encodePcm } from "../../../../test/fixtures/speech.ts";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import { writeWavHeader } from "../../../speech/audio/wav.ts";
import { StreamHeaders } from "./stream-headers.ts";
import { headerWarning, mixingWarning, StreamReader } from "./stream-reader.ts";

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

describe("a stream that only its header describes", () => {
  const stereo: StreamFormat = { ...FORMAT, sampleRate: 32_000, channels: 2 };
  const louder = SAMPLES.map((value) => value / 2);
  const stream = Buffer.concat([writeWavHeader(stereo, 0), encodePcm([SAMPLES, louder])]);
  const mixing = () => new StreamReader({ ...FORMAT, sampleRate: 48_000 }, undefined, undefined, true);

  test("has the mean of its channels at the rate of its header, however the bytes are split", () => {
    const mean = encodePcm([SAMPLES.map((value) => value * 0.75)]);
    const mono = Buffer.concat([writeWavHeader({ ...stereo, channels: 1 }, 0), mean]);
    const expected = read(mono, mono.length, mixing());
    for (const pieceBytes of [7, 1_000, stream.length]) {
      const reader = mixing();
      const samples = read(stream, pieceBytes, reader);
      expect(samples).toHaveLength(expected.length);
      expect(samples.every((value, at) => Math.abs(value - (expected[at] as number)) < 1e-4)).toBe(true);
      expect(reader.secondsAt(stream.length)).toBeCloseTo(1, 5);
      expect(reader.beginning && mixingWarning(reader.beginning, FORMAT)).toBe(
        "the 2 channels of the stream are mixed into one",
      );
    }
  });

  test("continues mixed after a restart", () => {
    const known = { headerBytes: 44, format: stereo };
    const reader = new StreamReader(FORMAT, known);
    reader.startAt(1_000);
    const rest = read(stream.subarray(reader.byteFor(1_000)), 999, reader);
    expect(rest).toEqual(read(stream, stream.length, mixing()).subarray(1_000));
  });

  test("is refused with several declared channels, where they differ", () => {
    const reader = new StreamReader({ ...FORMAT, channels: 3 }, undefined, undefined, true);
    expect(reader.refusalOf(stream)).toMatch(/2 channels.*3 channels/);
  });

  test("has no samples and no time if it is unreadable", () => {
    const bytes = Buffer.concat([Buffer.from(header).fill(3, 20, 21), pcm]);
    for (const pieceBytes of [7, bytes.length]) {
      const reader = mixing();
      for (const piece of pieces(bytes, pieceBytes)) expect([...reader.push(piece)]).toEqual([]);
      expect(reader.flush()).toEqual([]);
      expect(reader.refused).toMatch(/floating-point/);
      expect(reader.refusalOf(pcm)).toBe(reader.refused);
      expect(reader.secondsAt(bytes.length)).toBe(0);
    }
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

describe("headers made to cost time", () => {
  const chunk = (name: string, length: number) => {
    const bytes = Buffer.alloc(8);
    bytes.write(name, "latin1");
    bytes.writeUInt32LE(length, 4);
    return bytes;
  };
  const riff = Buffer.concat([chunk("RIFF", 0), Buffer.from("WAVE")]);
  const repeated = (unit: Buffer, bytes: number) => Buffer.alloc(bytes, unit);
  const HOSTILE: [what: string, unit: Buffer][] = [
    ["the mark alone", Buffer.from("RIFF")],
    ["the beginning alone", riff],
    ["empty chunks", Buffer.concat([riff, ...Array.from({ length: 7 }, () => chunk("LIST", 0))])],
    ["long chunks", Buffer.concat([riff, chunk("LIST", 60_000)])],
    ["endless chunks", Buffer.concat([riff, chunk("LIST", 0xffffffff)])],
    ["no description", Buffer.concat([riff, chunk("data", 0)])],
    ["whole headers, each with one sample", Buffer.concat([header, Buffer.alloc(2, 1)])],
    ["whole headers alone", header],
  ];

  test.each(HOSTILE)("%s: four megabytes are read in one pass", (_, unit) => {
    const reader = new StreamReader(FORMAT);
    let samples = 0;
    for (const [piece] of reader.push(Buffer.concat([pcm, repeated(unit, 4_000_000 - pcm.length)])))
      samples += piece?.length ?? 0;
    samples += reader.flush()[0]?.length ?? 0;
    expect(samples).toBeGreaterThanOrEqual(SAMPLES.length);
  });

  test.each(HOSTILE)("%s: any split gives the same samples", (_, unit) => {
    const stream = Buffer.concat([
      pcm.subarray(0, 2_000),
      repeated(unit, 3_000),
      pcm.subarray(2_000, 4_001),
      header,
      pcm,
    ]);
    const whole = read(stream, stream.length);
    for (const pieceBytes of [1, 5, 1_024]) expect(read(stream, pieceBytes)).toEqual(whole);
  });

  test("headers above the limit are read as samples", () => {
    const headers = new StreamHeaders();
    for (let at = 0; headers.hasRoom; at++) headers.add(at * 46, at * 46 + 44);
    const reader = new StreamReader(FORMAT, { headerBytes: 44, format: FORMAT, headers });
    expect(read(Buffer.concat([header, pcm]), 1_000, reader)).toHaveLength(22 + SAMPLES.length);
  });

  test("headers that follow each other are counted, and kept as one", () => {
    const reader = new StreamReader(FORMAT);
    expect(read(Buffer.concat([header, header, header, pcm]), 10, reader)).toEqual(plain);
    expect(reader.headers.count).toBe(3);
    expect(reader.headers.placeOf(0)).toBe(132);
    expect(reader.headers.within(100)).toBe(100);
  });
});
