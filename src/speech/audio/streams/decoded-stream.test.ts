import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { compressed, sweep } from "../../../../test/fixtures/compressed.ts";
import { errors } from "../../../platform/errors.ts";
import { DecodedStream } from "./decoded-stream.ts";
import type { Compression, StreamRequest, StreamResponse } from "./message.ts";
import { StreamDecoder } from "./stream-decoder.ts";
import type { StreamDecoders } from "./stream-decoders.ts";

const OGG: Compression = { encoding: "ogg/opus", channels: 1 };

/** The process, in this one. @param isLost  whether it ends in this step, the first of all being 0 */
class Process {
  steps = 0;
  readonly isStopped = false;
  failedStarts = 0;
  private decoder: StreamDecoder | undefined;

  constructor(private readonly isLost: (step: number, request: StreamRequest) => boolean) {}

  async start(): Promise<void> {
    if (this.failedStarts-- > 0) throw errors.processDied("stream decoder", "killed");
  }

  async close(): Promise<void> {}

  async step(request: StreamRequest): Promise<StreamResponse> {
    if (this.isLost(this.steps++, request)) {
      this.decoder = undefined;
      throw errors.processDied("stream decoder", "killed");
    }
    if (request.kind === "push" && request.at === 0) this.decoder = new StreamDecoder(request.compression);
    if (!this.decoder) return { kind: "unknown" };
    if (request.kind === "push") return this.decoder.push(Buffer.from(request.bytes));
    return request.kind === "finish" ? this.decoder.finish() : this.decoder.step();
  }
}

async function decoded(process: Process, bytes: Buffer) {
  const source = { read: async (start: number, end: number) => bytes.subarray(start, end) };
  const stream = new DecodedStream(
    process as unknown as StreamDecoders,
    { id: "id", accountId: "account" },
    OGG,
    source,
  );
  const samples: Uint8Array[] = [];
  const marks: number[] = [];
  let lost = 0;
  for (const until of [bytes.length / 4, bytes.length / 2, bytes.length].map(Math.floor)) {
    for await (const part of stream.advance(until, until === bytes.length)) {
      samples.push(part.samples);
      marks.push(...part.marks);
      for (const one of part.lost) lost += one.bytes;
    }
  }
  const all = Buffer.concat(samples);
  const [marked, hash] = [JSON.stringify(marks), createHash("sha256").update(all).digest("hex")];
  return { bytes: all.length, hash, marked, lost, refused: stream.refused, samples: all };
}

/** Buffers compare slowly. */
const withoutSamples = ({ samples: _, ...outcome }: Awaited<ReturnType<typeof decoded>>) => outcome;

test("a process that is lost in any step, or between steps, changes nothing that is given", async () => {
  const good = await compressed("ogg/opus", sweep(20, 48_000));
  const bytes = Buffer.concat([good, Buffer.alloc(300, 7), await compressed("ogg/opus", sweep(2, 48_000))]);
  const undisturbed = new Process(() => false);
  const expected = withoutSamples(await decoded(undisturbed, bytes));
  expect(expected).toMatchObject({ lost: 300, refused: undefined });
  expect(undisturbed.steps).toBeGreaterThan(5);
  for (let lostIn = 0; lostIn < undisturbed.steps; lostIn++) {
    expect(withoutSamples(await decoded(new Process((step) => step === lostIn), bytes))).toEqual(expected);
  }
  // Twice, at different places.
  expect(withoutSamples(await decoded(new Process((step) => step === 2 || step === 9), bytes))).toEqual(expected);
});

test("a stream that ends the process twice at one place is refused, and keeps what was decoded before", async () => {
  const bytes = await compressed("ogg/opus", sweep(20, 48_000));
  const expected = await decoded(new Process(() => false), bytes);
  const isHostile = (_: number, request: StreamRequest) => request.kind === "push" && request.at > bytes.length / 3;
  const process = new Process(isHostile);
  const { refused, samples } = await decoded(process, bytes);
  expect(refused).toBe(
    "the decoder crashed or hung twice at the same place; send the audio in another encoding, or restart the recording",
  );
  expect(samples.length).toBeGreaterThan(0);
  expect(expected.samples.subarray(0, samples.length).equals(samples)).toBe(true);
  expect(process.steps).toBeLessThan(15);
});

test("a start that fails is repeated after a pause", async () => {
  const bytes = await compressed("ogg/opus", sweep(2, 48_000));
  const process = new Process(() => false);
  process.failedStarts = 2;
  expect((await decoded(process, bytes)).samples.length).toBeGreaterThan(0);
});

test("a stream whose step is an error is refused, and its process is not ended", async () => {
  const bytes = await compressed("ogg/opus", sweep(20, 48_000));
  const process = new Process((step) => {
    if (step === 2) throw errors.processFailed("stream decoder", "RangeError");
    return false;
  });
  const { refused, samples } = await decoded(process, bytes);
  expect(refused).toMatch(/^the decoder failed at these bytes/);
  expect(samples.length).toBeGreaterThan(0);
  expect(process.steps).toBe(3);
});
