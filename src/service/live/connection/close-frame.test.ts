import fc from "fast-check";
import { expect, test } from "vitest";
import { frame } from "../../../../test/fixtures/raw-socket.ts";
import { CloseFrameFinder } from "./close-frame.ts";

const others = fc.array(
  fc
    .tuple(fc.constantFrom(0, 1, 2, 9, 10), fc.constantFrom(0, 1, 125, 126, 70_000), fc.boolean())
    .map(([opcode, length, isMasked]) => frame(opcode, Buffer.alloc(length, 0x88), { isMasked })),
  { maxLength: 6 },
);

function found(bytes: Buffer, packet: number): number {
  const finder = new CloseFrameFinder();
  for (let at = 0; at < bytes.length; at += packet) {
    if (finder.push(bytes.subarray(at, at + packet))) return at;
  }
  return -1;
}

test("a close frame is found after other frames, in packets of any size, and nowhere else", () => {
  const packets = fc.constantFrom(1, 2, 3, 7, 1_000, 65_536);
  fc.assert(
    fc.property(others, packets, (frames, packet) => {
      const before = Buffer.concat(frames);
      expect(found(before, packet)).toBe(-1);
      const at = found(Buffer.concat([before, frame(8, Buffer.from([3, 232]))]), packet);
      expect(at).toBe(Math.floor(before.length / packet) * packet);
    }),
  );
});

test("a length beyond the safe integers is skipped like any other", () => {
  const bytes = Buffer.concat([Buffer.from([0x82, 0xff, ...Buffer.alloc(8, 0xff), 0, 0, 0, 0]), frame(8)]);
  expect(found(bytes, 5)).toBe(-1);
});
