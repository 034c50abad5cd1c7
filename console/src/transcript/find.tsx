// Finds phrases in the transcript and replaces them.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { Check } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { useTyped } from "../typed-text.ts";
import type { Editing } from "./editing.ts";
import { type Hit, hitsOf, phrasePattern, replaced, wordsPattern } from "./find-text.ts";
import { targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

export interface Find {
  /** Id of the recording. */
  job: string;
  text: Signal<string>;
  isWholeWords: Signal<boolean>;
  hits: ReadonlySignal<Hit[]>;
  /** Position of the shown hit; -1 before the first. */
  position: Signal<number>;
  step(direction: 1 | -1): void;
  /** Whether the hits are the phrase itself, not single words of a search. */
  isPhrase: ReadonlySignal<boolean>;
  /** @returns whether something was replaced */
  replace(which: "one" | "all", replacement: string): Promise<boolean>;
}

/** Until the list is rendered. */
const FIRST_HIT_MILLISECONDS = 100;
/** Utterances of one correction. */
const MOST_AT_ONCE = 1_000;

export const FIND_FIELD = "find-in-transcript";

interface FindOptions {
  store: TranscriptStore;
  editing: Editing;
  /** Of the list of recordings. */
  first: string;
  /** Scrolls an utterance into view. */
  show(at: number): void;
}

export function useFind({ store, editing, first, show }: FindOptions): Find {
  const text = useSignal(first);
  const isWholeWords = useSignal(false);
  const position = useSignal(-1);
  const phrases = useComputed(() =>
    hitsOf(store.reading.value?.utterances ?? [], phrasePattern(text.value, isWholeWords.value)),
  );
  const isPhrase = useComputed(() => phrases.value.length > 0);
  const hits = useComputed(() => {
    // The search of the list finds words, wherever they are.
    const findsWords = !isPhrase.value && text.value === first;
    return findsWords ? hitsOf(store.reading.value?.utterances ?? [], wordsPattern(first)) : phrases.value;
  });
  const step = (direction: 1 | -1) => {
    const count = hits.value.length;
    if (count === 0) return;
    position.value =
      position.value === -1 && direction === -1 ? count - 1 : (position.value + direction + count) % count;
    show(hits.value[position.value]?.at ?? 0);
  };
  useEffect(() => {
    if (text.value) setTimeout(() => step(1), FIRST_HIT_MILLISECONDS);
  }, []);
  const replace = async (which: "one" | "all", replacement: string) => {
    if (which === "one" && position.value === -1) {
      step(1);
      return false;
    }
    // What is typed in an open utterance is saved first.
    await editing.leave();
    if (!isPhrase.peek()) return false;
    if (!store.showsCorrected.peek()) {
      // The places are those of the recognised text: corrections would be lost.
      store.showsCorrected.value = true;
      position.value = -1;
      notice(t.find.correctionsShown);
      return false;
    }
    const reading = store.reading.peek();
    const chosen = which === "all" ? hits.value : hits.value.slice(position.value, position.value + 1);
    if (!reading || chosen.length === 0) return false;
    const utterances = replaced(reading.utterances, chosen, replacement).map(({ at, text: changed }) => ({
      ...targetOf(reading, at),
      text: changed,
    }));
    try {
      for (let at = 0; at < utterances.length; at += MOST_AT_ONCE) {
        await store.correct({ utterances: utterances.slice(at, at + MOST_AT_ONCE) }, reading);
      }
      notice(t.find.replaced(chosen.length));
      // The next hit has the position of the replaced one.
      position.value = Math.min(position.value, hits.value.length) - 1;
      if (which === "one") step(1);
      return true;
    } catch (error) {
      notice(errorMessage(error), "bad");
      return false;
    }
  };
  return { job: store.id, text, isWholeWords, hits, isPhrase, position, step, replace };
}

function placeText({ hits, position }: Find): string {
  const { length } = hits.value;
  if (length === 0) return t.find.notFound;
  return position.value === -1 ? t.find.found(length) : t.find.place(position.value + 1, length);
}

export function FindForm({ find }: { find: Find }) {
  const { text, hits, position, isWholeWords } = find;
  const replacement = useTyped({ field: "replacement", job: find.job });
  const replaceAll = async () => {
    if (await find.replace("all", replacement.value)) replacement.value = "";
  };
  const restart = () => {
    position.value = -1;
  };
  const isEmpty = hits.value.length === 0;
  const isReplaceable = find.isPhrase.value;
  return (
    <search class="find">
      <form
        class="row wrap"
        onSubmit={(event) => {
          event.preventDefault();
          find.step(1);
        }}
      >
        <input
          id={FIND_FIELD}
          type="search"
          dir="auto"
          aria-label={t.find.find}
          placeholder={t.find.find}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            restart();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !event.shiftKey || event.isComposing) return;
            event.preventDefault();
            find.step(-1);
          }}
        />
        {text.value ? (
          <>
            <output class="hint find-place">{placeText(find)}</output>
            <button type="button" disabled={isEmpty} onClick={() => find.step(-1)}>
              {t.find.previous}
            </button>
            <button type="submit" disabled={isEmpty}>
              {t.find.next}
            </button>
            <Check
              isOn={isWholeWords.value}
              onChange={(isOn) => {
                isWholeWords.value = isOn;
                restart();
              }}
            >
              {t.find.wholeWords}
            </Check>
            <input
              type="text"
              dir="auto"
              aria-label={t.find.replaceWith}
              placeholder={t.find.replaceWith}
              value={replacement.value}
              onInput={({ currentTarget }) => {
                replacement.value = currentTarget.value;
              }}
            />
            <button type="button" disabled={!isReplaceable} onClick={() => void find.replace("one", replacement.value)}>
              {t.find.replace}
            </button>
            <button type="button" disabled={!isReplaceable} onClick={() => void replaceAll()}>
              {t.find.replaceAll}
            </button>
          </>
        ) : null}
      </form>
    </search>
  );
}
