// Several choices of a list: the chosen ones as a row, and a menu of the others.
import { t } from "../language/language.ts";

interface ChosenProps {
  id: string;
  chosen: readonly string[];
  /** Those of the menu, in its order. */
  left: readonly { option: string; shown: string }[];
  nameOf(option: string): string;
  /** Shown where none is chosen. */
  empty: string;
  onChange(chosen: string[] | undefined): void;
}

export function Chosen({ id, chosen, left, nameOf, empty, onChange }: ChosenProps) {
  const set = (next: string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <div class="chosen">
      {chosen.map((option) => (
        <button
          key={option}
          type="button"
          class="chip"
          aria-label={t.form.remove(nameOf(option))}
          onClick={() => set(chosen.filter((other) => other !== option))}
        >
          {nameOf(option)} <span aria-hidden="true">✕</span>
        </button>
      ))}
      <select
        id={id}
        value=""
        onChange={(event) => {
          const { value: option } = event.currentTarget;
          if (option !== "") set([...chosen, option]);
          event.currentTarget.value = "";
        }}
      >
        <option value="">{chosen.length === 0 ? empty : t.form.add}</option>
        {left.map(({ option, shown }) => (
          <option key={option} value={option}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}
