import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import { quoteOf } from "./noted-words.ts";

test.each([
  ["ja", "今日は", "公園へ", "今日は公園へ"],
  ["en", "We go", "to the park.", "We go to the park."],
])("a quote over two utterances in %s is joined as its language is written", (language, first, second, quote) => {
  const utterances = [utterance(first), utterance(second, 1)].map((one) => ({ ...one, language }));
  expect(quoteOf({ utterances }, { channel: 0, start: 0, end: 9 })).toBe(quote);
  expect(quoteOf({ utterances }, { channel: 1, start: 0, end: 9 })).toBeUndefined();
});
