// The speakers of a transcript as the page shows them, and changes of them.
import type { UtteranceChange } from "../../../src/contract/transcript/correction.ts";
import { nextSpeaker, speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { t } from "../language/language.ts";

const COLOURS = 8;

export const speakerClass = (speaker: number | undefined) =>
  speaker === undefined ? "" : `speaker-${speaker % COLOURS}`;

/** The name of a speaker, or its number, in the language of the interface. */
export const shownSpeaker = (speaker: number, names: Readonly<Record<string, string>>): string =>
  names[speaker] ?? t.names.speaker(speaker);

/** A number that neither a speaker nor a name has. */
export function newSpeaker(reading: CorrectedTranscription): number {
  return nextSpeaker([...speakersOf(reading), ...Object.keys(reading.speaker_names).map(Number)]);
}

export type Target = Pick<UtteranceChange, "index" | "start" | "end">;

const middleOf = ({ start, end }: { start: number; end: number }) => (start + end) / 2;

/** Names words of a shown utterance in a correction. @param from,until  positions of the words, the last one included */
export function targetOf(reading: CorrectedTranscription, at: number, from?: number, until?: number): Target {
  const index = reading.source_utterances[at] ?? at;
  const words = reading.utterances[at]?.words ?? [];
  const [first, last] = [words[from ?? 0], words[until ?? words.length - 1]];
  const isWhole = first === words[0] && last === words.at(-1);
  const isAlone = reading.source_utterances.indexOf(index) === reading.source_utterances.lastIndexOf(index);
  return !first || !last || (isWhole && isAlone) ? { index } : { index, start: middleOf(first), end: middleOf(last) };
}

/** Time of a break before a word. */
export const breakBefore = middleOf;

/** Position of an utterance in a later transcript; -1 if its words are no longer one. */
export function positionAfter(former: CorrectedTranscription, at: number, reading: CorrectedTranscription): number {
  const source = former.source_utterances[at];
  const start = former.utterances[at]?.words[0]?.start;
  const found = reading.utterances.findIndex(
    ({ words }, position) => reading.source_utterances[position] === source && words[0]?.start === start,
  );
  if (found >= 0) return found;
  const isAlike = former.utterances.length === reading.utterances.length && reading.source_utterances[at] === source;
  return isAlike ? at : -1;
}
