import { t } from "../language/language.ts";
import type { Values } from "./schema.ts";
import type { TypedValues } from "./typed-values.ts";

/** Sets the options of a dialog to those before a person chose any. */
export function ResetButton({ values, first }: { values: TypedValues; first: Values }) {
  if (!values.isChanged) return null;
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        values.value = first;
      }}
    >
      {t.transcribe.reset}
    </button>
  );
}
