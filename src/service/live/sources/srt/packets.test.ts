// Packets of SRT, their numbers that wrap, and their order.
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzing } from "../../../../../test/fixtures/fuzzing.ts";
import { controlPacket, distance, following, lossList, parsePacket, Timestamps } from "./packets.ts";
import { type Delivered, ReceiveBuffer, WINDOW_PACKETS } from "./receive-buffer.ts";

const LAST = 0x7fff_ffff;

test("a control packet has the parts of its header", () => {
  const header = { type: 0x7fff, subtype: 3, specific: 0xffff_fff0, timestamp: 0xffff_ffff, destination: 0x8000_0001 };
  const bytes = controlPacket(header, Buffer.from("abcd"));
  expect(parsePacket(bytes)).toEqual({ kind: "control", ...header, payload: Buffer.from("abcd") });
  expect(bytes.toString("hex", 0, 8)).toBe("ffff0003fffffff0");
});

test("a data packet has its sequence number, key and payload", () => {
  const bytes = Buffer.from("7ffffffff00000050000000200000007aabb", "hex");
  expect(parsePacket(bytes)).toEqual({
    ...{ kind: "data", sequence: LAST, key: 2, timestamp: 2, destination: 7, payload: Buffer.from("aabb", "hex") },
  });
  expect(parsePacket(bytes.subarray(0, 15))).toBeUndefined();
});

test("numbers wrap after 31 bits", () => {
  expect(following(LAST)).toBe(0);
  expect(following(0, -1)).toBe(LAST);
  expect([distance(LAST, 0), distance(0, LAST), distance(5, 5), distance(LAST - 4, 5)]).toEqual([1, -1, 0, 10]);
});

test("a report names single packets and ranges", () => {
  const list = lossList([
    [7, 7],
    [LAST, 2],
  ]);
  expect(list.toString("hex")).toBe("00000007ffffffff00000002");
});

test("times increase when they wrap, also if a packet overtakes another one", () => {
  const times = new Timestamps();
  const given = [0xffff_fffe, 0xffff_ffff, 1, 0, 2, 4_000_000_000].map((time) => times.seconds(time) * 1e6);
  expect(given.map((time) => Math.round(time - 0xffff_fffe))).toEqual([0, 1, 3, 2, 4, 4 - 294_967_298]);
});

function bufferAt(next: number, latency = 100) {
  const delivered: Delivered[] = [];
  const buffer = new ReceiveBuffer(next, latency, (one) => delivered.push(one));
  const add = (offset: number, now = 0) =>
    buffer.add({ sequence: following(next, offset), timestamp: 0, key: 0, payload: Buffer.of(offset & 255) }, now);
  const seen = () =>
    delivered
      .splice(0)
      .map(({ sequence, isAfterLoss }) => `${distance(next, sequence)}${isAfterLoss ? "!" : ""}`)
      .join(" ");
  return { buffer, add, seen };
}

test.each([0, LAST - 2])("from %i on: order, duplicates, late packets", (next) => {
  const { buffer, add, seen } = bufferAt(next);
  for (const offset of [0, 2, 4, 4, 2, 0]) add(offset);
  expect(seen()).toBe("0");
  expect(buffer.toRequest(0, 20, 9)).toEqual(
    [1, 3].map((offset) => [following(next, offset), following(next, offset)]),
  );
  expect(buffer.toRequest(10, 20, 9)).toEqual([]);
  add(1, 50);
  expect(seen()).toBe("1 2");
  buffer.deliver(99);
  expect(seen()).toBe("");
  buffer.deliver(100);
  expect(seen()).toBe("4!");
  add(3, 101);
  add(5, 101);
  expect(seen()).toBe("5");
  expect(distance(next, buffer.awaited)).toBe(6);
});

test("a packet in the middle of missing ones divides their range", () => {
  const { buffer, add, seen } = bufferAt(LAST - 5);
  add(9);
  add(4, 1);
  expect(buffer.toRequest(2, 20, 9).map(([first, last]) => distance(first, last))).toEqual([3, 3]);
  buffer.deliver(100);
  expect(seen()).toBe("4! 9!");
});

test("what the sender gives up is not awaited", () => {
  const { buffer, add, seen } = bufferAt(10);
  add(5);
  buffer.giveUp(following(10, 0), following(10, 4), 1);
  expect(seen()).toBe("5!");
  buffer.giveUp(following(10, 6), following(10, 8), 2);
  expect(distance(10, buffer.awaited)).toBe(9);
  buffer.giveUp(0, 5, 2);
  buffer.giveUp(9, 1, 2);
  add(9, 3);
  expect(seen()).toBe("9!");
});

test("a jump beyond the window delivers what has arrived, and requests nothing of what lies between", () => {
  const { buffer, add, seen } = bufferAt(LAST - 3);
  add(1);
  add(WINDOW_PACKETS + 1);
  expect(seen()).toBe(`1! ${WINDOW_PACKETS + 1}!`);
  expect(buffer.toRequest(1_000, 20, 9)).toEqual([]);
  buffer.giveUp(0, following(buffer.awaited, 3 * WINDOW_PACKETS), 1);
  expect(buffer.room).toBe(WINDOW_PACKETS);
});

test("whatever arrives, packets are delivered once, in order, and each gap is marked", () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ add: fc.integer({ min: -20, max: 60 }), passed: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 2 ** 31 - 1 }), passed: fc.nat(30) }) },
    {
      weight: 1,
      arbitrary: fc.record({ first: fc.integer({ min: -9, max: 90 }), count: fc.nat(20_000), passed: fc.nat(30) }),
    },
  );
  const property = fc.property(fc.constantFrom(0, 9, LAST - 30), fc.array(step, { maxLength: 200 }), (next, steps) => {
    const delivered: Delivered[] = [];
    const buffer = new ReceiveBuffer(next, 100, (one) => delivered.push(one));
    let now = 0;
    for (const given of steps) {
      now += given.passed;
      const base = buffer.awaited;
      if ("add" in given)
        buffer.add({ sequence: following(base, given.add), timestamp: 0, key: 0, payload: Buffer.alloc(1) }, now);
      else buffer.giveUp(following(base, given.first), following(base, given.first + given.count), now);
      buffer.deliver(now);
      for (const [first, last] of buffer.toRequest(now, 0, 1e9)) {
        expect(distance(buffer.awaited, first)).toBeGreaterThanOrEqual(0);
        expect(distance(first, last)).toBeGreaterThanOrEqual(0);
        expect(distance(buffer.awaited, last)).toBeLessThan(WINDOW_PACKETS);
      }
    }
    let expected = next;
    for (const { sequence, isAfterLoss } of delivered) {
      expect(distance(expected, sequence)).toBeGreaterThanOrEqual(0);
      expect(isAfterLoss).toBe(sequence !== expected);
      expected = following(sequence);
    }
    expect(distance(expected, buffer.awaited)).toBeGreaterThanOrEqual(0);
  });
  fc.assert(property, fuzzing(300));
});
