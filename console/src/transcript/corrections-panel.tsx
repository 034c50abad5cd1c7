// Panel of all corrections: who made them, and their undoing.
import { listed } from "../../../src/contract/first-of.ts";
import { errorMessage } from "../api.ts";
import { Check } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { clock, moment } from "../time.ts";
import type { PanelProps } from "./panel-props.ts";
import type { Correction } from "./store.ts";

const INDEXES_SHOWN = 8;

/** "1, 2, 5", of utterances counted from 1. */
function numbersOf(utterances: readonly { index: number }[]): string {
  const numbers = [...new Set(utterances.map(({ index }) => index + 1))];
  return listed(numbers.map(String), INDEXES_SHOWN);
}

function textOf({ merges = [], splits = [], utterances = [], speakers = [] }: Correction): string {
  const texts = utterances.filter(({ text }) => text !== undefined);
  const moved = utterances.filter(({ speaker }) => speaker !== undefined);
  const to = [...new Set(moved.map(({ speaker }) => speaker))].join(", ");
  return [
    ...merges.map(({ speaker, into }) => `speaker ${speaker} merged into ${into}`),
    ...splits.map(({ speaker, start, into }) => `speaker ${speaker} is ${into} from ${clock(start)}`),
    texts.length > 0 ? `words of utterance ${numbersOf(texts)}` : "",
    moved.length > 0 ? `utterance ${numbersOf(moved)} said by speaker ${to}` : "",
    ...speakers.map(({ speaker, name }) => `speaker ${speaker} is ${name || "unnamed"}`),
  ]
    .filter((part) => part !== "")
    .join("; ");
}

export function Corrections({ store }: PanelProps) {
  const undo = (id: string) => store.undo(id).catch((error: unknown) => notice(errorMessage(error), "bad"));
  return (
    <>
      <Check
        isOn={store.showsCorrected.value}
        onChange={(isOn) => {
          store.showsCorrected.value = isOn;
        }}
      >
        Show the transcript with corrections
      </Check>
      <ol class="plain">
        {store.corrections.value.toReversed().map((correction) => (
          <li key={correction.id} class={correction.undone_at ? "undone" : ""}>
            <span>{textOf(correction)}</span>
            <small>
              {correction.made_by}, {moment(correction.created_at)}
              {correction.undone_at ? `; undone by ${correction.undone_by}` : ""}
            </small>
            {correction.undone_at ? null : (
              <button type="button" class="quiet" onClick={() => undo(correction.id)}>
                Undo
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
