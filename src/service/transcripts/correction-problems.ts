// Compares a change with the transcript as it reads, before it is stored.

import type {
  Correction,
  CueEdit,
  SpeakerMerge,
  SpeakerSplit,
  TranscriptChange,
  UtteranceBreak,
  UtteranceChange,
  UtteranceJoin,
} from "../../contract/transcript/correction.ts";
import { nextSpeaker } from "../../contract/transcript/speaker-names.ts";
import { milliseconds, type Transcription } from "../../contract/transcript/transcript.ts";
import { placeOf, wordsByChannel } from "../../speech/subtitles/cue-edits.ts";
import { SpokenUtterances } from "./spoken-utterances.ts";
import { middleOf, selectWords } from "./word-middles.ts";

/** Whether the change depends on earlier corrections. */
export function needsCorrections({ merges, splits, joins, breaks, cues, utterances = [] }: TranscriptChange): boolean {
  return (
    [merges, splits, joins, breaks, cues].some((list) => list !== undefined && list.length > 0) ||
    utterances.some(({ start, end }) => start !== undefined || end !== undefined)
  );
}

function missing(field: string, speaker: number, there: readonly number[]): string {
  if (there.length === 0) return `${field}.speaker is ${speaker}, and this transcript has no speakers`;
  return `${field}.speaker must be one of the speakers ${there.join(", ")}; it is ${speaker}`;
}

function mergeProblems(merge: SpeakerMerge, there: Set<number>, now: SpokenUtterances): string[] {
  const { speaker, into } = merge;
  const numbers = [...there];
  if (!there.has(speaker)) return [missing("merges", speaker, numbers)];
  if (speaker === into) return [`merges.into must be another speaker than ${speaker}`];
  if (!there.has(into)) return [`merges.into must be one of the speakers ${numbers.join(", ")}; it is ${into}`];
  there.delete(speaker);
  now.merge(merge);
  return [];
}

function splitProblems(split: SpeakerSplit, there: Set<number>, now: SpokenUtterances): string[] {
  const { speaker, start, into } = split;
  if (!there.has(speaker)) return [missing("splits", speaker, [...there])];
  if (there.has(into))
    return [`splits.into must be a number that no speaker has, such as ${nextSpeaker(there)}; it is ${into}`];
  there.add(into);
  let [first, last] = [Infinity, -Infinity];
  for (const { one } of now.current()) {
    const speakers = one.allSpeakers;
    for (const [at, word] of one.allWords.entries()) {
      if (speakers[at] === speaker) [first, last] = [Math.min(first, word.start), Math.max(last, word.start)];
    }
  }
  now.split(split);
  // A speaker may have no words.
  if (first > last || (start > first && start <= last)) return [];
  return [
    `splits.start must be above ${first} and at most ${last}, where the first and last words of speaker ${speaker} start; it is ${start}`,
  ];
}

function utteranceProblems({ index, start, end }: UtteranceChange, now: SpokenUtterances): string[] {
  const { count } = now;
  if (index >= count) return [`utterances.index must be below ${count}, the number of utterances; it is ${index}`];
  if (start === undefined && end === undefined) return [];
  const words = now.at(index)?.allWords ?? [];
  const [from, until] = selectWords(words, { start, end });
  if (until > from) return [];
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [`utterances with index ${index} has no words; leave out start and end`];
  return [
    `utterances with index ${index} has no words between start ${start ?? "(none)"} and end ${end ?? "(none)"}; its words last from ${first.start} to ${last.end}`,
  ];
}

function joinProblems(join: UtteranceJoin, now: SpokenUtterances): string[] {
  const { index, into } = join;
  const { count } = now;
  const beyond = [index, into].find((one) => one >= count);
  if (beyond !== undefined) {
    return [`joins.index and joins.into must be below ${count}, the number of utterances; one is ${beyond}`];
  }
  if (index !== into && now.at(index) === now.at(into)) {
    return [`joins.index ${index} and joins.into ${into} are one utterance already`];
  }
  if (now.join(join)) return [];
  return [`joins.into must be the utterance of the same channel before utterance ${index}; it is ${into}`];
}

function breakProblems(change: UtteranceBreak, now: SpokenUtterances): string[] {
  const { index, start, removed } = change;
  const { count } = now;
  if (index >= count) return [`breaks.index must be below ${count}, the number of utterances; it is ${index}`];
  if (now.break(change)) return [];
  const words = now.at(index)?.allWords ?? [];
  const [first] = words;
  if (!first || words.length === 1) {
    return [`breaks with index ${index}: the utterance has ${first ? "one word" : "no words"} and cannot be divided`];
  }
  const last = words.reduce((latest, word) => Math.max(latest, middleOf(word)), -Infinity);
  if (start <= middleOf(first) || start > last) {
    return [
      `breaks.start must be above ${milliseconds(middleOf(first))} and at most ${milliseconds(last)}, the middles of the first and last words of utterance ${index}; it is ${start}`,
    ];
  }
  return [
    removed
      ? `breaks.start must be the time of a break of utterance ${index} to remove it; it is ${start}`
      : `breaks.start must be before a word of utterance ${index} at which no break is; it is ${start}`,
  ];
}

/** A cue has at least one word, and ends within the recording. */
function cueProblems(cues: readonly CueEdit[], now: SpokenUtterances, audioSeconds: number): string[] {
  if (cues.length === 0) return [];
  const spoken = now.current().map(({ one }) => ({ channel: one.channel, words: one.allWords }));
  const channels = wordsByChannel(spoken);
  return cues.flatMap(({ channel, words_start, words_end, start = 0, end = 0 }) => {
    const latest = Math.max(start, end);
    // Times of cues are rounded to milliseconds.
    if (latest > Math.ceil(audioSeconds * 1000) / 1000)
      return [`cues: start and end must be at most ${audioSeconds}, the length of the recording; one is ${latest}`];
    const words = channels.get(channel);
    if (!words)
      return [`cues.channel must be one of the channels ${[...channels.keys()].join(", ")}; it is ${channel}`];
    const word = words[placeOf(words, words_start)];
    if (word && middleOf(word) <= words_end) return [];
    return [`cues: channel ${channel} has no words between words_start ${words_start} and words_end ${words_end}`];
  });
}

/** Numbers of the speakers, in order. */
function speakersOf(now: SpokenUtterances): number[] {
  const speakers = new Set(now.current().flatMap(({ one }) => one.allSpeakers));
  return [...speakers].filter((speaker) => speaker !== undefined).sort((left, right) => left - right);
}

/**
 * The parts of a change are compared with the transcript in the order in which they are applied, each after those before it.
 * @param corrections  those made before; only read if `needsCorrections(change)`
 * @param audioSeconds  length of the recording
 * @returns one sentence for each part that does not match the transcript
 */
export function problemsOf(
  change: TranscriptChange,
  transcription: Transcription,
  corrections: readonly Correction[],
  audioSeconds = Number.POSITIVE_INFINITY,
): string[] {
  const { merges = [], splits = [], utterances = [], joins = [], breaks = [], cues = [] } = change;
  const now = new SpokenUtterances(transcription);
  if (needsCorrections(change)) now.applyAll(corrections);
  const there = new Set(merges.length + splits.length > 0 ? speakersOf(now) : []);
  const problems = [
    ...merges.flatMap((merge) => mergeProblems(merge, there, now)),
    ...splits.flatMap((split) => splitProblems(split, there, now)),
    // Times of words are those before the change.
    ...utterances.flatMap((utterance) => utteranceProblems(utterance, now)),
  ];
  if (joins.length + breaks.length + cues.length > 0) for (const utterance of utterances) now.change(utterance);
  return [
    ...problems,
    ...joins.flatMap((join) => joinProblems(join, now)),
    ...breaks.flatMap((one) => breakProblems(one, now)),
    ...cueProblems(cues, now, audioSeconds),
  ];
}
