// Steps through the words of which the recogniser was not sure, and plays each with what is around it.
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { stepTo, type UnsureWord, unsureWords } from "./doubt.ts";
import type { Player } from "./player.ts";
import type { TranscriptStore } from "./store.ts";

/** Before and after the word. */
const AROUND_SECONDS = 1;

export interface Unsure {
  words: ReadonlySignal<UnsureWord[]>;
  word: ReadonlySignal<UnsureWord | undefined>;
  position: ReadonlySignal<number | undefined>;
  step(direction: 1 | -1): void;
}

export function useUnsure(store: TranscriptStore, player: Player, show: (at: number) => void): Unsure {
  const words = useComputed(() => unsureWords(store.reading.value?.utterances ?? []));
  // Its start: corrections change the positions of words.
  const chosen = useSignal<number | undefined>(undefined);
  const position = useComputed(() => {
    const found = words.value.findIndex(({ start }) => start === chosen.value);
    return found === -1 ? undefined : found;
  });
  const word = useComputed(() => (position.value === undefined ? undefined : words.value[position.value]));
  const step = (direction: 1 | -1) => {
    const time = chosen.peek() ?? player.time.peek();
    const next = words.value[stepTo(words.value, direction, time, position.value) ?? -1];
    if (!next) return;
    chosen.value = next.start;
    show(next.at);
    player.playStretch(next.start - AROUND_SECONDS, next.end + AROUND_SECONDS);
  };
  return { words, word, position, step };
}

export function UnsureBar({ unsure }: { unsure: Unsure }) {
  const { length } = unsure.words.value;
  if (length === 0) return null;
  const place = unsure.position.value === undefined ? `${length}` : `${unsure.position.value + 1} of ${length}`;
  return (
    <fieldset class="bare row unsure-bar">
      <legend class="unseen">Unsure words</legend>
      <button
        type="button"
        aria-label="Previous unsure word"
        title="Previous unsure word (P)"
        onClick={() => unsure.step(-1)}
      >
        ‹
      </button>
      <output class="hint">Unsure words: {place}</output>
      <button type="button" aria-label="Next unsure word" title="Next unsure word (N)" onClick={() => unsure.step(1)}>
        ›
      </button>
    </fieldset>
  );
}
