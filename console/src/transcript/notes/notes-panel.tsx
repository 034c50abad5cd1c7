// Panel of the highlights and notes of a transcript.
import { attempt } from "../../attempt.ts";
import { t } from "../../language/language.ts";
import { authorOf } from "../author.ts";
import type { PanelProps } from "../panel-props.ts";
import { Stamp } from "../stamp.tsx";

export function NotesPanel({ store, onSeek }: PanelProps) {
  return (
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
                  onClick={() => store.noteDrafts.change(note)}
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
  );
}
