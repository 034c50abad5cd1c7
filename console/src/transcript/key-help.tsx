// All keys of the transcript page in a dialog, in which a person can choose others.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import { Problem } from "../parts/dialog-parts.tsx";
import { type KeyActions, TYPING_KEYS } from "./keys.ts";
import { choiceOf, isChangeable, keysNow, ownKeys, resetOwnKeys, storeOwnKeys } from "./own-keys.ts";

/** A character is on the key of every language. */
function keyName(key: string): string {
  const names: Record<string, string> = t.keyNames;
  return names[key] ?? key;
}

function Keys({ shown }: { shown: readonly (readonly string[])[] }) {
  return (
    <>
      {shown.map((keys) => (
        <kbd key={keys.join()}>
          <bdi>{keys.map(keyName).join(" + ")}</bdi>
        </kbd>
      ))}
    </>
  );
}

interface ChangeKeyProps {
  action: keyof KeyActions;
  onProblem(text: string): void;
}

/** Takes the next key that is pressed on it. */
function ChangeKey({ action, onProblem }: ChangeKeyProps) {
  const isTaking = useSignal(false);
  const hasTaken = useRef(false);
  const take = (event: KeyboardEvent) => {
    hasTaken.current = isTaking.value;
    if (!isTaking.value) return;
    // Neither the browser nor the dialog nor the page has this key.
    event.preventDefault();
    event.stopPropagation();
    const choice = choiceOf(event, action, ownKeys.value);
    if (choice.kind === "incomplete") return;
    if (choice.kind === "taken") return onProblem(t.keys.taken(t.keys[choice.by]));
    if (choice.kind === "browser") return onProblem(t.keys.ofBrowser);
    isTaking.value = false;
    onProblem("");
    if (choice.kind === "chosen") storeOwnKeys(choice.own);
  };
  const name = t.keys.change(t.keys[action]);
  return (
    <button
      type="button"
      class="quiet rename"
      aria-label={isTaking.value ? `${name}: ${t.keys.press}` : name}
      title={name}
      onKeyDown={take}
      onKeyUp={(event) => {
        // In Firefox, Space would press the button again.
        if (hasTaken.current) event.preventDefault();
      }}
      onBlur={() => {
        if (isTaking.value) onProblem("");
        isTaking.value = false;
      }}
      onClick={() => {
        onProblem("");
        isTaking.value = true;
      }}
    >
      {isTaking.value ? t.keys.press : "✎"}
    </button>
  );
}

export function KeyHelp({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const problem = useSignal("");
  useEffect(() => dialog.current?.showModal(), []);
  const rules = keysNow.value;
  return (
    <dialog ref={dialog} class="key-help" aria-labelledby="key-help-title" onClose={onClose}>
      <h2 id="key-help-title">{t.keys.title}</h2>
      <dl>
        {rules.map((rule, at) => (
          <div key={at}>
            <dt>{t.keys[rule.does]}</dt>
            <dd>
              <Keys shown={rule.shown} />
              {isChangeable(rule) ? (
                <ChangeKey
                  action={rule.action}
                  onProblem={(text) => {
                    problem.value = text;
                  }}
                />
              ) : null}
            </dd>
          </div>
        ))}
        {TYPING_KEYS.map(({ does, shown }) => (
          <div key={does}>
            <dt>{t.keys[does]}</dt>
            <dd>
              <Keys shown={shown} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t.keys.hint}</p>
      <p class="hint">{t.keys.own}</p>
      <div class="key-help-end">
        <Problem text={problem.value} />
        <form method="dialog" class="row between">
          <button type="submit" class="primary">
            {t.frame.close}
          </button>
          <button type="button" class="quiet" disabled={!rules.some(({ isOwn }) => isOwn)} onClick={resetOwnKeys}>
            {t.keys.standard}
          </button>
        </form>
      </div>
    </dialog>
  );
}
