// Finding and replacing in a transcript, unsure words, and the state of switches: the parts that need no browser.
import { expect, test } from "vitest";
import { PreRecordedBody } from "../../src/contract/pre-recorded.ts";
import type { Correction, TranscriptChange } from "../../src/contract/transcript/correction.ts";
import { showLanguage } from "../src/language/language.ts";
import { hintOf, labelOf } from "../src/parts/option-names.ts";
import { changeLines, differenceOf } from "../src/transcript/change-lines.ts";
import { stepTo, unsureWords } from "../src/transcript/doubt.ts";
import { hitsOf, phrasePattern, replaced, textOf, wordsOf, wordsPattern } from "../src/transcript/find-text.ts";

await showLanguage("en");

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

test("a correction is shown as what it changed, undone ones as they were", () => {
  const words = ["so we", " met", " Mr.", " Do", " Gwid", " in", " March"].map((word, at) => ({
    word,
    start: at,
    end: at + 1,
    confidence: 0.9,
  }));
  const text = "so we met Mr. Do Gwid in March";
  const spoken = { text, words, start: 0, end: 7, language: "en", confidence: 0.9, channel: 0, speaker: 0 };
  const transcription = { full_transcript: text, languages: ["en"], utterances: [spoken] };
  const made = (id: string, change: TranscriptChange, undone_at: string | null = null) =>
    ({ id, created_at: "", made_by: "a key", ...change, undone_at, undone_by: null }) as Correction;
  const corrections = [
    made("1", { utterances: [{ index: 0, text: "so we met Mr. Duguid in March" }] }, "2026-11-28T10:00:00Z"),
    made("2", { utterances: [{ index: 0, start: 3.5, end: 5, text: "Duguid" }] }),
    made("3", { breaks: [{ index: 0, start: 5.5 }], utterances: [{ index: 0, start: 5.5, speaker: 1 }] }),
    made("4", { speakers: [{ speaker: 1, name: "Anna" }] }),
    made("5", { utterances: [{ index: 0, start: 1.5, end: 1.5, checked: true }] }),
  ];
  const shown = changeLines(transcription, corrections, 5).map(({ lines }) => lines);
  expect(shown).toEqual([
    [{ what: "Checked", after: "met", start: 1.5 }],
    [{ what: "Name", before: "Speaker 1", after: "Anna" }],
    [
      { what: "Speaker", before: "Speaker 0", after: "Speaker 1", start: 5.5 },
      { what: "New paragraph", after: "in March …", start: 5.5 },
    ],
    [{ what: "Text", before: "… met Mr. Do Gwid in March", after: "… met Mr. Duguid in March", start: 3.5 }],
    [{ what: "Text", before: "… met Mr. Do Gwid in March", after: "… met Mr. Duguid in March", start: 0 }],
  ]);
  expect(changeLines(transcription, corrections, 1)).toHaveLength(1);
  expect(differenceOf("a b c d e f g", "a b c d X e f g")).toEqual({ before: "… c d e f …", after: "… c d X e f …" });
});
