// Real tokenizers in a hundred languages: tokens must give the words that the script separates.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../contract/languages.ts";
import { wordSegments } from "../../../platform/text/word-segments.ts";
import { TOKENIZER } from "../../engines/moonshine/tokenizer.ts";
import { WhisperTokenizer } from "../../engines/whisper/tokenizer.ts";
import { isUnspaced } from "../../text/scripts.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { groupWords, isMark, textOf } from "./words.ts";

const WHISPER = new URL("../../../../../shared/models/whisper-base/tokenizer.json", import.meta.url);

/** Dates, numbers and names in a language, from Node's Unicode data. */
function textIn(language: string): string {
  const day = new Date(Date.UTC(1982, 2, 17));
  const date = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" }).format(day);
  const names = new Intl.DisplayNames([language], { type: "region" });
  const regions = ["BR", "GB", "CN", "ZA", "NZ", "US"].map((code) => names.of(code));
  const number = new Intl.NumberFormat(language).format(2600);
  return `${regions.join(" ")} 150 ${date} ${number} ${regions.toReversed().join(" ")}`.replaceAll(
    /[\s\u200b-\u200f]+/gu,
    " ",
  );
}

/**
 * White space separates words; punctuation alone belongs to the previous word, opening and leading punctuation to the
 * next one.
 */
function spacedWords(text: string): string[] {
  const words: string[] = [];
  let opening = "";
  for (const chunk of text.split(" ")) {
    if (!isMark(chunk)) words.push(opening + chunk);
    else if (words.length > 0 && !/^[([]+$/.test(chunk)) words.push(`${words.pop()} ${chunk}`);
    opening = isMark(chunk) && /^[([]+$/.test(chunk) ? `${chunk} ` : "";
  }
  return words;
}

function check(tokenizer: Tokenizer, language: string, text: string): void {
  const tokens = tokenizer.encode(text);
  const pieces = tokens.map((token) => tokenizer.bytes(token));
  expect(textOf(pieces).trim()).toBe(text);
  const groups = groupWords(tokens, tokenizer, language);
  expect(
    groups
      .map(({ text: word, isJoined }) => (isJoined ? word : ` ${word}`))
      .join("")
      .trim(),
  ).toBe(text);
  if (!isUnspaced(language)) {
    expect(groups.map(({ text: word }) => word)).toEqual(spacedWords(text));
    return;
  }
  // A word starts wherever the dictionary has a boundary at the edge of a token.
  const edges = new Set<number>([0]);
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    edges.add(length);
  }
  let at = 0;
  let possible = 0;
  for (const { segment, isWordLike } of wordSegments(textOf(pieces), language)) {
    if (isWordLike && edges.has(at)) possible++;
    at += Buffer.byteLength(segment);
  }
  expect(groups.length).toBeGreaterThanOrEqual(possible);
}

describe("Whisper's tokenizer", () => {
  const tokenizer = existsSync(WHISPER) ? new WhisperTokenizer(readFileSync(WHISPER, "utf8")) : undefined;
  test.skipIf(!tokenizer).each(LANGUAGES)("%s (needs ../shared/models/whisper-base)", (language) => {
    check(tokenizer as Tokenizer, language, textIn(language));
  });
});

describe("Llama's tokenizer", () => {
  test.each(LANGUAGES)("%s", (language) => {
    check(TOKENIZER, language, textIn(language));
  });
});
