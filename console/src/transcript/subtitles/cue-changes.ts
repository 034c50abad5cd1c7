// Changes of cues as corrections of the transcript: times, splits, merges, text and rows. Pure.
import type { CueEdit } from "../../../../src/contract/cues.ts";
import { milliseconds } from "../../../../src/contract/transcript/transcript.ts";
import type { CorrectedTranscription } from "../../../../src/service/transcripts/corrections.ts";
import { middleOf } from "../../../../src/speech/subtitles/cue-edits.ts";
import { rangeOfWords } from "../../../../src/speech/subtitles/cues.ts";
import { isUnspaced, spaceBetween } from "../../../../src/speech/text/scripts.ts";
import { normal, placedWords, shownText } from "../placed-words.ts";
import type { ShownCue } from "./shown-cues.ts";

/** Shortest duration that a change gives a cue. */
export const LEAST_SECONDS = 0.1;

interface Times {
  start: number;
  end: number;
}

const rowsOf = ({ rowStarts }: ShownCue) => (rowStarts ? { rows: rowStarts } : {});

/** @returns the edit that shows a cue at other times */
export function retimed(cue: ShownCue, { start, end }: Times): CueEdit {
  const { channel, words_start, words_end } = cue;
  return {
    ...{ channel, words_start, words_end },
    start: milliseconds(Math.max(0, start)),
    end: milliseconds(Math.max(end, start + LEAST_SECONDS)),
    ...rowsOf(cue),
  };
}

/** @returns the edit after which the words of a cue are laid out automatically */
export const released = ({ channel, words_start, words_end }: ShownCue): CueEdit => ({
  ...{ channel, words_start, words_end },
  automatic: true,
});

export const isMergeable = (cue: ShownCue | undefined, next: ShownCue | undefined): boolean =>
  cue !== undefined && next !== undefined && cue.channel === next.channel && cue.speaker === next.speaker;

/** @returns the edit that makes one cue of two that follow each other and have one speaker */
export function merged(cue: ShownCue, next: ShownCue): CueEdit {
  const starts = [...(cue.rowStarts ?? []), ...(next.rowStarts ?? [])];
  return {
    channel: cue.channel,
    words_start: Math.min(cue.words_start, next.words_start),
    words_end: Math.max(cue.words_end, next.words_end),
    start: milliseconds(Math.min(cue.start, next.start)),
    end: milliseconds(Math.max(cue.end, next.end)),
    ...(starts.length > 0 ? { rows: starts } : {}),
  };
}

/** @returns places of the words before which a cue can be divided: words of the same time stay together */
export const splitPlaces = ({ words }: ShownCue): number[] =>
  words.flatMap((word, at) => {
    const before = words[at - 1];
    return before && middleOf(before) < middleOf(word) ? [at] : [];
  });

/** @param at  place of the word that begins the second one, of `splitPlaces` @returns the edits that make two cues of one */
export function split(cue: ShownCue, at: number): CueEdit[] {
  const [last, first] = [cue.words[at - 1], cue.words[at]];
  if (!last || !first) return [];
  const { channel, words_start, words_end, start, end, rowStarts } = cue;
  // Times of words may be outside of the cue, where a person moved it.
  const within = (time: number) => Math.min(Math.max(time, start + LEAST_SECONDS), end - LEAST_SECONDS);
  const boundary = milliseconds(within(first.start));
  const [from, until] = [middleOf(last), middleOf(first)];
  const middle = Math.min(Math.max((last.end + first.start) / 2, from), until);
  const rows = (isOwn: (time: number) => boolean) => {
    const own = rowStarts?.filter(isOwn) ?? [];
    return own.length > 0 ? { rows: own } : {};
  };
  return [
    {
      ...{ channel, words_start, words_end: middle < until ? middle : from, start, end: boundary },
      ...rows((time) => time <= from),
    },
    {
      ...{ channel, words_start: middle > from ? middle : until, words_end, start: boundary, end },
      ...rows((time) => time > until),
    },
  ];
}

/** The place of a cue in the text of one utterance. */
export interface TextPart {
  /** Position among the shown utterances. */
  at: number;
  /** UTF-16 units of the shown text. */
  from: number;
  until: number;
  text: string;
}

/** @returns undefined if its text cannot be placed in that of the utterances */
function textParts(reading: CorrectedTranscription, { words }: ShownCue): TextPart[] | undefined {
  const parts: TextPart[] = [];
  for (const { utterance: at, place } of words) {
    const utterance = reading.utterances[at];
    if (!utterance) return undefined;
    const text = shownText(utterance);
    const word = placedWords(utterance, text)[place];
    if (!word) return undefined;
    const part = parts.at(-1);
    if (part?.at === at) part.until = word.until;
    else parts.push({ at, from: word.from, until: word.until, text: "" });
  }
  return parts.map((part) => {
    const utterance = reading.utterances[part.at];
    return { ...part, text: utterance ? shownText(utterance).slice(part.from, part.until) : "" };
  });
}

function commonEnds(old: string, now: string): { from: number; back: number } {
  const most = Math.min(old.length, now.length);
  let from = 0;
  while (from < most && old[from] === now[from]) from++;
  let back = 0;
  while (back < most - from && old.at(-1 - back) === now.at(-1 - back)) back++;
  return { from, back };
}

/**
 * The changed part of a text goes to the utterance in which it begins.
 * @param typed  text of the whole cue @param gap  between the parts in it
 * @returns the text of each part
 */
export function distributed(parts: readonly TextPart[], typed: string, gap = " "): string[] {
  const old = parts.map(({ text }) => text).join(gap);
  const now = normal(typed);
  const { from, back } = commonEnds(old, now);
  const until = old.length - back;
  const inserted = now.slice(from, now.length - back);
  let offset = 0;
  let isInserted = false;
  return parts.map(({ text }) => {
    const [start, end] = [offset, offset + text.length];
    offset = end + gap.length;
    const kept = [text.slice(0, Math.max(0, from - start)), text.slice(Math.max(0, until - start))] as const;
    const isHere = !isInserted && from <= end;
    isInserted ||= isHere;
    return kept.join(isHere ? inserted : "");
  });
}

/** The new text of an utterance of which a cue's part was typed. */
export interface TypedUtterance {
  at: number;
  text: string;
  /** UTF-16 units of the new text in which the words of the cue are. */
  from: number;
  until: number;
}

const languageOf = ({ words }: ShownCue) => words[0]?.language ?? "";

/** The text of a cue from its rows. */
const textOfLines = (cue: ShownCue, lines: readonly string[]): string =>
  lines
    .map(normal)
    .filter((line) => line !== "")
    .reduce((text, line) => (text === "" ? line : text + spaceBetween(text, line, languageOf(cue)) + line), "");

/** @returns the whole text of each utterance of a cue whose rows were typed; undefined if they cannot be placed in it */
export function typedUtterances(
  reading: CorrectedTranscription,
  cue: ShownCue,
  lines: readonly string[],
): TypedUtterance[] | undefined {
  const parts = textParts(reading, cue);
  if (!parts) return undefined;
  const texts = distributed(parts, textOfLines(cue, lines), isUnspaced(languageOf(cue)) ? "" : " ");
  return parts.flatMap(({ at, from, until }, index) => {
    const utterance = reading.utterances[at];
    if (!utterance) return [];
    const whole = shownText(utterance);
    const before = whole.slice(0, from).replace(/\s+/gu, " ").trimStart();
    const own = normal(texts[index] ?? "");
    const text = normal(before + own + whole.slice(until));
    return [{ at, text, from: before.length, until: before.length + own.length }];
  });
}

const withoutSpaces = (text: string) => text.replace(/\s+/gu, "");

/**
 * The edit that keeps the words of a cue together after its text was changed, at the times that it had.
 * @param reading  the transcript with the change @param lines  as they were typed; their breaks are kept if `keepsRows`
 */
export function retyped(
  reading: CorrectedTranscription,
  cue: ShownCue,
  typed: readonly TypedUtterance[],
  { lines, keepsRows }: { lines: readonly string[]; keepsRows: boolean },
): CueEdit[] {
  const words = typed.flatMap(({ at, from, until }) => {
    const utterance = reading.utterances[at];
    if (!utterance) return [];
    const places = placedWords(utterance, shownText(utterance));
    return utterance.words.filter((_, place) => {
      const placed = places[place];
      return placed !== undefined && placed.from >= from && placed.until <= until;
    });
  });
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  const [words_start, words_end] = rangeOfWords(reading.utterances, cue.channel, first, last);
  const { channel, start, end } = cue;
  const edit = { channel, words_start, words_end, start, end };
  if (!keepsRows) return [edit];
  const starts = new Set<number>();
  let length = 0;
  for (const line of lines) {
    starts.add(length);
    length += withoutSpaces(line).length;
  }
  starts.delete(0);
  let passed = 0;
  const rows = words.flatMap((word) => {
    const begins = starts.has(passed);
    passed += withoutSpaces(word.word).length;
    return begins ? [middleOf(word)] : [];
  });
  return [{ ...edit, rows }];
}
