// Finds phrases in the utterances of a transcript and replaces them. Pure.
import type { Utterance } from "../../../src/contract/job.ts";

type Words = Pick<Utterance, "words">;

/** A place in the text of an utterance. */
export interface Hit {
  /** Position among the shown utterances. */
  at: number;
  /** UTF-16 units of the text. */
  from: number;
  until: number;
}

/** The text of an utterance as its words show it. */
export const textOf = ({ words }: Words): string =>
  words
    .map(({ word }) => word)
    .join("")
    .trim();

const LETTER = "[\\p{L}\\p{M}\\p{N}]";
const OTHER = "[^\\p{L}\\p{M}\\p{N}]";
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** @returns undefined where there is nothing to find */
export function phrasePattern(phrase: string, isWholeWords: boolean): RegExp | undefined {
  const parts = phrase.trim().split(/\s+/u).map(escaped);
  if (parts.join("") === "") return undefined;
  const [before, after] = isWholeWords
    ? [`(?<!${LETTER})(?=${LETTER})|(?=${OTHER})`, `(?<=${LETTER})(?!${LETTER})|(?<=${OTHER})`]
    : ["", ""];
  return new RegExp(`(?:${before})${parts.join("\\s+")}(?:${after})`, "giu");
}

/** Any of the words: what a search of the list finds. */
export function wordsPattern(search: string): RegExp | undefined {
  const words = search.match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ? new RegExp(words.join("|"), "giu") : undefined;
}

export function hitsOf(utterances: readonly Words[], pattern: RegExp | undefined): Hit[] {
  if (!pattern) return [];
  return utterances.flatMap((utterance, at) =>
    [...textOf(utterance).matchAll(pattern)].map(({ 0: found, index }) => ({
      at,
      from: index,
      until: index + found.length,
    })),
  );
}

/** Positions of the words of an utterance that a hit touches. */
export function wordsOf({ words }: Words, { from, until }: Hit): number[] {
  const whole = words.map(({ word }) => word).join("");
  let end = whole.trimStart().length - whole.length;
  return words.flatMap(({ word }, position) => {
    const start = end;
    end += word.length;
    // The space before a word is not a part of it.
    return start + word.length - word.trimStart().length < until && end > from ? [position] : [];
  });
}

/** The new text of each utterance that has hits. @param hits  in order, of one pattern */
export function replaced(
  utterances: readonly Words[],
  hits: readonly Hit[],
  replacement: string,
): { at: number; text: string }[] {
  const texts = new Map<number, string>();
  for (const { at, from, until } of [...hits].reverse()) {
    const text = texts.get(at) ?? textOf(utterances[at] as Words);
    texts.set(at, text.slice(0, from) + replacement + text.slice(until));
  }
  return [...texts].reverse().map(([at, text]) => ({ at, text: text.replace(/\s+/gu, " ").trim() }));
}
