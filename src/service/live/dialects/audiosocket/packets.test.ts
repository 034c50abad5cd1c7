import fc from "fast-check";
import { expect, test } from "vitest";
import { idIn, PacketReader, packetBytes, rateOf, TYPE } from "./packets.ts";

const packet = fc.record({
  type: fc.nat(255),
  payload: fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
});

test("any split of the bytes gives the same packets", () => {
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 10 }), fc.integer({ min: 1, max: 900 }), (packets, size) => {
      const bytes = Buffer.concat(packets.map(({ type, payload }) => packetBytes(type, payload)));
      const reader = new PacketReader();
      const found = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...reader.push(bytes.subarray(at, at + size)));
      expect(found).toEqual(packets);
      expect(reader.push(Buffer.from([TYPE.hangup, 0]))).toEqual([]);
      expect(reader.push(Buffer.from([0]))).toEqual([{ type: TYPE.hangup, payload: Buffer.alloc(0) }]);
    }),
  );
});

test("the greatest packet is read, and an id has 16 bytes", () => {
  const greatest = Buffer.alloc(65_535, 7);
  expect(new PacketReader().push(packetBytes(0x10, greatest))).toEqual([{ type: 0x10, payload: greatest }]);
  const id = "0192f0a0-1111-7222-8333-444455556666";
  expect(idIn(Buffer.from(id.replaceAll("-", ""), "hex"))).toBe(id);
  expect(idIn(Buffer.alloc(15))).toBeUndefined();
});

test("types of audio have their rates", () => {
  expect([0x10, 0x12, 0x16, 0x18].map(rateOf)).toEqual([8_000, 16_000, 48_000, 192_000]);
  expect([TYPE.hangup, TYPE.id, TYPE.dtmf, TYPE.error, 0x0f, 0x19].map(rateOf)).toEqual(Array(6).fill(undefined));
});
