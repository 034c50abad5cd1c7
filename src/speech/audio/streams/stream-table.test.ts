import { expect, test } from "vitest";
import { compressed, sweep } from "../../../../test/fixtures/compressed.ts";
import type { Compression, StreamRequest } from "./message.ts";
import { StreamDecoder } from "./stream-decoder.ts";
import { FAILED } from "./stream-failure.ts";
import { StreamTable } from "./stream-table.ts";

const OGG: Compression = { encoding: "ogg/opus", channels: 1 };

class Failing extends StreamDecoder {
  override push(): never {
    throw new RangeError("Maximum call stack size exceeded");
  }
}

test("an error in one stream refuses that stream, and the others are decoded on", async () => {
  const failures: unknown[] = [];
  const table = new StreamTable(
    (error) => failures.push(error),
    (compression) => (compression.encoding === "mp3" ? new Failing(compression) : new StreamDecoder(compression)),
  );
  const bytes = await compressed("ogg/opus", sweep(2, 48_000));
  const half = bytes.length >> 1;
  const push = (stream: string, compression: Compression, at: number, end: number): StreamRequest => ({
    ...{ kind: "push", stream, compression, at, bytes: bytes.subarray(at, end) },
  });
  expect(table.handle(push("good", OGG, 0, half))).toMatchObject({ kind: "decoded" });
  const bad = push("bad", { encoding: "mp3", channels: 1 }, 0, 10);
  expect(table.handle(bad)).toMatchObject({ refused: FAILED, hasMore: false });
  expect(table.handle({ kind: "more", stream: "bad" })).toEqual({ kind: "unknown" });
  expect(table.handle(push("good", OGG, half, bytes.length))).toMatchObject({ kind: "decoded" });
  expect(failures).toHaveLength(1);
  for (const stream of ["good", "bad"]) expect(table.handle({ kind: "close", stream })).toEqual({ kind: "closed" });
});
