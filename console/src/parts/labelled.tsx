// A field of a form with its label and explanation.
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { t } from "../language/language.ts";
import { hintOf, labelOf } from "./option-names.ts";
import type { Schema } from "./schema.ts";

export interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  onChange(value: unknown): void;
}

export function hint(name: string, { description, minimum, maximum }: Schema): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? t.form.range(minimum, maximum)
      : minimum !== undefined
        ? t.form.atLeast(minimum)
        : maximum !== undefined
          ? t.form.atMost(maximum)
          : "";
  return [hintOf(name, description), range].filter((part) => part !== "").join(" · ");
}

interface LabelledProps extends Pick<FieldProps, "name" | "schema"> {
  /** Renders the control with this id. */
  children(id: string): JSX.Element;
}

/** A control with its label and description. */
export function Labelled({ name, schema, children }: LabelledProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{labelOf(name)}</label>
      {children(id)}
      <small>{hint(name, schema)}</small>
    </div>
  );
}
