// The speakers of a transcript as the page shows them, and changes of them.
import type { TranscriptChange, UtteranceChange } from "../../../src/contract/transcript/correction.ts";
import { nextSpeaker, speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { Word } from "../../../src/contract/transcript/transcript.ts";
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

const foldedName = (name: string) => name.trim().toLocaleLowerCase();

/**
 * Gives words to a speaker. @param name  as typed: that of a speaker of the transcript, or of a new one, which the same correction names
 * @param chosen  the speaker if no name is typed
 */
export function givenTo(
  reading: CorrectedTranscription,
  targets: readonly Target[],
  name: string,
  chosen: number,
): TranscriptChange {
  const given = (speaker: number): TranscriptChange => ({
    utterances: targets.map((target) => ({ ...target, speaker })),
  });
  if (name.trim() === "") return given(chosen);
  const isNamed = (speaker: number) => foldedName(shownSpeaker(speaker, reading.speaker_names)) === foldedName(name);
  const there = speakersOf(reading).find(isNamed);
  if (there !== undefined) return given(there);
  const speaker = newSpeaker(reading);
  return { ...given(speaker), speakers: [{ speaker, name: name.trim() }] };
}

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

type Timed = Pick<Word, "start" | "end">;

/**
 * Position of a word in a later version of its utterance. A word that was inserted between two adjoining words has no length: it starts where
 * the next word starts, and further inserted words have the same times.
 */
export function wordAfter(former: readonly Timed[], at: number, words: readonly Timed[]): number {
  const word = former[at];
  if (former === words || !word) return Math.max(0, Math.min(at, words.length - 1));
  const isSame = (other: Timed) => middleOf(other) === middleOf(word);
  const same = words.flatMap((other, position) => (isSame(other) ? [position] : []));
  const found = same[former.slice(0, at).filter(isSame).length] ?? same.at(-1);
  if (found !== undefined) return found;
  const next = words.findIndex(({ start }) => start >= word.start);
  return next < 0 ? Math.max(0, words.length - 1) : next;
}

/** Position of an utterance in a later transcript; -1 if its words are no longer one. */
export function positionAfter(former: CorrectedTranscription, at: number, reading: CorrectedTranscription): number {
  const source = former.source_utterances[at];
  const first = former.utterances[at]?.words[0];
  const alike = reading.utterances.flatMap(({ words }, position) =>
    reading.source_utterances[position] === source && words[0]?.start === first?.start ? [position] : [],
  );
  // An inserted word without a length may be the first of one utterance, and the word after it that of the next one.
  const found = alike.find((position) => reading.utterances[position]?.words[0]?.end === first?.end) ?? alike[0];
  if (found !== undefined) return found;
  const isAlike = former.utterances.length === reading.utterances.length && reading.source_utterances[at] === source;
  return isAlike ? at : -1;
}
