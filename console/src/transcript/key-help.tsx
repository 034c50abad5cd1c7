// All keys of the transcript page in a dialog.
import { useEffect, useRef } from "preact/hooks";
import { KEYS, TYPING_KEYS } from "./keys.ts";

export function KeyHelp({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <h2 id="key-help-title">Keys</h2>
      <dl>
        {[...KEYS, ...TYPING_KEYS].map(({ does, shown }) => (
          <div key={shown.join()}>
            <dt>{does}</dt>
            <dd>
              {shown.map((keys) => (
                <kbd key={keys}>{keys}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">Keys with Alt or Ctrl also work while you type. On a Mac, use ⌘ and ⌥ instead of Ctrl and Alt.</p>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
