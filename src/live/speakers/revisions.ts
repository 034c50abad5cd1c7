// Speakers of finals, and their corrections: the event of a correction, and what it changes. Pure.
import type { LiveRevisions } from "../../speakers/live-words.ts";
import type { Utterance } from "../../transcript/transcript.ts";
import type { EventOf } from "../events/live-event.ts";

export type Revision = Omit<EventOf<"speakersRevised">, "kind">;

const SEPARATOR = "#";

/** Identifies a word over all finals of a session. */
export const wordId = (utteranceId: string, index: number) => `${utteranceId}${SEPARATOR}${index}`;

function placeOf(id: string): { utteranceId: string; index: number } {
  const at = id.lastIndexOf(SEPARATOR);
  return { utteranceId: id.slice(0, at), index: Number(id.slice(at + 1)) };
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

/** A final after a correction of the session. */
export function revised(id: string, utterance: Utterance, { merged, utterances }: Revision): Utterance {
  const speakers = utterance.words.map(({ speaker }) => merged.find((one) => one.speaker === speaker)?.into);
  for (const one of utterances) if (one.id === id) for (const { index, speaker } of one.words) speakers[index] = speaker;
  return speakers.some((speaker) => speaker !== undefined) ? withSpeakers(utterance, speakers) : utterance;
}

/**
 * @param finalOf  a final with its speakers before the correction; undefined for one that is not known
 * @returns undefined if nothing changes
 */
export function revisionOf(
  channel: number,
  { words, same }: LiveRevisions,
  finalOf: (id: string) => Utterance | undefined,
): Revision | undefined {
  const merged = same.map(({ from, into }) => ({ speaker: from, into }));
  const placed = words.map(({ id, speaker }) => ({ ...placeOf(id), speaker }));
  const utterances = [...new Set(placed.map(({ utteranceId }) => utteranceId))].flatMap((id) => {
    const final = finalOf(id);
    if (!final) return [];
    const own = placed.filter((word) => word.utteranceId === id).map(({ index, speaker }) => ({ index, speaker }));
    const draft = { channel, merged, utterances: [{ id, speaker: 0, words: own }] };
    const { speaker = 0 } = revised(id, final, draft);
    return [{ id, speaker, words: own }];
  });
  return merged.length === 0 && utterances.length === 0 ? undefined : { channel, merged, utterances };
}
