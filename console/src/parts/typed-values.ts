// Options of a dialog. This browser keeps them for the account until they are sent, as it keeps typed text.
import { useSignal } from "@preact/signals";
import { useTyped } from "../typed-text.ts";
import type { Values } from "./schema.ts";

export interface TypedValues {
  value: Values;
  isChanged: boolean;
  /** Number of resets. Key of the form: a new one drops typed text that has no value. */
  resets: number;
  /** Sets the options to those before a person chose any. */
  reset(): void;
  /** The service has them. */
  sent(): void;
}

/** @param field  the dialog @param job  its recording @param first  before a person chooses any */
export function useTypedValues(field: string, job: string, first: Values): TypedValues {
  const text = JSON.stringify(first);
  const typed = useTyped({ field, job, first: text });
  const resets = useSignal(0);
  return {
    get value() {
      return JSON.parse(typed.value) as Values;
    },
    set value(values) {
      typed.value = JSON.stringify(values);
    },
    get isChanged() {
      return typed.value !== text;
    },
    get resets() {
      return resets.value;
    },
    reset() {
      typed.value = text;
      resets.value++;
    },
    sent: () => typed.sent(),
  };
}
