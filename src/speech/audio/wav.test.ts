import { expect, test } from "vitest";
import type { StreamFormat } from "./stream-format.ts";
import { readWavHeader, writeWavHeader } from "./wav.ts";

const format: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 44_100, channels: 2 };

test("a written header is read again", () => {
  const header = writeWavHeader(format, 1_000);
  expect(readWavHeader(Buffer.concat([header, Buffer.alloc(10)]))).toEqual({ kind: "header", headerBytes: 44, format });
});

test("every shorter prefix of it is incomplete, never none", () => {
  const header = writeWavHeader(format, 1_000);
  for (let length = 0; length < header.length; length++) {
    expect(readWavHeader(header.subarray(0, length)).kind).toBe("incomplete");
  }
});

test("audio is not a header, even if its first bytes are the same", () => {
  expect(readWavHeader(Buffer.from([1, 2, 3, 4]))).toEqual({ kind: "none" });
  expect(readWavHeader(Buffer.from("RIFFxxxxAVI and more bytes"))).toEqual({ kind: "none" });
  expect(readWavHeader(Buffer.from("RI but no header"))).toEqual({ kind: "none" });
});

test("an unsupported encoding is a header without a format", () => {
  const header = writeWavHeader(format, 0);
  header.writeUInt16LE(85, 20);
  expect(readWavHeader(header)).toEqual({
    kind: "header",
    headerBytes: 44,
    problem: expect.stringMatching(/MP3/),
  });
});
