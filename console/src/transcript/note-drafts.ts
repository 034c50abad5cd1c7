// The note that is written, and notes that were left before they were saved. Their text is kept in this browser.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { dropKept, keep, namesOfKept, readKept } from "../kept.ts";
import { whenStoredElsewhere } from "../memory.ts";
import type { Note, NoteContent, NotedWords } from "./note-store.ts";

export interface NoteDraft {
  /** Under which it is kept. */
  name: string;
  /** The note that is changed, as it was read; undefined for a new one. */
  note?: Note | undefined;
  /** Of a new note: words of each channel that do not have it yet. */
  words: readonly NotedWords[];
  quote: string;
  content: NoteContent;
}

export const NEW_NOTE: NoteContent = { colour: "yellow", text: "" };

const beginningOf = (account: string, job: string) => `note/${account}/${job}/`;
const isOf = (job: string, account: string | undefined) => (name: string) => {
  const [, owner, recording] = name.split("/");
  return recording === job && (account === undefined || owner === account);
};
const namesFor = (job: string, account: string | undefined) => namesOfKept("note/").filter(isOf(job, account));

export const hasNoteDrafts = (job: string, account: string): boolean => namesFor(job, account).length > 0;

/** For a deleted job. @param account  whose drafts are dropped; absent: those of every account */
export function dropNoteDrafts(job: string, account?: string): void {
  for (const name of namesFor(job, account)) dropKept(name);
}

const isUnchanged = ({ note, content }: NoteDraft) => {
  const { text, colour } = note ?? NEW_NOTE;
  return content.text.trim() === text.trim() && content.colour === colour;
};

export interface NoteDrafts {
  /** The one in the dialog. */
  opened: ReadonlySignal<NoteDraft | undefined>;
  /** Those that no dialog shows. */
  left: ReadonlySignal<readonly NoteDraft[]>;
  /** Opens the dialog, with the text that was left for the same note or words. */
  write(words: readonly NotedWords[], quote: string): void;
  change(note: Note): void;
  open(draft: NoteDraft): void;
  put(draft: NoteDraft): void;
  /** Closes the dialog. Its text stays. */
  close(): void;
  drop(draft: NoteDraft): void;
  /** Follows what other windows of this browser keep and drop. @returns stops that */
  watch(): () => void;
}

/** @param account  name of the account whose transcript it is */
export function noteDrafts(job: string, account = ""): NoteDrafts {
  const beginning = beginningOf(account, job);
  const read = () => namesOfKept(beginning).flatMap((name) => readKept<NoteDraft>(name) ?? []);
  const opened = signal<NoteDraft | undefined>(undefined);
  const kept = signal<readonly NoteDraft[]>(read());
  const open = (draft: NoteDraft) => {
    opened.value = readKept<NoteDraft>(draft.name) ?? draft;
  };
  return {
    opened,
    left: computed(() => kept.value.filter(({ name }) => name !== opened.value?.name)),
    open,
    write(words, quote) {
      const places = words.map(({ channel, start, end }) => [channel, start, end].join("-"));
      open({ name: `${beginning}${places.join("_")}`, words, quote, content: NEW_NOTE });
    },
    change(note) {
      const { colour, text, quote } = note;
      open({ name: `${beginning}${note.id}`, note, words: [], quote, content: { colour, text } });
    },
    put(draft) {
      if (isUnchanged(draft)) dropKept(draft.name);
      else keep(draft.name, draft);
      opened.value = draft;
    },
    close() {
      opened.value = undefined;
      kept.value = read();
    },
    drop({ name }) {
      dropKept(name);
      kept.value = read();
    },
    watch: () =>
      whenStoredElsewhere(beginning, () => {
        kept.value = read();
      }),
  };
}
