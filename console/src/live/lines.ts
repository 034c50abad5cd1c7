// The lines of the live page: partials until their final is there, then the final, with the corrections of its speakers.
import { revised, type SpeakerRevision } from "../../../src/contract/transcript/speaker-revision.ts";
import type { Utterance } from "../shapes.ts";

export interface Line {
  id: string;
  isFinal: boolean;
  utterance: Utterance;
}

/** Words of one speaker. */
export interface Run {
  speaker: number | undefined;
  text: string;
}

/** @returns the lines with a partial or a final */
export function withTranscript(lines: readonly Line[], line: Line): Line[] {
  const known = lines.findIndex(({ id }) => id === line.id);
  // After a reconnection, messages without an acknowledgment are sent again: a final may arrive twice.
  if (lines[known]?.isFinal) return [...lines];
  const changed = known < 0 ? [...lines, line] : lines.with(known, line);
  return line.isFinal ? changed.filter(({ utterance }) => utterance.text.trim() !== "") : changed;
}

export const withRevision = (lines: readonly Line[], revision: SpeakerRevision): Line[] =>
  lines.map((line) => ({ ...line, utterance: revised(line.id, line.utterance, revision) }));

/** The text of a line, divided where the speaker changes. */
export function runsOf({ text, speaker: main, words }: Utterance): Run[] {
  if (main === undefined) return [{ speaker: undefined, text: text.trim() }];
  const runs: Run[] = [];
  for (const { word, speaker = main } of words) {
    const last = runs.at(-1);
    if (last?.speaker === speaker) last.text += word;
    else runs.push({ speaker, text: word });
  }
  return runs.map((run) => ({ ...run, text: run.text.trim() }));
}
