// The event that corrects speakers of finals. Pure.

import { revised, type SpeakerRevision } from "../../../contract/transcript/speaker-revision.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import type { LiveRevisions } from "../../../speech/speakers/live-words.ts";

const SEPARATOR = "#";

/** Identifies a word over all finals of a session. */
export const wordId = (utteranceId: string, index: number) => `${utteranceId}${SEPARATOR}${index}`;

function placeOf(id: string): { utteranceId: string; index: number } {
  const at = id.lastIndexOf(SEPARATOR);
  return { utteranceId: id.slice(0, at), index: Number(id.slice(at + 1)) };
}

/**
 * @param finalOf  a final with its speakers before the correction; undefined if it is no longer kept
 * @returns undefined if nothing changes
 */
export function revisionOf(
  channel: number,
  { words, same }: LiveRevisions,
  finalOf: (id: string) => Utterance | undefined,
): SpeakerRevision | undefined {
  const merged = same.map(({ from, into }) => ({ speaker: from, into }));
  const placed = words.map(({ id, speaker }) => ({ ...placeOf(id), speaker }));
  const utterances = [...new Set(placed.map(({ utteranceId }) => utteranceId))].flatMap((id) => {
    const final = finalOf(id);
    if (!final) return [];
    const own = placed.filter((word) => word.utteranceId === id).map(({ index, speaker }) => ({ index, speaker }));
    const { speaker = 0 } = revised(id, final, { channel, merged, utterances: [{ id, speaker: 0, words: own }] });
    return [{ id, speaker, words: own }];
  });
  return merged.length === 0 && utterances.length === 0 ? undefined : { channel, merged, utterances };
}
