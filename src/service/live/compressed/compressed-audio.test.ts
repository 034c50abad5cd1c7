import { expect, test } from "vitest";
import { withLength } from "../../../speech/audio/streams/opus-packets.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import type { StoredAudio } from "../log/log-contract.ts";
import { BYTES_WITHOUT_AUDIO, CompressedAudio, sizeProblem } from "./compressed-audio.ts";
import { LostAudio, withoutRepetition } from "./lost-audio.ts";
import { PacketPositions } from "./packet-positions.ts";
import type { SampleFile } from "./sample-file.ts";

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

test("of the reports of a stretch, the result has the last one", () => {
  const lost = new LostAudio((position) => position);
  const found = lost.add([{ from: 0, end: 20_000, bytes: 20_000 }], 30_000);
  found.push(...lost.add([{ from: 50_000, end: 70_000, bytes: 20_000 }], undefined));
  found.push(...lost.add([{ from: 70_000, end: 90_000, bytes: 20_000 }], undefined));
  expect(found).toHaveLength(4);
  expect(withoutRepetition(["other", ...found, "at least 3 others"])).toEqual([
    "other",
    "20000 bytes of the stream could not be decoded and were left out (bytes 0 to 20000)",
    "at least 32768 bytes of the stream, from byte 50000 on, cannot be decoded and are left out",
    "at least 3 others",
  ]);
});

test("the bytes of a stream are bounded by its audio", () => {
  expect(sizeProblem("mp3", BYTES_WITHOUT_AUDIO, 0)).toBeUndefined();
  expect(sizeProblem("mp3", BYTES_WITHOUT_AUDIO + 40_000 * 100, 100)).toBeUndefined();
  expect(sizeProblem("webm/opus", 20_000_000, 2.04)).toBe(
    "the stream has 20000000 bytes and only 2.0 s of audio: more than 6000 kbit/s, the most for the encoding webm/opus, and 8388608 bytes beside it",
  );
});

test("a stream of elements without audio is refused when it has more bytes than it may have", async () => {
  let total = 0;
  const received = {
    get total() {
      return total;
    },
    read: async () => Buffer.alloc(0),
  } as unknown as StoredAudio;
  const part = { kind: "decoded", samples: new Uint8Array(0), marks: [], lost: [], notes: [], hasMore: false };
  const decoders = { start: async () => {}, step: async () => part } as unknown as StreamDecoders;
  const owner = { id: "id", accountId: "account" };
  const compression = { encoding: "webm/opus", channels: 1 } as const;
  const audio = new CompressedAudio(owner, compression, received, {} as SampleFile, decoders, 3_600);
  const decode = async () => {
    for await (const _ of audio.decode());
    return audio.refused;
  };
  total = BYTES_WITHOUT_AUDIO;
  expect(await decode()).toBeUndefined();
  total++;
  // Its audio may follow within the bytes that are not decoded yet.
  expect(audio.refused).toBeUndefined();
  expect(await decode()).toMatch(/only 0\.0 s of audio/);
});
