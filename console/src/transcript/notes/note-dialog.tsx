// Dialog for a new note on words, or for a change of one. The browser keeps the text until it is saved, or the person cancels.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MOST_NOTE_CHARACTERS } from "../../../../src/contract/bounds.ts";
import { NOTE_COLOURS } from "../../../../src/contract/note-colours.ts";
import { errorMessage } from "../../api.ts";
import { t } from "../../language/language.ts";
import { Problem } from "../../parts/dialog-parts.tsx";
import { notice } from "../../parts/notices.tsx";
import { useWork } from "../../parts/use-work.ts";
import type { NoteDraft } from "../note-drafts.ts";
import type { NoteContent } from "../note-store.ts";
import type { TranscriptStore } from "../store.ts";
import { type NoteOutcome, saveNote } from "./save-note.ts";

interface FieldsProps {
  content: NoteContent;
  onChange(content: Partial<NoteContent>): void;
}

function Fields({ content, onChange }: FieldsProps) {
  return (
    <>
      <label for="note-text">{t.notes.text}</label>
      <textarea
        id="note-text"
        rows={4}
        dir="auto"
        maxLength={MOST_NOTE_CHARACTERS}
        value={content.text}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <fieldset class="bare row wrap">
        <legend class="unseen">{t.notes.colour}</legend>
        {NOTE_COLOURS.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="note-colour"
              checked={content.colour === one}
              onChange={() => onChange({ colour: one })}
            />
            <span class={`note-sample noted-${one}`}>{t.notes.colours[one]}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

interface OtherVersionProps {
  outcome: NoteOutcome;
  onTake(content: NoteContent): void;
}

/** Shows the version of the note that another person has stored, or that the note was deleted. */
function OtherVersion({ outcome, onTake }: OtherVersionProps) {
  if (outcome === "saved") return null;
  if (outcome === "deleted") return <Problem text={t.notes.deletedMeanwhile} />;
  return (
    <div class="other-version">
      <Problem text={t.notes.changedMeanwhile} />
      <p class="note-text" dir="auto">
        <span class={`note-sample noted-${outcome.colour}`}>{t.notes.colours[outcome.colour]}</span> {outcome.text}
      </p>
      <button type="button" onClick={() => onTake(outcome)}>
        {t.saving.useTheirs}
      </button>
    </div>
  );
}

function OpenNote({ store, draft }: { store: TranscriptStore; draft: NoteDraft }) {
  const { notes, noteDrafts } = store;
  const dialog = useRef<HTMLDialogElement>(null);
  const problem = useSignal("");
  const outcome = useSignal<NoteOutcome>("saved");
  const { isRunning, run } = useWork();
  useEffect(() => dialog.current?.showModal(), []);
  const { note, quote, content } = draft;
  const title = note ? t.notes.changeNote : t.notes.newNote;
  const finish = () => {
    const { value: now } = noteDrafts.opened;
    if (now) noteDrafts.drop(now);
    dialog.current?.close();
  };
  const put = (change: Partial<NoteContent>) => noteDrafts.put({ ...draft, content: { ...content, ...change } });
  const save = async () => {
    problem.value = "";
    try {
      outcome.value = await saveNote(notes, noteDrafts, draft);
      if (outcome.value !== "saved") return;
      if (!note) notice(t.notes.saved);
      finish();
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="speaker-dialog note-dialog"
      aria-label={title}
      onClose={() => {
        noteDrafts.close();
        void store.refresh();
      }}
    >
      <h2>{title}</h2>
      <p class="hint" dir="auto">
        {t.notes.onWords(quote)}
      </p>
      <Problem text={problem.value} />
      <OtherVersion outcome={outcome.value} onTake={({ text, colour }) => put({ text, colour })} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <Fields content={content} onChange={put} />
        <div class="row">
          <button type="submit" class="primary" disabled={isRunning.value}>
            {t.notes.save}
          </button>
          <button type="button" onClick={finish}>
            {t.frame.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Outside of the panel of notes, which disappears with the last note. */
export function NoteDialog({ store }: { store: TranscriptStore }) {
  const { value: draft } = store.noteDrafts.opened;
  return draft ? <OpenNote key={draft.name} store={store} draft={draft} /> : null;
}
