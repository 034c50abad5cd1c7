import { expect, test } from "vitest";
import { withLength } from "../../../speech/audio/streams/opus-packets.ts";
import { LostAudio } from "./lost-audio.ts";
import { PacketPositions } from "./packet-positions.ts";

test("positions of raw packets are those in the bytes of the client, in any split of the stored stream", () => {
  const packets = Array.from({ length: 9_000 }, (_, at) => Buffer.alloc(1 + (at % 40), at));
  const stored = Buffer.concat(packets.map(withLength));
  for (const step of [1, 7, 65_536]) {
    const positions = new PacketPositions();
    for (let at = 0; at < stored.length; at += step) positions.add(stored.subarray(at, at + step));
    let [client, position] = [0, 0];
    for (const [index, { length }] of packets.entries()) {
      client += length;
      position += length + 2;
      if (index > packets.length - 4_000) expect(positions.clientByte(position)).toBe(client);
    }
  }
});

test("each stretch of lost bytes is reported once, whatever the parts in which it is found", () => {
  const lost = new LostAudio((position) => position);
  expect(lost.add([{ from: 100, end: 150, bytes: 50 }], undefined)).toEqual([]);
  expect(lost.add([{ from: 150, end: 180, bytes: 30 }], undefined)).toEqual([]);
  const sentence = "80 bytes of the stream could not be decoded and were left out (bytes 100 to 180)";
  expect(lost.add([], 400)).toEqual([sentence]);
  expect(lost.add([{ from: 900, end: 910, bytes: 10 }], 800)).toEqual([]);
  expect(lost.finish()).toEqual(["10 bytes of the stream could not be decoded and were left out (bytes 900 to 910)"]);
  expect(lost.total).toBe(90);
});

test("a stretch that does not end is reported while it grows, and very many stretches in one sum", () => {
  const lost = new LostAudio((position) => position);
  const found: string[] = [];
  for (let at = 0; at < 100_000; at += 1_000)
    found.push(...lost.add([{ from: at, end: at + 1_000, bytes: 1_000 }], undefined));
  expect(found).toEqual(
    [16_384, 32_768, 65_536].map(
      (bytes) => `at least ${bytes} bytes of the stream, from byte 0 on, cannot be decoded and are left out`,
    ),
  );
  const many = new LostAudio((position) => position);
  const reports: string[] = [];
  for (let at = 0; at < 1_000; at++)
    reports.push(...many.add([{ from: 10 * at, end: 10 * at + 4, bytes: 4 }], 10 * at + 9));
  expect(reports).toHaveLength(50);
  expect(many.finish()).toEqual(["further 3800 bytes of the stream could not be decoded and were left out"]);
});
