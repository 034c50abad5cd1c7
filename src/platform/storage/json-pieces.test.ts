import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "./json-pieces.ts";

async function piecesOf(value: object): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces;
}

test("pieces of any value are its JSON", async () => {
  const values = fc.object({
    maxDepth: 4,
    withDate: true,
    values: [fc.anything({ maxDepth: 1 }), fc.constant(undefined)],
  });
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      expect((await piecesOf(value)).join("")).toBe(JSON.stringify(value));
    }),
  );
});

test("a long list is printed in pieces of a quarter of a megabyte, and other work runs between them", async () => {
  const utterance = {
    text: "words ".repeat(20),
    words: Array.from({ length: 20 }, (_, at) => ({ word: "word", start: at })),
  };
  const utterances = Array.from({ length: 2_000 }, () => utterance);
  const value = { transcription: { utterances }, translation: { results: [{ utterances }, { utterances }] } };
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const pieces = await piecesOf(value);
  clearImmediate(timer);
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(252_000);
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
});
