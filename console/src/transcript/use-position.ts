// The utterance at the playback position; the list follows it, and the played word is marked.
import { type ReadonlySignal, type Signal, useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { placeOf } from "./place.ts";
import type { Player } from "./player.ts";
import type { TranscriptStore } from "./store.ts";
import type { ListHandle } from "./virtual-list.tsx";

interface PositionOptions {
  store: TranscriptStore;
  player: Player;
  list: RefObject<ListHandle | undefined>;
  /** Element with the words. */
  body: RefObject<HTMLElement | null>;
  follows: Signal<boolean>;
  isEditing: () => boolean;
}

/** Marks the word being played directly in the DOM: rendering the list 60 times a second is too slow. */
function markWord(container: HTMLElement | null, time: number): void {
  container?.querySelector(".word.heard")?.classList.remove("heard");
  for (const word of container?.querySelectorAll<HTMLElement>(".word") ?? []) {
    const { start, end } = word.dataset;
    if (Number(start) <= time && time < Number(end)) {
      word.classList.add("heard");
      return;
    }
  }
}

/** @returns position of the shown utterance that is played */
export function usePosition(options: PositionOptions): ReadonlySignal<number> {
  const { store, player, list, body, follows, isEditing } = options;
  const { query } = useLocation();
  const current = useComputed(() => {
    const utterances = store.reading.value?.utterances ?? [];
    const { value: time } = player.time;
    let [low, high] = [0, utterances.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((utterances[middle]?.start ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  });
  useEffect(() => player.time.subscribe((time) => markWord(body.current, time)), [player]);
  useEffect(
    () =>
      current.subscribe((index) => {
        if (follows.peek() && player.isPlaying.peek() && !isEditing()) list.current?.show(index);
      }),
    [player],
  );
  // The address may contain a position: ?t=62 for 1:02. Otherwise, the playback continues where it stopped.
  useEffect(() => {
    const from = Number(query["t"] ?? placeOf(store.id) ?? Number.NaN);
    if (!Number.isFinite(from)) return;
    player.seek(from);
    list.current?.show(current.value);
  }, [player]);
  return current;
}
