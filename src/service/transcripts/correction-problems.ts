// Compares a change with the transcript as it reads, before it is stored.

import type {
  Correction,
  SpeakerMerge,
  SpeakerSplit,
  TranscriptChange,
  UtteranceBreak,
  UtteranceChange,
  UtteranceJoin,
} from "../../contract/transcript/correction.ts";
import { nextSpeaker, speakersOf } from "../../contract/transcript/speaker-names.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { type CorrectedTranscription, corrected } from "./corrections.ts";
import { selectWords } from "./spoken-utterance.ts";

/** Whether the change depends on earlier corrections. */
export function needsCorrections({ merges, splits, joins, breaks, utterances = [] }: TranscriptChange): boolean {
  return (
    [merges, splits, joins, breaks].some((list) => list !== undefined && list.length > 0) ||
    utterances.some(({ start, end }) => start !== undefined || end !== undefined)
  );
}

const wordsOf = (utterances: readonly Utterance[]) => utterances.flatMap(({ words }) => words);

function missing(field: string, speaker: number, there: readonly number[]): string {
  if (there.length === 0) return `${field}.speaker is ${speaker}, and this transcript has no speakers`;
  return `${field}.speaker must be one of the speakers ${there.join(", ")}; it is ${speaker}`;
}

function mergeProblems({ speaker, into }: SpeakerMerge, there: Set<number>): string[] {
  const numbers = [...there];
  if (!there.has(speaker)) return [missing("merges", speaker, numbers)];
  if (speaker === into) return [`merges.into must be another speaker than ${speaker}`];
  if (!there.has(into)) return [`merges.into must be one of the speakers ${numbers.join(", ")}; it is ${into}`];
  there.delete(speaker);
  return [];
}

function splitProblems({ speaker, start, into }: SpeakerSplit, there: Set<number>, now: Transcription): string[] {
  if (!there.has(speaker)) return [missing("splits", speaker, [...there])];
  if (there.has(into))
    return [`splits.into must be a number that no speaker has, such as ${nextSpeaker(there)}; it is ${into}`];
  there.add(into);
  const words = wordsOf(now.utterances.filter((utterance) => utterance.speaker === speaker));
  const starts = words.map((word) => word.start);
  const [first, last] = [
    starts.reduce((a, b) => Math.min(a, b), Infinity),
    starts.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  // Merges of the same change may add words to the speaker.
  if (words.length === 0 || (start > first && start <= last)) return [];
  return [
    `splits.start must be above ${first} and at most ${last}, where the first and last words of speaker ${speaker} start; it is ${start}`,
  ];
}

function utteranceProblems(
  { index, start, end }: UtteranceChange,
  count: number,
  now: CorrectedTranscription,
): string[] {
  if (index >= count) return [`utterances.index must be below ${count}, the number of utterances; it is ${index}`];
  if (start === undefined && end === undefined) return [];
  const words = wordsOf(now.utterances.filter((_, at) => now.source_utterances[at] === index));
  const [from, until] = selectWords(words, { start, end });
  if (until > from) return [];
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [`utterances with index ${index} has no words; leave out start and end`];
  return [
    `utterances with index ${index} has no words between start ${start ?? "(none)"} and end ${end ?? "(none)"}; its words last from ${first.start} to ${last.end}`,
  ];
}

function joinProblems(
  { index, into }: UtteranceJoin,
  { utterances }: Transcription,
  now: CorrectedTranscription,
): string[] {
  const count = utterances.length;
  const beyond = [index, into].find((one) => one >= count);
  if (beyond !== undefined) {
    return [`joins.index and joins.into must be below ${count}, the number of utterances; one is ${beyond}`];
  }
  const [second, first] = [utterances[index] as Utterance, utterances[into] as Utterance];
  const isBetween = now.utterances.some(({ channel, start }, at) => {
    const source = now.source_utterances[at];
    const isOther = source !== index && source !== into && channel === first.channel;
    return isOther && start > first.start && start < second.start;
  });
  if (first.channel === second.channel && first.start < second.start && !isBetween) return [];
  return [`joins.into must be the utterance of the same channel before utterance ${index}; it is ${into}`];
}

function breakProblems(
  { index, start, removed }: UtteranceBreak,
  count: number,
  now: CorrectedTranscription,
): string[] {
  if (index >= count) return [`breaks.index must be below ${count}, the number of utterances; it is ${index}`];
  const words = wordsOf(now.utterances.filter((_, at) => now.source_utterances[at] === index));
  const [first, last] = [words[0], words.at(-1)];
  // Texts of the same change may replace the words.
  if (removed || !first || !last || (start > first.start && start <= last.end)) return [];
  return [
    `breaks.start must be above ${first.start} and at most ${last.end}, between the words of utterance ${index}; it is ${start}`,
  ];
}

/**
 * @param corrections  those made before; only read if `needsCorrections(change)`
 * @returns one sentence for each part that does not match the transcript
 */
export function problemsOf(
  change: TranscriptChange,
  transcription: Transcription,
  corrections: readonly Correction[],
): string[] {
  const now = corrected(transcription, needsCorrections(change) ? corrections : []);
  const there = new Set(speakersOf(now));
  const count = transcription.utterances.length;
  return [
    ...(change.merges ?? []).flatMap((merge) => mergeProblems(merge, there)),
    ...(change.splits ?? []).flatMap((split) => splitProblems(split, there, now)),
    ...(change.utterances ?? []).flatMap((utterance) => utteranceProblems(utterance, count, now)),
    ...(change.joins ?? []).flatMap((join) => joinProblems(join, transcription, now)),
    ...(change.breaks ?? []).flatMap((one) => breakProblems(one, count, now)),
  ];
}
