// Stores a written note. If another person has changed or deleted the note, the first attempt stores nothing.
import { type SaveOutcome, saveVersion } from "../../save-version.ts";
import type { NoteDraft, NoteDrafts } from "../note-drafts.ts";
import type { Note, NoteStore } from "../note-store.ts";

export type NoteOutcome = SaveOutcome<Note>;

async function saveNew(notes: Pick<NoteStore, "add">, drafts: Pick<NoteDrafts, "put">, draft: NoteDraft) {
  for (const [at, words] of draft.words.entries()) {
    await notes.add(words, contentOf(draft));
    // A second attempt, after a failure, adds the rest.
    drafts.put({ ...draft, words: draft.words.slice(at + 1) });
  }
}

const contentOf = ({ content: { text, colour } }: NoteDraft) => ({ text: text.trim(), colour });

/** If nothing is stored, the draft then changes the present version: the next attempt replaces it, or creates the note again. @throws ApiError */
export async function saveNote(
  notes: Pick<NoteStore, "add" | "change" | "load" | "items">,
  drafts: Pick<NoteDrafts, "put">,
  draft: NoteDraft,
): Promise<NoteOutcome> {
  const { note } = draft;
  if (!note) {
    await saveNew(notes, drafts, draft);
    return "saved";
  }
  const { id, channel, start, end } = note;
  const noteNow = async () => {
    await notes.load();
    return notes.items.peek().find((one) => one.id === id);
  };
  const outcome = await saveVersion(note, () => notes.change(note, contentOf(draft)), noteNow);
  if (outcome === "deleted") drafts.put({ ...draft, note: undefined, words: [{ channel, start, end }] });
  else if (outcome !== "saved") drafts.put({ ...draft, note: outcome });
  return outcome;
}
