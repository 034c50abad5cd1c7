// Names with values, such as metadata: a row for each.
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { t } from "../language/language.ts";

type Entries = Record<string, unknown>;
type Row = readonly [name: string, value: string];

const NO_ROWS: readonly Row[] = [["", ""]];

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function rowsOf(entries: Entries | undefined): readonly Row[] {
  const rows = Object.entries(entries ?? {}).map(([name, value]): Row => [name, textOf(value)]);
  return rows.length > 0 ? rows : NO_ROWS;
}

/** @param former  a value that is not a text keeps its type until its row changes */
function entriesOf(rows: readonly Row[], former: Entries | undefined): Entries | undefined {
  const named = rows.filter(([name]) => name.trim() !== "").map(([name, text]) => [name.trim(), text] as const);
  if (named.length === 0) return undefined;
  return Object.fromEntries(
    named.map(([name, text]) => [name, former && textOf(former[name]) === text ? former[name] : text]),
  );
}

interface EntriesFieldProps {
  /** Of the first field. */
  id: string;
  value: Entries | undefined;
  onChange(value: Entries | undefined): void;
}

export function EntriesField({ id, value, onChange }: EntriesFieldProps) {
  const rows = useSignal(rowsOf(value));
  const stored = JSON.stringify(value);
  // The options were reset, or are those of a preset. In the same turn as the value: a later effect would put back what was typed over meanwhile.
  useLayoutEffect(() => {
    if (JSON.stringify(entriesOf(rows.peek(), value)) !== stored) rows.value = rowsOf(value);
  }, [stored]);
  const change = (next: readonly Row[]) => {
    rows.value = next;
    onChange(entriesOf(next, value));
  };
  const field = (at: number, part: 0 | 1) => ({
    type: "text" as const,
    autoComplete: "off",
    "aria-label": part === 0 ? t.form.entryName : t.form.entryValue,
    placeholder: part === 0 ? t.form.entryName : t.form.entryValue,
    value: rows.value[at]?.[part] ?? "",
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change(
        rows.value.map((row, index): Row => {
          if (index !== at) return row;
          return part === 0 ? [currentTarget.value, row[1]] : [row[0], currentTarget.value];
        }),
      ),
  });
  return (
    <div class="entries">
      {rows.value.map(([name], at) => (
        <div key={`${at}`} class="row">
          <input {...field(at, 0)} {...(at === 0 ? { id } : {})} />
          <input {...field(at, 1)} />
          <button
            type="button"
            class="quiet"
            aria-label={t.form.remove(name)}
            onClick={() => {
              const left = rows.value.filter((_, index) => index !== at);
              change(left.length > 0 ? left : NO_ROWS);
            }}
          >
            ✕
          </button>
        </div>
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          rows.value = [...rows.value, ["", ""]];
        }}
      >
        {t.form.addEntry}
      </button>
    </div>
  );
}
