// Consecutive words of one speaker on one channel. A caption never has words of two runs.

import type { CueEdit } from "../../contract/cues.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isUnspaced } from "../text/scripts.ts";

export interface RunWord extends Word {
  /** The last word of its utterance. */
  endsUtterance: boolean;
  /** ISO 639 code. */
  language: string;
  /** Position of its utterance, and its own in it. */
  utterance: number;
  place: number;
  /** Of the cue that a person made of it and other words. */
  edit: CueEdit | undefined;
}

export interface Run {
  channel: number;
  /** Undefined if no speaker was recognised. */
  speaker: number | undefined;
  words: RunWord[];
}

/** A line break of a custom spelling or a name would end the cue: white space other than one space is a space. */
export const onOneLine = (text: string): string =>
  text.replace(/\s+/g, (space) => (space.length === 1 && /[^\t\n\v\f\r\u2028\u2029]/.test(space) ? space : " "));

/** A longer pause begins a new run of the same speaker. */
const LONGEST_PAUSE_SECONDS = 2;

/** @param edits  of words @returns runs in the order of their starts */
export function runsOf(utterances: readonly Utterance[], edits: ReadonlyMap<Word, CueEdit> = new Map()): Run[] {
  const runs: Run[] = [];
  let before: Utterance | undefined;
  const ordered = [...utterances.entries()].sort(([, left], [, right]) => left.start - right.start);
  for (const [position, utterance] of ordered) {
    const isSpaced = !before || !isUnspaced(before.language) || !isUnspaced(utterance.language);
    before = utterance;
    const spoken = utterance.words.flatMap(({ word }, place) => (word.trim() === "" ? [] : [place]));
    for (const [index, place] of spoken.entries()) {
      const word = utterance.words[place] as Word;
      const run = runs.at(-1);
      const last = run?.words.at(-1);
      const edit = edits.get(word);
      const isSame =
        run !== undefined &&
        run.channel === utterance.channel &&
        run.speaker === utterance.speaker &&
        (word.start - (last?.end ?? 0) <= LONGEST_PAUSE_SECONDS || (edit !== undefined && edit === last?.edit));
      // The first word of a live utterance already begins with a space.
      const text = onOneLine(word.word);
      const isJoined = isSame && index === 0 && !/^\s/.test(text) && isSpaced;
      // Of one shape: an hour has ten thousand of them.
      const runWord: RunWord = {
        start: word.start,
        end: word.end,
        confidence: word.confidence,
        word: isJoined ? ` ${text}` : text,
        language: utterance.language,
        edit,
        utterance: position,
        place,
        endsUtterance: index === spoken.length - 1,
      };
      if (isSame) run.words.push(runWord);
      else runs.push({ channel: utterance.channel, speaker: utterance.speaker, words: [runWord] });
    }
  }
  return runs;
}
