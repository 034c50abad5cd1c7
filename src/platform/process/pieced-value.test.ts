import fc from "fast-check";
import { expect, test } from "vitest";
import { turnsOf } from "../../../test/fixtures/thread-time.ts";
import { joinedPieces, piecedValue } from "./pieced-value.ts";

test("a value is the same after it was divided and joined", async () => {
  const names = fc.oneof(fc.string(), fc.constant("__proto__"));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("tree"), { maxLength: 5 }),
      fc.array(fc.integer(), { minLength: 60, maxLength: 70 }),
      fc.dictionary(names, tie("tree"), { noNullPrototype: true }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      expect(await joinedPieces(await piecedValue(value))).toStrictEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the utterances of a long session are written and read in many short turns", { timeout: 60_000 }, async () => {
  const words = Array.from({ length: 20 }, (_, at) => ({
    word: ` word${at}`,
    start: at,
    end: at + 0.3,
    confidence: 0.9,
  }));
  const utterances = Array.from({ length: 10_000 }, (_, start) => ({ text: "word ".repeat(20), start, words }));
  const value = { transcription: { utterances }, results: [{ utterances }] };
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && longest >= 100; tries++) {
    const { result: pieced, longest: writing } = await turnsOf(() => piecedValue(value));
    const { result, longest: reading } = await turnsOf(() => joinedPieces(pieced));
    expect(result).toEqual(value);
    longest = Math.min(longest, Math.max(writing, reading));
  }
  expect(longest).toBeLessThan(100);
});
