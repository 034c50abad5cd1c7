// Words that are recognised again, and the correction that stores them. Both name the words of the transcript in which they were selected.
import type { StretchWords } from "../../../src/contract/stretches.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { request } from "../api.ts";
import type { WordRange } from "./selection.ts";
import { targetOf } from "./speakers.ts";
import type { TranscriptChange } from "./store.ts";
import { type ReplacedWords, replacedWords } from "./word-difference.ts";

export interface Again extends WordRange {
  /** Seconds. */
  start: number;
  old: string[];
  changes: ReplacedWords[];
}

interface Selected {
  reading: CorrectedTranscription;
  range: WordRange;
}

const wordsIn = (text: string) => text.split(/\s+/u).filter((word) => word !== "");

/** The words of a range, recognised again. @param path  address of the recording */
export async function recognised(
  path: string,
  { reading, range }: Selected,
  choice: { model: string; language: string },
  signal: AbortSignal,
): Promise<Again | undefined> {
  const utterance = reading.utterances[range.at];
  const words = utterance?.words.slice(range.first, range.last + 1) ?? [];
  const [first, last] = [words[0], words.at(-1)];
  if (!utterance || !first || !last) return undefined;
  const body = {
    start: first.start,
    end: last.end,
    channel: utterance.channel,
    language: choice.language === "" ? utterance.language : choice.language,
    ...(choice.model === "" ? {} : { model: choice.model }),
  };
  const response = await request("POST", `${path}/recognition`, body, signal);
  const answer = (await response.json()) as StretchWords;
  const old = words.map(({ word }) => word.trim());
  return { ...range, start: first.start, old, changes: replacedWords(old, wordsIn(answer.text)) };
}

/**
 * The later changes of an utterance first: earlier ones do not move the words that they name.
 * @param reading  the transcript in which the words were selected
 */
export function changeOf(reading: CorrectedTranscription, parts: readonly Again[]): TranscriptChange {
  const utterances = parts.flatMap(({ at, first, changes }) =>
    changes.map(({ from, until, words }) => ({
      ...targetOf(reading, at, first + from, first + until - 1),
      text: words.join(" "),
    })),
  );
  return { utterances: utterances.toSorted((left, right) => (right.start ?? 0) - (left.start ?? 0)) };
}
