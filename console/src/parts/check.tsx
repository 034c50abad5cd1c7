import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface CheckProps {
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: ComponentChildren;
}

/** A labelled checkbox. */
export function Check({ isOn, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {children}
    </label>
  );
}

/** A labelled checkbox that shows and changes a signal. */
export function SignalCheck({ signal, children }: { signal: Signal<boolean>; children: ComponentChildren }) {
  return (
    <Check
      isOn={signal.value}
      onChange={(isOn) => {
        signal.value = isOn;
      }}
    >
      {children}
    </Check>
  );
}
