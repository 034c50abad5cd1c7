import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FloatStore } from "./float-store.ts";

const MEGABYTE = 1 << 18;

test("what is taken is nobody else's until it is given back", () => {
  const step = fc.record({ megabytes: fc.integer({ min: 1, max: 40 }), given: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = new FloatStore();
      const held: { part: Float32Array; mark: number }[] = [];
      const isWhole = ({ part, mark }: (typeof held)[number]) => part[0] === mark && part.at(-1) === mark;
      for (const [mark, { megabytes, given }] of steps.entries()) {
        const part = store.take(megabytes * MEGABYTE);
        expect(part.length).toBe(megabytes * MEGABYTE);
        part[0] = mark;
        part[part.length - 1] = mark;
        held.push({ part, mark });
        expect(held.every(isWhole)).toBe(true);
        for (const { part: old } of held.splice(0, given)) store.give(old);
      }
    }),
    { numRuns: 20 },
  );
});

test("memory that was given back is taken again", () => {
  const store = new FloatStore();
  const [first, second] = [store.take(MEGABYTE), store.take(MEGABYTE)];
  store.give(first);
  const again = store.take(MEGABYTE);
  expect(again.buffer).toBe(first.buffer);
  expect(again.byteOffset).toBe(first.byteOffset);
  expect(store.take(MEGABYTE).byteOffset).toBe(second.byteOffset + second.byteLength);
});
