// The text of a field whose value is made from it at each key: what a person types stays as it is typed, such as an empty line or "1.".
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface DraftText<Value> {
  text: string;
  /** @returns the value of the text, for the form */
  type(text: string): Value;
}

/**
 * @param value  of the field, which other code can change, too: a preset, or a reset
 * @param write  makes the text of a value
 * @param read  makes the value of a text. `former` is the value before a person typed
 */
export function useDraftText<Value>(
  value: Value,
  write: (value: Value) => string,
  read: (text: string, former: Value) => Value,
): DraftText<Value> {
  const text = useSignal(write(value));
  const former = useRef(value);
  const typed = useRef(JSON.stringify(value));
  const stored = JSON.stringify(value);
  // In the same turn as the value: a later effect would put back what was typed over meanwhile.
  useLayoutEffect(() => {
    if (stored === typed.current) return;
    former.current = value;
    typed.current = stored;
    text.value = write(value);
  }, [stored]);
  return {
    text: text.value,
    type(next) {
      text.value = next;
      const made = read(next, former.current);
      typed.current = JSON.stringify(made);
      return made;
    },
  };
}
