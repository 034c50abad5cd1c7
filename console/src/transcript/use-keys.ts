// Obeys the keys of the transcript page.
import { useEffect, useRef } from "preact/hooks";
import { actionOf, digitOf, type KeyActions } from "./keys.ts";
import { followOwnKeys, keysNow } from "./own-keys.ts";

/** A slider uses only the keys that move it: the page uses the others. */
const FIELDS = "input:not([type=checkbox], [type=range]), textarea, select";

function placeOf(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return "page";
  if (target.closest("dialog, [role=dialog]")) return "dialog";
  if (target.closest(FIELDS)) return "text";
  // The document also has buttons, which are not text.
  if (target.isContentEditable && !target.closest("button")) return "text";
  return target.closest("button, a, summary, input[type=checkbox]") ? "control" : "page";
}

export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const action = actionOf(event, placeOf(event.target), keysNow.value);
      if (!action) return;
      event.preventDefault();
      latest.current[action](digitOf(event) ?? (Number(event.key) || 0));
    };
    document.addEventListener("keydown", keys);
    const unfollow = followOwnKeys();
    return () => {
      unfollow();
      document.removeEventListener("keydown", keys);
    };
  }, []);
}
