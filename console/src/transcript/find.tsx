// Finds words in the transcript.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TranscriptStore } from "./store.ts";

export interface Find {
  text: Signal<string>;
  pattern: ReadonlySignal<RegExp | undefined>;
  hits: ReadonlySignal<number[]>;
  restart(): void;
  next(): void;
}

/** Until the list is rendered. */
const FIRST_HIT_MILLISECONDS = 100;

/** @param show  scrolls an utterance into view */
export function useFind(store: TranscriptStore, first: string, show: (index: number) => void): Find {
  const text = useSignal(first);
  const hit = useSignal(-1);
  const pattern = useComputed(() => {
    const words = text.value.match(/[\p{L}\p{N}]+/gu);
    return words ? new RegExp(words.join("|"), "iu") : undefined;
  });
  const hits = useComputed(() => {
    const { value: searchPattern } = pattern;
    if (!searchPattern) return [];
    return (store.reading.value?.utterances ?? []).flatMap((utterance, index) =>
      searchPattern.test(utterance.text) ? [index] : [],
    );
  });
  const next = () => {
    const { value: found } = hits;
    if (found.length === 0) return;
    hit.value = (hit.value + 1) % found.length;
    show(found[hit.value] ?? 0);
  };
  useEffect(() => {
    if (text.value) setTimeout(next, FIRST_HIT_MILLISECONDS);
  }, []);
  const restart = () => {
    hit.value = -1;
  };
  return { text, pattern, hits, restart, next };
}

export function FindForm({ find }: { find: Find }) {
  const { text, hits } = find;
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          find.next();
        }}
      >
        <input
          type="search"
          aria-label="Find in the transcript"
          placeholder="Find in the transcript"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            find.restart();
          }}
        />
        {text.value ? (
          <button type="submit">{hits.value.length === 0 ? "Not found" : `Next of ${hits.value.length}`}</button>
        ) : null}
      </form>
    </search>
  );
}
