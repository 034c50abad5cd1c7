// The captions of a transcript as cues, with the words that each has and the rules that it does not keep.
import type { Cue, CueWarning } from "../../contract/cues.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import { middleOf, wordsByChannel } from "./cue-edits.ts";
import { type Caption, type CaptionSource, labelPrefix, layoutCaptions } from "./layout.ts";
import { type LayoutOptions, STANDARD_LIMITS } from "./layout-options.ts";

/** A shorter pause between two captions looks like a flicker: two frames of a film. */
export const MINIMUM_GAP_SECONDS = 0.083;
/** Times are rounded to milliseconds. */
const ROUNDING_SECONDS = 0.0015;
/** Words that are inserted in a pause beside a cue belong to it if they are this near. */
const MOST_BESIDE_SECONDS = 1;

/** @param before  the caption before it */
function warningsOf(caption: Caption, before: Caption | undefined, options: LayoutOptions): CueWarning[] {
  const { start, end, rows } = caption;
  const seconds = end - start;
  const columns = rows.map(columnsOf);
  const readSeconds = columns.reduce((sum, one) => sum + one, 0) / options.readingSpeed;
  const gap = before ? start - before.end : Number.POSITIVE_INFINITY;
  const holds: Record<CueWarning, boolean> = {
    fast: readSeconds > seconds + ROUNDING_SECONDS,
    short: seconds < options.minimumDuration - ROUNDING_SECONDS,
    long: seconds > options.maximumDuration + ROUNDING_SECONDS,
    wide: columns.some((one) => one > options.maximumCharactersPerRow),
    rows: rows.length > options.maximumRowsPerCaption,
    overlap: gap < -ROUNDING_SECONDS,
    gap: gap > ROUNDING_SECONDS && gap < MINIMUM_GAP_SECONDS,
  };
  return (Object.keys(holds) as CueWarning[]).filter((name) => holds[name]);
}

/** Times between which the words of a cue are, and those that are inserted beside them later. */
function rangeOf(before: Word | undefined, first: Word, last: Word, after: Word | undefined): [number, number] {
  const low = before ? (before.end + first.start) / 2 : 0;
  const high = after ? (last.end + after.start) / 2 : Number.POSITIVE_INFINITY;
  const [from, until] = [middleOf(first), middleOf(last)];
  // Words of simultaneous speech overlap: the range has no middle of another word.
  const isApart = (time: number, other: Word | undefined, own: number) =>
    other === undefined || (middleOf(other) < time && time <= own) || (own <= time && time < middleOf(other));
  return [
    isApart(low, before, from) ? Math.max(low, first.start - MOST_BESIDE_SECONDS) : from,
    isApart(high, after, until) ? Math.min(high, last.end + MOST_BESIDE_SECONDS) : until,
  ];
}

/** @param captions  whose words are ranges of their channels @returns the range of each */
function rangesOf(captions: readonly Caption[]): [number, number][] {
  const channels = new Map<number, { word: Word; caption: number }[]>();
  for (const [caption, { channel, words }] of captions.entries()) {
    const own = channels.get(channel) ?? [];
    for (const word of words) own.push({ word, caption });
    channels.set(channel, own);
  }
  const ranges = new Array<[number, number]>(captions.length);
  for (const words of channels.values()) {
    words.sort((left, right) => middleOf(left.word) - middleOf(right.word));
    const places = new Map<number, [first: number, last: number]>();
    for (const [at, { caption }] of words.entries()) places.set(caption, [places.get(caption)?.[0] ?? at, at]);
    for (const [caption, [first, last]] of places) {
      const [one, other] = [words[first], words[last]] as [{ word: Word }, { word: Word }];
      ranges[caption] = rangeOf(words[first - 1]?.word, one.word, other.word, words[last + 1]?.word);
    }
  }
  return ranges;
}

/** As in `rangesOf`, of the first and the last word of a cue. */
export function rangeOfWords(
  utterances: readonly Pick<Utterance, "channel" | "words">[],
  channel: number,
  first: Word,
  last: Word,
): [start: number, end: number] {
  const words = wordsByChannel(utterances).get(channel) ?? [];
  const [from, until] = [words.indexOf(first), words.indexOf(last)];
  return rangeOf(words[from - 1], first, last, words[until + 1]);
}

/** The label is in the first row. */
function rowsWithoutLabel({ rows, label }: Caption): string[] {
  const [first = "", ...others] = rows;
  return label === "" ? rows : [first.slice(labelPrefix(label).length), ...others];
}

/** Cues in the order of their starts, as srt has them, and the captions of which they are made. */
export function cuesOf(
  source: CaptionSource,
  limits: Partial<LayoutOptions> = {},
): { cues: Cue[]; captions: Caption[]; options: LayoutOptions } {
  const options = { ...STANDARD_LIMITS, ...limits };
  const captions = layoutCaptions(source, limits, "in-text");
  const ranges = rangesOf(captions);
  const cues = captions.map((caption, at): Cue => {
    const { start, end, label, speaker, channel, words } = caption;
    const [wordsStart, wordsEnd] = ranges[at] ?? [start, end];
    return {
      start,
      end,
      rows: rowsWithoutLabel(caption),
      label,
      ...(speaker === undefined ? {} : { speaker }),
      channel,
      words_start: wordsStart,
      words_end: wordsEnd,
      edited: words[0]?.edit !== undefined,
      warnings: warningsOf(caption, captions[at - 1], options),
    };
  });
  return { cues, captions, options };
}
