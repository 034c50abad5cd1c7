// Steps through the words of which the recogniser was not sure, plays each with what is around it, and accepts it.
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { UtteranceChange } from "../../../src/contract/transcript/correction.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import { stepTo, type UnsureWord, unsureWords } from "./doubt.ts";
import type { Player } from "./player.ts";
import { targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

/** Before and after the word. */
const AROUND_SECONDS = 1;

export interface Unsure {
  words: ReadonlySignal<UnsureWord[]>;
  word: ReadonlySignal<UnsureWord | undefined>;
  position: ReadonlySignal<number | undefined>;
  /** Of the recognised transcript. */
  total: ReadonlySignal<number>;
  step(direction: 1 | -1): void;
  /** Shows the first word that starts after a time, in seconds. @returns false if there is none */
  stepAfter(time: number): boolean;
  /** Marks the chosen word as checked and steps to the next one. */
  accept(): void;
  /** Replaces the words of the chosen one, marks them as checked and steps to the next one. */
  replace(word: UnsureWord, text: string): void;
}

export function useUnsure(store: TranscriptStore, player: Player, show: (word: UnsureWord) => void): Unsure {
  const words = useComputed(() => unsureWords(store.reading.value?.utterances ?? []));
  const total = useComputed(() => unsureWords(store.recognised.value?.utterances ?? []).length);
  // Its start: corrections change the positions of words.
  const chosen = useSignal<number | undefined>(undefined);
  const position = useComputed(() => {
    const found = words.value.findIndex(({ start }) => start === chosen.value);
    return found === -1 ? undefined : found;
  });
  const word = useComputed(() => (position.value === undefined ? undefined : words.value[position.value]));
  const visit = (next: UnsureWord | undefined): boolean => {
    if (!next) return false;
    chosen.value = next.start;
    show(next);
    player.playStretch(next.start - AROUND_SECONDS, next.end + AROUND_SECONDS);
    return true;
  };
  const step = (direction: 1 | -1) => {
    const time = chosen.peek() ?? player.time.peek();
    visit(words.value[stepTo(words.value, direction, time, position.value) ?? -1]);
  };
  const stepAfter = (time: number) => visit(words.value.find(({ start }) => start > time));
  const settle = ({ at, start }: UnsureWord, change: Pick<UtteranceChange, "text" | "checked">) => {
    const reading = store.reading.peek();
    const own = reading?.utterances[at]?.words.findIndex((one) => one.start === start) ?? -1;
    if (!reading || own < 0) return;
    store
      .correct({ utterances: [{ ...targetOf(reading, at, own, own), ...change }] })
      .catch((error: unknown) => notice(errorMessage(error), "bad"));
    if (words.value.length > 0) step(1);
    else notice(t.unsure.allChecked);
  };
  const accept = () => {
    const { value: checked } = word;
    if (checked) settle(checked, { checked: true });
  };
  const replace = (replaced: UnsureWord, text: string) =>
    settle(replaced, text === "" ? { text } : { text, checked: true });
  return { words, word, position, total, step, stepAfter, accept, replace };
}

export function UnsureBar({ unsure }: { unsure: Unsure }) {
  const { value: total } = unsure.total;
  if (total === 0) return null;
  const left = unsure.words.value.length;
  const checked = Math.max(0, total - left);
  return (
    <fieldset class="bare row unsure-bar">
      <legend class="unseen">{t.unsure.words}</legend>
      <progress value={checked} max={total} aria-label={t.unsure.checkedWords} />
      <output class="hint">{t.unsure.checked(checked, total)}</output>
      <button
        type="button"
        aria-label={t.unsure.previous}
        title={t.unsure.previousKey}
        disabled={left === 0}
        onClick={() => unsure.step(-1)}
      >
        ‹
      </button>
      <button
        type="button"
        aria-label={t.unsure.next}
        title={t.unsure.nextKey}
        disabled={left === 0}
        onClick={() => unsure.step(1)}
      >
        ›
      </button>
      <button
        type="button"
        class="accept"
        title={t.unsure.right}
        disabled={unsure.word.value === undefined}
        onClick={unsure.accept}
      >
        {t.unsure.accept}
      </button>
    </fieldset>
  );
}
