// Finding and replacing in a transcript, unsure words, and the state of switches: the parts that need no browser.
import { expect, test } from "vitest";
import { PreRecordedBody } from "../../src/contract/pre-recorded.ts";
import { hintOf, labelOf } from "../src/parts/option-names.ts";
import { stepTo, unsureWords } from "../src/transcript/doubt.ts";
import { hitsOf, phrasePattern, replaced, textOf, wordsOf, wordsPattern } from "../src/transcript/find-text.ts";

const utterance = (text: string, start = 0) => ({
  words: text.split(/(?=\s)/).map((word, at) => ({ word, start: start + at, end: start + at + 0.5, confidence: 0.9 })),
});
const UTTERANCES = [
  utterance(" Mr. Duguid met the duguids (twice) in March."),
  utterance("No, Duguid, DUGUID! $1 Straße"),
];
const find = (phrase: string, isWholeWords = false) => hitsOf(UTTERANCES, phrasePattern(phrase, isWholeWords));
const foundTexts = (phrase: string, isWholeWords?: boolean) =>
  find(phrase, isWholeWords).map(({ at, from, until }) => textOf(UTTERANCES[at] as never).slice(from, until));

test("phrases are found over words, as they are written or as whole words, and signs stand for themselves", () => {
  expect(foundTexts("duguid")).toEqual(["Duguid", "duguid", "Duguid", "DUGUID"]);
  expect(foundTexts("duguid", true)).toEqual(["Duguid", "Duguid", "DUGUID"]);
  expect(foundTexts("  mr.   DUGUID ")).toEqual(["Mr. Duguid"]);
  expect(foundTexts("(twice)")).toEqual(["(twice)"]);
  expect(foundTexts("-")).toEqual([]);
  expect(foundTexts("/e-mail/")).toEqual([]);
  expect(foundTexts(".", true)).toEqual([".", "."]);
  expect(find("   ")).toEqual([]);
  expect(hitsOf(UTTERANCES, wordsPattern("straße -march"))).toHaveLength(2);
  const [hit] = find("r. Dug");
  expect(wordsOf(UTTERANCES[0] as never, hit as never)).toEqual([0, 1]);
  expect(wordsOf(UTTERANCES[0] as never, find("March")[0] as never)).toEqual([7]);
});

test("one or all places are replaced by the text as it is typed", () => {
  const hits = find("duguid", true);
  expect(replaced(UTTERANCES, hits, "$& Grant")).toEqual([
    { at: 0, text: "Mr. $& Grant met the duguids (twice) in March." },
    { at: 1, text: "No, $& Grant, $& Grant! $1 Straße" },
  ]);
  expect(replaced(UTTERANCES, hits.slice(2), "")).toEqual([{ at: 1, text: "No, Duguid, ! $1 Straße" }]);
  expect(replaced(UTTERANCES, [], "x")).toEqual([]);
});

test("unsure words are visited in the order of their times, from where the playback is, and around the end", () => {
  const doubtful = [utterance("a b c", 10), utterance("d e", 0)];
  for (const [at, word] of [
    [0, 0],
    [0, 2],
    [1, 1],
  ] as const)
    Object.assign(doubtful[at]?.words[word] ?? {}, { confidence: 0.2 });
  const words = unsureWords(doubtful);
  expect(words.map(({ at, start }) => [at, start])).toEqual([
    [1, 1],
    [0, 10],
    [0, 12],
  ]);
  expect(stepTo(words, 1, 5, undefined)).toBe(1);
  expect(stepTo(words, -1, 5, undefined)).toBe(0);
  expect(stepTo(words, 1, 99, undefined)).toBe(0);
  expect(stepTo(words, -1, 0, undefined)).toBe(2);
  expect(stepTo(words, 1, 0, 2)).toBe(0);
  expect(stepTo(words, -1, 0, 0)).toBe(2);
  expect(stepTo([], 1, 0, undefined)).toBeUndefined();
});

test("every option has a name in plain words, and a switch that is on without being sent says so", () => {
  const { properties } = PreRecordedBody as unknown as {
    properties: Record<
      string,
      { type?: string; deprecated?: boolean; description?: string; default?: unknown; "x-absent"?: boolean }
    >;
  };
  for (const [name, { deprecated, description, type, ...schema }] of Object.entries(properties)) {
    if (deprecated) continue;
    expect(`${labelOf(name)} ${hintOf(name, description)}`, name).not.toMatch(/config|alpha|beta|extension|_|llm|pii/i);
    if (type === "boolean") expect(schema.default ?? schema["x-absent"], name).toBeTypeOf("boolean");
  }
  expect(properties["numerals"]?.["x-absent"]).toBe(true);
});
