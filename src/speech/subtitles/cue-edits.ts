// Cues that a person set: which words are one cue, and when it is shown. The other words are laid out around them.
import type { CueEdit } from "../../contract/cues.ts";
import { lowestPlace } from "../../contract/lowest-place.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";

export const middleOf = ({ start, end }: Pick<Word, "start" | "end">): number => (start + end) / 2;

interface Spoken {
  channel: number;
  words: readonly Word[];
}

/** @returns words by channel, in the order of their middles */
export function wordsByChannel(utterances: readonly Spoken[]): Map<number, Word[]> {
  const channels = new Map<number, Word[]>();
  for (const { channel, words } of utterances) {
    const own = channels.get(channel);
    if (own) for (const word of words) own.push(word);
    else channels.set(channel, [...words]);
  }
  for (const words of channels.values()) words.sort((left, right) => middleOf(left) - middleOf(right));
  return channels;
}

/** @returns the position of the first word whose middle is at a time or later */
export const placeOf = (words: readonly Word[], time: number): number =>
  lowestPlace(words.length, (place) => middleOf(words[place] as Word) >= time);

/** Finds the next place that is not taken, in nearly constant time. */
class FreePlaces {
  private readonly next: Uint32Array;

  constructor(count: number) {
    this.next = Uint32Array.from({ length: count + 1 }, (_, at) => at);
  }

  from(place: number): number {
    let free = place;
    while (this.next[free] !== free) free = this.next[free] as number;
    for (let at = place; at !== free; ) {
      const after = this.next[at] as number;
      this.next[at] = free;
      at = after;
    }
    return free;
  }

  take(place: number): void {
    this.next[place] = place + 1;
  }
}

/**
 * A later edit takes its words from earlier ones.
 * @param edits  in the order in which they were made
 * @returns the edit of each word that has one
 */
export function editedWords(utterances: readonly Utterance[], edits: readonly CueEdit[]): Map<Word, CueEdit> {
  const found = new Map<Word, CueEdit>();
  if (edits.length === 0) return found;
  const channels = wordsByChannel(utterances);
  const free = new Map([...channels].map(([channel, words]) => [channel, new FreePlaces(words.length)]));
  for (const edit of edits.toReversed()) {
    const [words, places] = [channels.get(edit.channel), free.get(edit.channel)];
    if (!words || !places) continue;
    for (let at = places.from(placeOf(words, edit.words_start)); at < words.length; at = places.from(at)) {
      const word = words[at] as Word;
      if (middleOf(word) > edit.words_end) break;
      places.take(at);
      if (!edit.automatic) found.set(word, edit);
    }
  }
  return found;
}
