// The cues of the shown transcript, laid out by the code of the service, so that a change is seen before it is stored. Pure.
import type { Cue } from "../../../../src/contract/cues.ts";
import { lowestPlace } from "../../../../src/contract/lowest-place.ts";
import type { CorrectedTranscription } from "../../../../src/service/transcripts/corrections.ts";
import { middleOf } from "../../../../src/speech/subtitles/cue-edits.ts";
import { cuesOf } from "../../../../src/speech/subtitles/cues.ts";
import { type Caption, labelPrefix } from "../../../../src/speech/subtitles/layout.ts";
import type { LayoutOptions } from "../../../../src/speech/subtitles/layout-options.ts";
import { columnsOf } from "../../../../src/speech/text/scripts.ts";
import { t } from "../../language/language.ts";

export interface ShownCue extends Cue {
  /** Stays the same while the cue or its neighbours change. */
  id: number;
  words: Caption["words"];
  /** Where its rows begin, if a person set that. */
  rowStarts: number[] | undefined;
}

export interface ShownCues {
  cues: readonly ShownCue[];
  limits: LayoutOptions;
}

const NONE: readonly ShownCue[] = [];

/** Finds the earlier cue in which a time is, of a channel. */
class EarlierCues {
  private readonly channels = new Map<number, ShownCue[]>();

  constructor(cues: readonly ShownCue[]) {
    for (const cue of cues) {
      const own = this.channels.get(cue.channel);
      if (own) own.push(cue);
      else this.channels.set(cue.channel, [cue]);
    }
    for (const own of this.channels.values()) own.sort((left, right) => left.words_start - right.words_start);
  }

  at(channel: number, time: number): ShownCue | undefined {
    const cues = this.channels.get(channel) ?? NONE;
    const found = cues[lowestPlace(cues.length, (place) => (cues[place] as ShownCue).words_start > time) - 1];
    return found && time <= found.words_end ? found : undefined;
  }
}

/** @param former  cues that were shown before: those that are still there keep their ids */
export function shownCues(
  reading: CorrectedTranscription,
  audioSeconds: number,
  former: readonly ShownCue[] = NONE,
): ShownCues {
  const { utterances, speaker_names: names, cue_edits: edits = [] } = reading;
  const { cues, captions, options } = cuesOf({ utterances, names, audioSeconds, edits });
  const earlier = new EarlierCues(former);
  const used = new Set<number>();
  let next = former.reduce((most, { id }) => Math.max(most, id), 0) + 1;
  const shown = cues.map((cue, at): ShownCue => {
    const { words = [] } = captions[at] ?? {};
    // A merged cue has the identity of its first cue. Words typed before a cue may lie beside it.
    const known = words.map((word) => earlier.at(cue.channel, middleOf(word))?.id);
    const own = known.find((id) => id !== undefined && !used.has(id)) ?? next++;
    used.add(own);
    return { ...cue, id: own, words, rowStarts: words[0]?.edit?.rows };
  });
  return { cues: shown, limits: options };
}

/** @returns the position of the last cue that starts at a time or before it; -1 before the first one */
export const cueAt = (cues: readonly ShownCue[], time: number): number =>
  lowestPlace(cues.length, (place) => (cues[place] as ShownCue).start > time) - 1;

const WARNINGS: Record<Cue["warnings"][number], (cue: ShownCue, limits: LayoutOptions) => string> = {
  fast: (cue, { readingSpeed }) => t.subtitles.tooFast(speedOf(cue), readingSpeed),
  short: (cue, { minimumDuration }) => t.subtitles.tooShort(cue.end - cue.start, minimumDuration),
  long: (cue, { maximumDuration }) => t.subtitles.tooLong(cue.end - cue.start, maximumDuration),
  wide: (_, { maximumCharactersPerRow }) => t.subtitles.tooWide(maximumCharactersPerRow),
  rows: ({ rows }, { maximumRowsPerCaption }) => t.subtitles.tooManyRows(rows.length, maximumRowsPerCaption),
  overlap: () => t.subtitles.overlap,
  gap: () => t.subtitles.gap,
};

/** The text of a cue with the label of its speaker, as in SubRip. */
export const labelledRows = ({ rows, label }: Pick<Cue, "rows" | "label">): string[] =>
  label === "" ? rows : [labelPrefix(label) + (rows[0] ?? ""), ...rows.slice(1)];

/** Characters a second. As in the limit, a wide character counts twice. */
export const speedOf = (cue: Cue): number =>
  labelledRows(cue).reduce((sum, row) => sum + columnsOf(row), 0) / Math.max(cue.end - cue.start, 0.001);

export const warningTexts = (cue: ShownCue, limits: LayoutOptions): string[] =>
  cue.warnings.map((warning) => WARNINGS[warning](cue, limits));
