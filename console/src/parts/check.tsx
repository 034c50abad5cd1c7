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
