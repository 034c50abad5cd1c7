// All keys of the transcript page in a dialog.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import { KEYS, TYPING_KEYS } from "./keys.ts";

/** A character is on the key of every language. */
function keyName(key: string): string {
  const names: Record<string, string> = t.keyNames;
  return names[key] ?? key;
}

export function KeyHelp({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <h2 id="key-help-title">{t.keys.title}</h2>
      <dl>
        {[...KEYS, ...TYPING_KEYS].map(({ does, shown }) => (
          <div key={`${does}${shown.join()}`}>
            <dt>{t.keys[does]}</dt>
            <dd>
              {shown.map((keys) => (
                <kbd key={keys.join()}>
                  <bdi>{keys.map(keyName).join(" + ")}</bdi>
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t.keys.hint}</p>
      <form method="dialog">
        <button type="submit" class="primary">
          {t.frame.close}
        </button>
      </form>
    </dialog>
  );
}
