// Parts of a dialog.
import type { ComponentChildren, RefObject } from "preact";
import { t } from "../language/language.ts";

/** A heading, and the button that closes the dialog. */
export function DialogHead({ of, children }: { of: RefObject<HTMLDialogElement | null>; children: ComponentChildren }) {
  return (
    <div class="row between">
      <h2 dir="auto">{children}</h2>
      <button type="button" class="quiet" onClick={() => of.current?.close()}>
        {t.frame.close}
      </button>
    </div>
  );
}

/** Why an action failed; nothing for an empty text. */
export function Problem({ text }: { text: string }) {
  return text === "" ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
