// Lays out utterances as captions: words, row breaks and times of each. Pure; write.ts prints the result as SRT or
// WebVTT.

import type { CueEdit } from "../../contract/cues.ts";
import { speakerName, type Utterance } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import { breakIntoCaptions } from "./breaks.ts";
import { editedWords, middleOf } from "./cue-edits.ts";
import { type LayoutOptions, STANDARD_LIMITS } from "./layout-options.ts";
import { rowsAt, rowsOf } from "./rows.ts";
import { onOneLine, type Run, type RunWord, runsOf } from "./runs.ts";
import { setTimes } from "./timing.ts";

export interface Caption {
  /** Seconds. */
  start: number;
  end: number;
  rows: string[];
  speaker: number | undefined;
  /** Name of the speaker at a speaker change; "" otherwise. */
  label: string;
  channel: number;
  words: readonly RunWord[];
  /** Times that a person set. */
  set: { start?: number | undefined; end?: number | undefined };
}

export interface CaptionSource {
  utterances: readonly Utterance[];
  /** Length of the recording, seconds; undefined if unknown. */
  audioSeconds?: number | undefined;
  /** Names of speakers, by their number. */
  names?: Readonly<Record<string, string>>;
  /** Cues that people set, in the order in which they were set. */
  edits?: readonly CueEdit[];
  /** false: captions without names of speakers; each still has the words of one speaker. */
  showsSpeakers?: boolean;
}

/** Formats without speakers print the label at the start of the caption, in the first row. */
export type LabelPlacement = "in-text" | "beside";

export function speakerLabel(speaker: number | undefined, names: Readonly<Record<string, string>> = {}): string {
  return speaker === undefined ? "Unknown speaker" : onOneLine(speakerName(speaker, names));
}

/** Captions have labels if there are two speakers, or one with a name. */
function hasLabels(runs: readonly Run[], names: Readonly<Record<string, string>>): boolean {
  const speakers = new Set(runs.map(({ speaker }) => speaker));
  return speakers.size > 1 || [...speakers].some((speaker) => speaker !== undefined && names[speaker] !== undefined);
}

/** A caption with a label begins with it. */
export const labelPrefix = (label: string) => `${label}: `;

/** Runs that overlap another run in time. */
function interleavedRuns(runs: readonly Run[]): Set<Run> {
  const interleaved = new Set<Run>();
  let longest: Run | undefined;
  const endOf = (run: Run) => run.words.at(-1)?.end ?? 0;
  for (const run of runs) {
    if (longest && (run.words[0]?.start ?? 0) < endOf(longest)) interleaved.add(longest).add(run);
    if (!longest || endOf(run) > endOf(longest)) longest = run;
  }
  return interleaved;
}

/** The words of one caption. */
interface Part {
  words: readonly RunWord[];
  run: Run;
  set: Caption["set"];
}

interface PartOptions extends LayoutOptions {
  isLabelled: boolean;
  audioSeconds: number;
  names: Readonly<Record<string, string>>;
}

/** Words beside each other that a person made one cue, or that are laid out automatically. */
function stretchesOf(words: readonly RunWord[]): { from: number; until: number; edit: CueEdit | undefined }[] {
  const stretches: { from: number; until: number; edit: CueEdit | undefined }[] = [];
  for (const [at, { edit }] of words.entries()) {
    const stretch = stretches.at(-1);
    if (stretch && stretch.edit === edit) stretch.until = at + 1;
    else stretches.push({ from: at, until: at + 1, edit });
  }
  return stretches;
}

/** Words that other people's words separate are several captions: the first one starts, and the last one ends, as it was set. */
function setEnds(parts: readonly Part[]): void {
  const ofEdit = new Map<CueEdit, Part[]>();
  for (const part of parts) {
    const edit = part.words[0]?.edit;
    if (edit) ofEdit.set(edit, [...(ofEdit.get(edit) ?? []), part]);
  }
  for (const [{ start, end }, own] of ofEdit) {
    const [first, last] = [own[0] as Part, own.at(-1) as Part];
    first.set = { ...first.set, start };
    last.set = { ...last.set, end };
  }
}

function partsOf(runs: readonly Run[], options: PartOptions): Part[] {
  const interleaved = interleavedRuns(runs);
  const parts = runs.flatMap((run, index) => {
    // The same in every format, so that each has the same captions.
    const indent = options.isLabelled ? columnsOf(labelPrefix(speakerLabel(run.speaker, options.names))) : 0;
    const nextStart = runs[index + 1]?.words[0]?.start ?? options.audioSeconds;
    const further = interleaved.has(run) ? indent : 0;
    return stretchesOf(run.words).flatMap(({ from, until, edit }) => {
      const words = run.words.slice(from, until);
      const indents = { first: from === 0 ? indent : further, further };
      const context = { ...options, nextStart, indents, following: run.words[until] };
      const captions = edit ? [words] : breakIntoCaptions(words, context);
      return captions.map((own): Part => ({ words: own, run, set: {} }));
    });
  });
  setEnds(parts);
  return parts.sort((left, right) => startOf(left) - startOf(right));
}

const startOf = ({ set, words }: Pick<Part, "set" | "words">) => set.start ?? words[0]?.start ?? 0;

/** @param words  as they are printed */
function captionRows(words: readonly RunWord[], width: number): string[] {
  const rows = words[0]?.edit?.rows;
  if (!rows) return rowsOf(words, width);
  return rowsAt(words, new Set(rows.map((time) => words.findIndex((word) => middleOf(word) >= time))));
}

/**
 * @returns captions in the order of their starts, the same ones for each placement of labels. Without edits, none overlaps the next one or ends
 *   after the recording, and rows, width and duration are within the limits; only a single word may be wider or longer.
 */
export function layoutCaptions(
  { utterances, audioSeconds = Number.POSITIVE_INFINITY, names = {}, edits = [], showsSpeakers = true }: CaptionSource,
  limits: Partial<LayoutOptions> = {},
  placement: LabelPlacement = "in-text",
): Caption[] {
  const options = { ...STANDARD_LIMITS, ...limits };
  const runs = runsOf(utterances, editedWords(utterances, edits));
  const isLabelled = showsSpeakers && hasLabels(runs, names);
  const parts = partsOf(runs, { ...options, isLabelled, audioSeconds, names });
  const captions = parts.map((part, index): Caption => {
    const { words, run, set } = part;
    const isChange = isLabelled && (index === 0 || parts[index - 1]?.run.speaker !== run.speaker);
    const label = isChange ? speakerLabel(run.speaker, names) : "";
    const shown = label !== "" && placement === "in-text" ? labelled(words, label) : words;
    return {
      start: startOf(part),
      end: set.end ?? words.at(-1)?.end ?? 0,
      rows: captionRows(shown, options.maximumCharactersPerRow),
      speaker: showsSpeakers ? run.speaker : undefined,
      label,
      channel: run.channel,
      words,
      set,
    };
  });
  setTimes(captions, options, audioSeconds);
  return captions;
}

function labelled(words: readonly RunWord[], label: string): RunWord[] {
  return words.map((word, index) =>
    index === 0 ? { ...word, word: labelPrefix(label) + word.word.trimStart() } : word,
  );
}
