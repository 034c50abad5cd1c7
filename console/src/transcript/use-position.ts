// The utterance at the playback position, which the document follows.

import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { lowestPlace } from "../../../src/contract/lowest-place.ts";
import { type Following, follows } from "./following.ts";
import { placeOf } from "./place.ts";
import type { Player } from "./player.ts";
import type { TranscriptStore } from "./store.ts";

interface PositionOptions {
  store: TranscriptStore;
  player: Player;
  /** Scrolls an utterance into view. */
  show(at: number): void;
  following: Following;
  isEditing: () => boolean;
}

/** @returns position of the shown utterance that is played */
export function usePosition(options: PositionOptions): ReadonlySignal<number> {
  const { store, player, show, following, isEditing } = options;
  const { query } = useLocation();
  const current = useComputed(() => {
    const utterances = store.reading.value?.utterances ?? [];
    const { value: time } = player.time;
    return Math.max(0, lowestPlace(utterances.length, (index) => (utterances[index]?.start ?? 0) > time) - 1);
  });
  useEffect(
    () =>
      current.subscribe((index) => {
        if (follows(following) && player.isPlaying.peek() && !isEditing()) show(index);
      }),
    [player],
  );
  // The address may contain a position: ?t=62 for 1:02. Otherwise, the playback continues where it stopped.
  useEffect(() => {
    const from = Number(query["t"] ?? placeOf(store.id) ?? Number.NaN);
    if (!Number.isFinite(from)) return;
    player.seek(from);
  }, [player]);
  return current;
}
