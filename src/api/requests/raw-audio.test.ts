import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { asWave, bytesPerSecond, waveHeader } from "./raw-audio.ts";

const PCM = { encoding: "linear16", sampleRate: 16_000, channels: 1 } as const;

async function* pieces(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const samples = Buffer.from(Array.from({ length: 100 }, (_, at) => at));

test("the header states the format of the samples", () => {
  const formatOf = (encoding: "linear16" | "linear32" | "mulaw" | "alaw") => {
    const header = waveHeader({ ...PCM, encoding });
    return [header.readUInt16LE(20), header.readUInt16LE(34)];
  };
  // linear32 has floating-point samples.
  expect(["linear16", "linear32", "mulaw", "alaw"].map((one) => formatOf(one as "linear16"))).toEqual([
    [1, 16],
    [3, 32],
    [7, 8],
    [6, 8],
  ]);
});

test.each([1, 5, 12, 1_000])("raw samples in pieces of %i bytes get one header", async (length) => {
  expect(await buffer(asWave(pieces(samples, length), PCM))).toEqual(Buffer.concat([waveHeader(PCM), samples]));
});

test.each([1, 7, 1_000])("a WAV file in pieces of %i bytes stays one", async (length) => {
  const file = Buffer.concat([waveHeader(PCM), samples]);
  expect(await buffer(asWave(pieces(file, length), PCM))).toEqual(file);
});

test.each([1, 7, 1_000])("a file of another format in pieces of %i bytes is passed through", async (length) => {
  const ogg = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(500, 3)]);
  const seen: Buffer[] = [];
  const onSamples = (bytes: Buffer) => void seen.push(bytes);
  expect(await buffer(asWave(pieces(ogg, length), PCM, { onSamples }))).toEqual(ogg);
  expect(seen).toEqual([]);
});

test("the samples are reported as they are kept", async () => {
  const seen: Buffer[] = [];
  await buffer(asWave(pieces(samples, 7), PCM, { onSamples: (bytes) => void seen.push(bytes) }));
  expect(Buffer.concat(seen)).toEqual(samples);
});

test("fewer bytes than a header are samples, and nothing stays nothing", async () => {
  expect(await buffer(asWave(pieces(Buffer.from([1, 2]), 1), PCM))).toHaveLength(waveHeader(PCM).length + 2);
  expect(await buffer(asWave(pieces(Buffer.alloc(0), 1), PCM))).toHaveLength(0);
});

test("only the first seconds are kept, and the others are read", async () => {
  const second = Buffer.alloc(bytesPerSecond(PCM), 1);
  let read = 0;
  async function* counted() {
    for await (const piece of pieces(Buffer.concat([second, second, second]), 999)) {
      read += piece.length;
      yield piece;
    }
  }
  expect(await buffer(asWave(counted(), PCM, { mostSeconds: 2 }))).toHaveLength(
    waveHeader(PCM).length + 2 * second.length,
  );
  expect(read).toBe(3 * second.length);
});
