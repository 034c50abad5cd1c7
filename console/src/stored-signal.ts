// Choices of a page that this browser stores, such as the speed of the playback.
import { type Signal, signal } from "@preact/signals";
import { readChoice, storeChoice } from "./memory.ts";

/** A choice that is stored when it changes. @param isValid  whether a stored value is still one of the choices */
export function storedSignal<Value>(
  name: string,
  fallback: Value,
  isValid: (value: Value) => boolean = (value) => typeof value === typeof fallback,
): Signal<Value> {
  const stored = readChoice(name, fallback);
  const choice = signal(isValid(stored) ? stored : fallback);
  let last = choice.peek();
  choice.subscribe((value) => {
    if (value !== last) storeChoice(name, value);
    last = value;
  });
  return choice;
}
