import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface CheckProps {
  isOn: boolean;
  /** Neither on nor off: it stands for several choices, of which some are on. */
  isMixed?: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
  children: ComponentChildren;
}

/** A labelled checkbox. */
export function Check({ isOn, isMixed = false, isDisabled = false, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        indeterminate={isMixed}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
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
