// Panel of the corrections: what each changed, who made it and when, and its undoing.
import { useComputed, useSignal } from "@preact/signals";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { SignalCheck } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { moment } from "../time.ts";
import { authorOf } from "./author.ts";
import { type ChangeLine, changeLines } from "./change-lines.ts";
import type { PanelProps } from "./panel-props.ts";
import { Stamp } from "./stamp.tsx";
import type { Correction } from "./store.ts";

const SHOWN_AT_ONCE = 30;
function madeText({ made_by, created_at, undone_at, undone_by }: Correction): string {
  const [author, made] = [authorOf(made_by), moment(created_at)];
  return undone_at ? t.corrections.undoneBy(author, made, authorOf(undone_by)) : t.corrections.madeBy(author, made);
}

function Line({ line, onSeek }: { line: ChangeLine; onSeek(seconds: number): void }) {
  const { what, before, after, start } = line;
  return (
    <p class="change">
      {start === undefined ? null : <Stamp start={start} onSeek={onSeek} isNamed />}
      <span class="hint">{t.corrections.what(what)}</span>{" "}
      {before === undefined ? null : (
        <>
          <del dir="auto">{before || t.saving.nothing}</del>{" "}
          <span class="pointing" aria-hidden="true">
            →
          </span>{" "}
        </>
      )}
      <ins dir="auto">{after || t.saving.deleted}</ins>
    </p>
  );
}

export function Corrections({ store, onSeek }: PanelProps) {
  const count = useSignal(SHOWN_AT_ONCE);
  const changes = useComputed(() =>
    store.recognised.value ? changeLines(store.recognised.value, store.corrections.value, count.value) : [],
  );
  const undo = (id: string) => store.undo(id).catch((error: unknown) => notice(errorMessage(error), "bad"));
  return (
    <>
      <SignalCheck signal={store.showsCorrected}>{t.corrections.show}</SignalCheck>
      <ol class="plain">
        {changes.value.map(({ correction, lines, more }) => (
          <li key={correction.id} class={correction.undone_at ? "undone" : ""}>
            {lines.map((line, at) => (
              <Line key={at} line={line} onSeek={onSeek} />
            ))}
            {more > 0 ? <p class="hint">{t.corrections.andMore(more)}</p> : null}
            <div class="row between">
              <small>{madeText(correction)}</small>
              {correction.undone_at ? null : (
                <button type="button" class="quiet" onClick={() => undo(correction.id)}>
                  {t.saving.undo}
                </button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {store.corrections.value.length > count.value ? (
        <button
          type="button"
          onClick={() => {
            count.value += SHOWN_AT_ONCE;
          }}
        >
          {t.corrections.earlier}
        </button>
      ) : null}
    </>
  );
}
