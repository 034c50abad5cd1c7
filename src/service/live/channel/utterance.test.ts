import { expect, test } from "vitest";
import { utteranceOf } from "./utterance.ts";

const word = (text: string, startSeconds: number, isJoined = false) => ({
  ...{ text, startSeconds, endSeconds: startSeconds + 0.4, confidence: 0.9, tokens: [] },
  ...(isJoined ? { isJoined } : {}),
});
const textOf = (...words: ReturnType<typeof word>[]) =>
  utteranceOf(words, { language: "en", channel: 0, isAfterStop: false }).text;

test("the rest of a number that the last utterance began has no mark before it", () => {
  expect(textOf(word("-4567", 1, true), word("please.", 2))).toBe(" 4567 please.");
});

test("within an utterance it is joined", () => {
  expect(textOf(word("555-123", 0), word("-4567", 1, true))).toBe(" 555-123-4567");
});

test("in a language without spaces, the first word keeps its marks", () => {
  const japanese = (...texts: string[]) =>
    utteranceOf(
      texts.map((text, at) => word(text, at, true)),
      { language: "ja", channel: 0, isAfterStop: false },
    ).text;
  expect(japanese("「今日", "は」", "と言った。")).toBe(" 「今日は」と言った。");
  expect(japanese("-5", "度", "です")).toBe(" -5度です");
});
