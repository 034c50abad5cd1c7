// Gives a paragraph to a speaker by number: 1 is the first one of the transcript.
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { Editing } from "./editing.ts";
import { newSpeaker, targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

/** A number after the last speaker is a new one. @param at  position of the paragraph @throws ApiError */
export async function assignSpeaker(
  store: TranscriptStore,
  editing: Editing,
  at: number,
  number: number,
): Promise<void> {
  const reading = store.reading.peek();
  const utterance = reading?.utterances[at];
  if (!reading || !utterance) return;
  const speaker = speakersOf(reading)[number - 1] ?? newSpeaker(reading);
  if (speaker === utterance.speaker) return;
  await editing.changeWith([at], (typed) => ({ utterances: [{ ...targetOf(typed, at), speaker }] }));
}
