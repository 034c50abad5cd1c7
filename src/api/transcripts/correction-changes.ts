// Tidies up the changes of a correction, and finds their faults.
import type { CueEdit } from "../../contract/cues.ts";
import type { ChangeBody, TranscriptChange } from "../../contract/transcripts.ts";

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

/** The change alone, with single spaces. */
export function cleaned({ merges, splits, utterances, joins, breaks, cues, speakers }: ChangeBody): TranscriptChange {
  return {
    ...(merges ? { merges } : {}),
    ...(splits ? { splits } : {}),
    ...(utterances
      ? {
          utterances: utterances.map(({ text, ...one }) => ({
            ...one,
            ...(text === undefined ? {} : { text: clean(text) }),
          })),
        }
      : {}),
    ...(joins ? { joins } : {}),
    ...(breaks ? { breaks } : {}),
    ...(cues ? { cues } : {}),
    ...(speakers ? { speakers: speakers.map(({ speaker, name }) => ({ speaker, name: clean(name) })) } : {}),
  };
}

function cueFaults({ words_start, words_end, start, end, rows, automatic }: CueEdit): string[] {
  const name = `cues with words_start ${words_start}`;
  if (words_start > words_end) return [`${name} must have a words_end at this time or later; it is ${words_end}`];
  if (automatic && (start !== undefined || end !== undefined || rows !== undefined)) {
    return [`${name} must have no start, end or rows, because it is automatic`];
  }
  const isReversed = start !== undefined && end !== undefined && start >= end;
  return isReversed ? [`${name} must have a start before its end`] : [];
}

/** Faults that can be seen without the transcript. @returns one sentence each */
export function faultsOf(change: ChangeBody): string[] {
  const { merges, splits, utterances = [], joins, breaks, cues = [], speakers } = change;
  if ([merges, splits, utterances, joins, breaks, cues, speakers].every((list = []) => list.length === 0)) {
    return ["merges, splits, utterances, joins, breaks, cues or speakers must name a change"];
  }
  const utteranceFaults = utterances.flatMap(({ index, start, end, text, speaker, checked }) => {
    if (text === undefined && speaker === undefined && checked === undefined) {
      return [`utterances with index ${index} must have a text, a speaker or checked`];
    }
    const isReversed = start !== undefined && end !== undefined && start > end;
    return isReversed ? [`utterances with index ${index} must have a start before its end`] : [];
  });
  return [...utteranceFaults, ...cues.flatMap(cueFaults)];
}
