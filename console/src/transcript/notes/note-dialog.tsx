// Writes a note on words, or changes one.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MOST_NOTE_CHARACTERS } from "../../../../src/contract/bounds.ts";
import { NOTE_COLOURS } from "../../../../src/contract/note-colours.ts";
import { errorMessage } from "../../api.ts";
import { t } from "../../language/language.ts";
import { Problem } from "../../parts/dialog-parts.tsx";
import type { NoteContent } from "../note-store.ts";

interface NoteDialogProps {
  title: string;
  quote: string;
  content: NoteContent;
  /** @throws ApiError */
  onSave(content: NoteContent): Promise<void>;
  onClose(): void;
}

export function NoteDialog({ title, quote, content, onSave, onClose }: NoteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal(content.text);
  const colour = useSignal(content.colour);
  const problem = useSignal("");
  useEffect(() => dialog.current?.showModal(), []);
  const save = async () => {
    try {
      await onSave({ text: text.value.trim(), colour: colour.value });
      dialog.current?.close();
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  return (
    <dialog ref={dialog} class="speaker-dialog note-dialog" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      <p class="hint" dir="auto">
        {t.notes.onWords(quote)}
      </p>
      <Problem text={problem.value} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label for="note-text">{t.notes.text}</label>
        <textarea
          id="note-text"
          rows={4}
          dir="auto"
          maxLength={MOST_NOTE_CHARACTERS}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <fieldset class="bare row wrap">
          <legend class="unseen">{t.notes.colour}</legend>
          {NOTE_COLOURS.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="note-colour"
                checked={colour.value === one}
                onChange={() => {
                  colour.value = one;
                }}
              />
              <span class={`note-sample noted-${one}`}>{t.notes.colours[one]}</span>
            </label>
          ))}
        </fieldset>
        <div class="row">
          <button type="submit" class="primary">
            {t.notes.save}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t.frame.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
