// Tidies up the changes of a correction, and finds their faults.
import type { ChangeBody, TranscriptChange } from "../../contract/transcripts.ts";

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

/** The change alone, with single spaces. */
export function cleaned({ merges, splits, utterances, joins, breaks, speakers }: ChangeBody): TranscriptChange {
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
    ...(speakers ? { speakers: speakers.map(({ speaker, name }) => ({ speaker, name: clean(name) })) } : {}),
  };
}

/** Faults that can be seen without the transcript. @returns one sentence each */
export function faultsOf(change: ChangeBody): string[] {
  const { merges, splits, utterances = [], joins, breaks, speakers } = change;
  if ([merges, splits, utterances, joins, breaks, speakers].every((list = []) => list.length === 0)) {
    return ["merges, splits, utterances, joins, breaks or speakers must name a change"];
  }
  return utterances.flatMap(({ index, start, end, text, speaker, checked }) => {
    if (text === undefined && speaker === undefined && checked === undefined) {
      return [`utterances with index ${index} must have a text, a speaker or checked`];
    }
    const isReversed = start !== undefined && end !== undefined && start > end;
    return isReversed ? [`utterances with index ${index} must have a start before its end`] : [];
  });
}
