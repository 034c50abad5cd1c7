// Panel of the highlights and notes of a transcript.
import { useSignal } from "@preact/signals";
import { attempt } from "../../attempt.ts";
import { t } from "../../language/language.ts";
import { authorOf } from "../author.ts";
import type { Note } from "../note-store.ts";
import type { PanelProps } from "../panel-props.ts";
import { Stamp } from "../stamp.tsx";
import { NoteDialog } from "./note-dialog.tsx";

export function NotesPanel({ store, onSeek }: PanelProps) {
  const changed = useSignal<Note | undefined>(undefined);
  return (
    <>
      <ul class="plain notes">
        {store.notes.items.value.map((note) => {
          const { id, start, quote, text, colour, made_by } = note;
          return (
            <li key={id}>
              <p>
                <Stamp start={start} onSeek={onSeek} isNamed />{" "}
                <q class={`noted-${colour}`} dir="auto">
                  {quote}
                </q>
              </p>
              {text === "" ? null : (
                <p class="note-text" dir="auto">
                  {text}
                </p>
              )}
              <div class="row between">
                <small>{authorOf(made_by)}</small>
                <span class="row">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t.notes.changeFor(quote)}
                    onClick={() => {
                      changed.value = note;
                    }}
                  >
                    {t.notes.change}
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t.notes.removeFor(quote)}
                    onClick={() =>
                      attempt(() =>
                        store.notes.remove(note).catch(async (error: unknown) => {
                          await store.refresh();
                          throw error;
                        }),
                      )
                    }
                  >
                    {t.notes.remove}
                  </button>
                </span>
              </div>
            </li>
          );
        })}
      </ul>
      {changed.value ? (
        <NoteDialog
          title={t.notes.changeNote}
          quote={changed.value.quote}
          content={changed.value}
          onSave={async (content) => {
            if (changed.value) await store.notes.change(changed.value, content);
          }}
          onClose={() => {
            changed.value = undefined;
            void store.refresh();
          }}
        />
      ) : null}
    </>
  );
}
