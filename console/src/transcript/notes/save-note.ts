// Stores a written note. A note that somebody else changed or deleted meanwhile is not replaced at the first attempt.
import { ApiError } from "../../api.ts";
import type { NoteDraft, NoteDrafts } from "../note-drafts.ts";
import type { Note, NoteStore } from "../note-store.ts";

const NOT_FOUND = 404;
const CONFLICT = 409;

/** `saved`, or what somebody else did to the note: changed it, or deleted it. */
export type NoteOutcome = "saved" | "deleted" | Note;

async function saveNew(notes: Pick<NoteStore, "add">, drafts: Pick<NoteDrafts, "put">, draft: NoteDraft) {
  for (const [at, words] of draft.words.entries()) {
    await notes.add(words, contentOf(draft));
    // A second attempt, after a failure, adds the rest.
    drafts.put({ ...draft, words: draft.words.slice(at + 1) });
  }
}

const contentOf = ({ content: { text, colour } }: NoteDraft) => ({ text: text.trim(), colour });

/** After a refusal, the draft is one of the note as it is now, so that the next attempt replaces it or makes it again. @throws ApiError */
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
  try {
    await notes.change(note, contentOf(draft));
    return "saved";
  } catch (error) {
    if (!(error instanceof ApiError && [NOT_FOUND, CONFLICT].includes(error.status))) throw error;
    await notes.load();
    const now = notes.items.peek().find(({ id }) => id === note.id);
    if (now?.version === note.version) throw error;
    const { channel, start, end } = note;
    drafts.put(now ? { ...draft, note: now } : { ...draft, note: undefined, words: [{ channel, start, end }] });
    return now ?? "deleted";
  }
}
