// Lays out utterances as captions: words, row breaks and times of each. Pure; write.ts prints the result as SRT or
// WebVTT.

import { speakerName, type Utterance } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import { breakIntoCaptions } from "./breaks.ts";
import { type LayoutOptions, STANDARD_LIMITS } from "./layout-options.ts";
import { rowsOf } from "./rows.ts";
import { type Run, runsOf } from "./runs.ts";
import { setTimes } from "./timing.ts";

export interface Caption {
  /** Seconds. */
  start: number;
  end: number;
  rows: string[];
  speaker: number | undefined;
  /** Name of the speaker at a speaker change; "" otherwise. */
  label: string;
}

export interface CaptionSource {
  utterances: readonly Utterance[];
  /** Length of the recording, seconds; undefined if unknown. */
  audioSeconds?: number | undefined;
  /** Names of speakers, by their number. */
  names?: Readonly<Record<string, string>>;
}

/** Formats without speakers print the label at the start of the caption, in the first row. */
export type LabelPlacement = "in-text" | "beside";

export function speakerLabel(speaker: number | undefined, names: Readonly<Record<string, string>> = {}): string {
  return speaker === undefined ? "Unknown speaker" : speakerName(speaker, names);
}

/** Captions have labels if there are two speakers, or one with a name. */
function hasLabels(runs: readonly Run[], names: Readonly<Record<string, string>>): boolean {
  const speakers = new Set(runs.map(({ speaker }) => speaker));
  return speakers.size > 1 || [...speakers].some((speaker) => speaker !== undefined && names[speaker] !== undefined);
}

/** A caption with a label begins with it. */
const labelPrefix = (label: string) => `${label}: `;

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

/**
 * @returns captions in the order of their starts. None overlaps the next one or ends after the recording. Rows, width
 *   and duration are within the limits; only a single word may be wider or longer.
 */
export function layoutCaptions(
  { utterances, audioSeconds = Number.POSITIVE_INFINITY, names = {} }: CaptionSource,
  limits: Partial<LayoutOptions> = {},
  placement: LabelPlacement = "in-text",
): Caption[] {
  const options = { ...STANDARD_LIMITS, ...limits };
  const runs = runsOf(utterances);
  const isLabelled = hasLabels(runs, names);
  const interleaved = interleavedRuns(runs);
  const parts = runs.flatMap((run, index) => {
    const isInText = isLabelled && placement === "in-text";
    const indent = isInText ? columnsOf(labelPrefix(speakerLabel(run.speaker, names))) : 0;
    const nextStart = runs[index + 1]?.words[0]?.start ?? audioSeconds;
    const indents = { first: indent, further: interleaved.has(run) ? indent : 0 };
    return breakIntoCaptions(run.words, { ...options, nextStart, indents }).map((words) => ({
      words,
      speaker: run.speaker,
    }));
  });
  parts.sort((left, right) => (left.words[0]?.start ?? 0) - (right.words[0]?.start ?? 0));
  const captions = parts.map(({ words, speaker }, index): Caption => {
    const isChange = isLabelled && (index === 0 || parts[index - 1]?.speaker !== speaker);
    const label = isChange ? speakerLabel(speaker, names) : "";
    const shown = label !== "" && placement === "in-text" ? labelled(words, label) : words;
    return {
      start: words[0]?.start ?? 0,
      end: words.at(-1)?.end ?? 0,
      rows: rowsOf(shown, options.maximumCharactersPerRow),
      speaker,
      label,
    };
  });
  setTimes(captions, options, audioSeconds);
  return captions;
}

function labelled(words: Run["words"], label: string): Run["words"] {
  return words.map((word, index) =>
    index === 0 ? { ...word, word: labelPrefix(label) + word.word.trimStart() } : word,
  );
}
