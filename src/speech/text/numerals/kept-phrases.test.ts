import fc from "fast-check";
import { expect, test } from "vitest";
import { changesKept, phrasesByPart } from "./kept-phrases.ts";
import { type Piece, piecesOf } from "./pieces.ts";

/** Whether an edit changes one phrase: `changesKept` without an index. */
function changesOne(pieces: readonly Piece[], from: number, to: number, phrase: readonly string[]): boolean {
  const texts = pieces.map(({ text }) => text);
  if (` ${phrase.join(" ")} `.includes(` ${texts.slice(from, to).join(" ")} `)) return true;
  for (let at = 0; at + phrase.length <= texts.length; at++) {
    const isHere = phrase.every((part, index) => texts[at + index] === part);
    if (isHere && at < to && at + phrase.length > from) return true;
  }
  return false;
}

const word = fc.constantFrom("one", "two", "twenty", "zq", "cats");
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most });

test("an edit changes a phrase that is in the text and overlaps it, or that has the text of the edit", () => {
  fc.assert(
    fc.property(words(8), fc.array(words(4), { maxLength: 5 }), fc.nat(7), fc.nat(3), (text, phrases, start, more) => {
      const pieces = piecesOf(text.map((one) => ` ${one}`));
      const from = start % pieces.length;
      const to = Math.min(pieces.length, from + 1 + more);
      const kept = phrasesByPart(phrases.map((phrase) => phrase.join(" ")));
      const expected = phrases.some((phrase) => changesOne(pieces, from, to, phrase));
      expect(changesKept(pieces, { from, to, text: "" }, kept)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test("an empty phrase changes nothing", () => {
  const pieces = piecesOf([" twenty", " one"]);
  expect(changesKept(pieces, { from: 0, to: 2, text: "21" }, phrasesByPart(["", " - "]))).toBe(false);
});
