import { t } from "../language/language.ts";
import type { TypedValues } from "./typed-values.ts";

/** Sets the options of a dialog to those before a person chose any. */
export function ResetButton({ values }: { values: TypedValues }) {
  if (!values.isChanged) return null;
  return (
    <button type="button" class="quiet" onClick={() => values.reset()}>
      {t.transcribe.reset}
    </button>
  );
}
