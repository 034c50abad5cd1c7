// Buttons of the bar of selected words: highlight them, or write a note on them.
import { attempt } from "../../attempt.ts";
import { t } from "../../language/language.ts";
import { NEW_NOTE } from "../note-drafts.ts";
import type { NotedWords } from "../note-store.ts";
import type { WordRange } from "../selection.ts";
import type { TranscriptStore } from "../store.ts";

interface Selected {
  words: NotedWords[];
  quote: string;
}

const middleOf = ({ start, end }: { start: number; end: number }) => (start + end) / 2;

/** The selected words of each channel. */
function notedWords({ reading }: TranscriptStore, ranges: readonly WordRange[]): Selected {
  const byChannel = new Map<number, NotedWords>();
  const quotes: string[] = [];
  for (const { at, first, last } of ranges) {
    const utterance = reading.peek()?.utterances[at];
    const words = utterance?.words.slice(first, last + 1) ?? [];
    const [one, other] = [words[0], words.at(-1)];
    if (!utterance || !one || !other) continue;
    const { channel } = utterance;
    const [start, end] = [middleOf(one), middleOf(other)];
    const known = byChannel.get(channel) ?? { channel, start, end };
    byChannel.set(channel, { channel, start: Math.min(known.start, start), end: Math.max(known.end, end) });
    quotes.push(
      words
        .map(({ word }) => word)
        .join("")
        .trim(),
    );
  }
  return { words: [...byChannel.values()], quote: quotes.join(" ") };
}

export interface NoteActions {
  highlight(ranges: readonly WordRange[]): Promise<void>;
  write(ranges: readonly WordRange[]): void;
}

export const noteActions = (store: TranscriptStore): NoteActions => ({
  highlight: (ranges) =>
    attempt(async () => {
      for (const words of notedWords(store, ranges).words) await store.notes.add(words, NEW_NOTE);
    }, t.notes.highlighted),
  write: (ranges) => {
    const { words, quote } = notedWords(store, ranges);
    store.noteDrafts.write(words, quote);
  },
});

export function NoteButtons({ onHighlight, onNote }: { onHighlight(): void; onNote(): void }) {
  return (
    <>
      <button type="button" onClick={onHighlight}>
        {t.notes.highlight}
      </button>
      <button type="button" onClick={onNote}>
        {t.notes.note}
      </button>
    </>
  );
}
