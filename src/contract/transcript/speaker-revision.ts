// Speakers of the words of a live final, and their corrections. Pure and independent of Node.
import type { Utterance } from "./transcript.ts";

/** Corrects speakers of earlier finals. `merged` applies first: every word of `speaker` belongs to `into`. */
export interface SpeakerRevision {
  channel: number;
  merged: { speaker: number; into: number }[];
  /** `speaker`: of most words now; `index`: in the words of the final. */
  utterances: { id: string; speaker: number; words: { index: number; speaker: number }[] }[];
}

/** The speaker of most words; of several, the first one. */
function mainSpeaker(words: readonly { speaker?: number }[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { speaker } of words) if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

/** @param speakers  of each word; undefined for a word that keeps the one it has */
export function withSpeakers(utterance: Utterance, speakers: readonly (number | undefined)[]): Utterance {
  const words = utterance.words.map((word, at) => {
    const speaker = speakers[at];
    return speaker === undefined ? word : { ...word, speaker };
  });
  const speaker = mainSpeaker(words);
  return speaker === undefined ? utterance : { ...utterance, speaker, words };
}

/** A final after a correction. @param id  of the final */
export function revised(id: string, utterance: Utterance, { merged, utterances }: SpeakerRevision): Utterance {
  const speakers = utterance.words.map(({ speaker }) => merged.find((one) => one.speaker === speaker)?.into);
  for (const one of utterances) {
    if (one.id === id) for (const { index, speaker } of one.words) speakers[index] = speaker;
  }
  return speakers.some((speaker) => speaker !== undefined) ? withSpeakers(utterance, speakers) : utterance;
}
