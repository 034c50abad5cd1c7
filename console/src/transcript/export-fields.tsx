// The fields of the choices of an export: of one transcript, and of several.
import { type Signal, useSignal } from "@preact/signals";
import { MOST_CAPTION_ROWS } from "../../../src/contract/bounds.ts";
import type { Format } from "../../../src/contract/transcript-formats.ts";
import { t } from "../language/language.ts";
import { readChoice, storeChoice } from "../memory.ts";
import { Check } from "../parts/check.tsx";
import { EXPORT_FORMATS, type ExportChoices, FIRST_CHOICES, hasChoice } from "./export-choices.ts";

const CHOICES = "export";
const MOST_COLUMNS = 1_000;

interface ChosenExport {
  choices: Signal<ExportChoices>;
  change(changed: Partial<ExportChoices>): void;
}

/** The choices of the last export, which the browser stores. @param corrected  that of this export */
export function useChoices(corrected: boolean): ChosenExport {
  const choices = useSignal<ExportChoices>({
    ...FIRST_CHOICES,
    ...readChoice<Partial<ExportChoices>>(CHOICES, {}),
    corrected,
  });
  return {
    choices,
    change(changed) {
      choices.value = { ...choices.value, ...changed };
      storeChoice(CHOICES, choices.value);
    },
  };
}

interface NumberProps {
  label: string;
  value: number | undefined;
  most: number;
  example: number;
  onChange(value: number | undefined): void;
}

function NumberChoice({ label, value, most, example, onChange }: NumberProps) {
  return (
    <label class="number-choice">
      {label}
      <input
        type="number"
        min={1}
        max={most}
        placeholder={String(example)}
        value={value ?? ""}
        onInput={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return;
          onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}

interface FormatSelectProps {
  format: Format;
  /** Whether only screen readers read the label. */
  isUnseen?: boolean;
  onChange(format: Format): void;
}

export function FormatSelect({ format, isUnseen = false, onChange }: FormatSelectProps) {
  return (
    <label>
      {isUnseen ? <span class="unseen">{t.exported.format}</span> : t.exported.format}
      <select value={format} onChange={({ currentTarget }) => onChange(currentTarget.value as Format)}>
        {EXPORT_FORMATS.map((name) => (
          <option key={name} value={name}>
            {t.exported.formats[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoicesProps {
  choices: ExportChoices;
  change(changed: Partial<ExportChoices>): void;
}

const SWITCHES = ["corrected", "times", "speakers", "paragraphs", "notes"] as const;

export function Choices({ choices, change }: ChoicesProps) {
  const { format, rowCharacters, rows } = choices;
  return (
    <>
      <FormatSelect format={format} onChange={(chosen) => change({ format: chosen })} />
      <div class="row wrap">
        {SWITCHES.filter((name) => hasChoice(format, name)).map((name) => (
          <Check key={name} isOn={choices[name]} onChange={(isOn) => change({ [name]: isOn })}>
            {t.exported[name]}
          </Check>
        ))}
      </div>
      {hasChoice(format, "rows") ? (
        <div class="row wrap">
          <NumberChoice
            label={t.options.maximum_characters_per_row.label}
            value={rowCharacters}
            most={MOST_COLUMNS}
            example={42}
            onChange={(value) => change({ rowCharacters: value })}
          />
          <NumberChoice
            label={t.options.maximum_rows_per_caption.label}
            value={rows}
            most={MOST_CAPTION_ROWS}
            example={2}
            onChange={(value) => change({ rows: value })}
          />
        </div>
      ) : null}
    </>
  );
}
