// Panel of the corrections: what each changed, who made it and when, and its undoing.
import { useComputed, useSignal } from "@preact/signals";
import { errorMessage } from "../api.ts";
import { SignalCheck } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { clock, moment } from "../time.ts";
import { authorOf } from "./author.ts";
import { type ChangeLine, changeLines } from "./change-lines.ts";
import type { PanelProps } from "./panel-props.ts";

const SHOWN_AT_ONCE = 30;

function Line({ line, onSeek }: { line: ChangeLine; onSeek(seconds: number): void }) {
  const { what, before, after, start } = line;
  return (
    <p class="change">
      {start === undefined ? null : (
        <button type="button" class="stamp" aria-label={`Play from ${clock(start)}`} onClick={() => onSeek(start)}>
          {clock(start)}
        </button>
      )}
      <span class="hint">{what}:</span>{" "}
      {before === undefined ? null : (
        <>
          <del dir="auto">{before || "(nothing)"}</del> <span aria-hidden="true">→</span>{" "}
        </>
      )}
      <ins dir="auto">{after || "(deleted)"}</ins>
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
      <SignalCheck signal={store.showsCorrected}>Show the transcript with corrections</SignalCheck>
      <ol class="plain">
        {changes.value.map(({ correction, lines, more }) => (
          <li key={correction.id} class={correction.undone_at ? "undone" : ""}>
            {lines.map((line, at) => (
              <Line key={at} line={line} onSeek={onSeek} />
            ))}
            {more > 0 ? <p class="hint">and {more} more</p> : null}
            <div class="row between">
              <small>
                {authorOf(correction.made_by)}, {moment(correction.created_at)}
                {correction.undone_at ? `; undone by ${authorOf(correction.undone_by)}` : ""}
              </small>
              {correction.undone_at ? null : (
                <button type="button" class="quiet" onClick={() => undo(correction.id)}>
                  Undo
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
          Show earlier corrections
        </button>
      ) : null}
    </>
  );
}
