// A form generated from a schema of the OpenAPI document, so that every option of the interface is available.
import { useLayoutEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { languageName } from "../language-name.ts";
import { ListsField, MetadataField, ModelField } from "./account-fields.tsx";
import { Check } from "./check.tsx";
import { Chosen } from "./chosen.tsx";
import { useDraftText } from "./draft-text.ts";
import { type FieldProps, hint, Labelled } from "./labelled.tsx";
import { dictionaryOf, itemsOfLines, shownLine, textOfDictionary } from "./lines.ts";
import { choiceName, labelOf } from "./option-names.ts";
import { isDictionary, type Schema, type Values } from "./schema.ts";

export type { Values };

const orUndefined = (items: unknown[]) => (items.length > 0 ? items : undefined);
const isLanguages = ({ enum: values }: Schema) => values?.includes("en") && values.length > 50;

/** One item per line. A new one is a string. */
function LinesField({ name, schema, value, onChange }: FieldProps) {
  const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const draft = useDraftText(
    items,
    (shown = []) => shown.map(shownLine).join("\n"),
    (text, former = []) => orUndefined(itemsOfLines(text, former)),
  );
  return (
    <Labelled name={name} schema={schema}>
      {(id) => (
        <textarea
          id={id}
          rows={3}
          value={draft.text}
          placeholder={t.form.lines}
          onInput={({ currentTarget }) => onChange(draft.type(currentTarget.value))}
        />
      )}
    </Labelled>
  );
}

/** Multiple selection, shown as a row of the selected values. */
function ChoicesField({ name, schema, value, onChange }: FieldProps) {
  const options = schema.items?.enum ?? [];
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const nameOf = schema.items && isLanguages(schema.items) ? languageName : choiceName;
  const left = options
    .filter((option) => !chosen.includes(option))
    .map((option) => ({ option, shown: nameOf(option) }))
    .sort((one, other) => formats.compare(one.shown, other.shown));
  const empty = name === "languages" ? t.form.detect : t.form.choose;
  return (
    <Labelled name={name} schema={schema}>
      {(id) => <Chosen id={id} chosen={chosen} left={left} nameOf={nameOf} empty={empty} onChange={onChange} />}
    </Labelled>
  );
}

function DictionaryField({ name, schema, value, onChange }: FieldProps) {
  const draft = useDraftText(value as Record<string, string[]> | undefined, textOfDictionary, dictionaryOf);
  return (
    <Labelled name={name} schema={schema}>
      {(id) => (
        <textarea
          id={id}
          rows={3}
          value={draft.text}
          placeholder={t.form.spellings}
          onInput={({ currentTarget }) => onChange(draft.type(currentTarget.value))}
        />
      )}
    </Labelled>
  );
}

const EXAMPLE = '{"project": "spring"}';

/** @returns undefined for a text that is empty or not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Free-form data as JSON. */
function JsonField({ name, schema, value, onChange }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraftText(value, (shown) => (shown === undefined ? "" : JSON.stringify(shown)), parsed);
  const { text } = draft;
  const isWrong = text.trim() !== "" && parsed(text) === undefined;
  // A reset changes the text, too.
  useLayoutEffect(() => field.current?.setCustomValidity(isWrong ? t.form.notJson(EXAMPLE) : ""), [isWrong]);
  return (
    <Labelled name={name} schema={schema}>
      {(id) => (
        <textarea
          id={id}
          ref={field}
          rows={2}
          value={text}
          placeholder={EXAMPLE}
          onInput={({ currentTarget }) => onChange(draft.type(currentTarget.value))}
          onChange={({ currentTarget }) => currentTarget.reportValidity()}
        />
      )}
    </Labelled>
  );
}

function inputType({ type, format }: Schema): string {
  if (type === "number" || type === "integer") return "number";
  return format === "web-address" ? "url" : "text";
}

function PlainField({ name, schema, value, onChange }: FieldProps) {
  const isNumber = inputType(schema) === "number";
  const draft = useDraftText(
    value,
    (shown) => (shown === undefined ? "" : String(shown)),
    (text) => (text === "" ? undefined : isNumber ? Number(text) : text),
  );
  return (
    <Labelled name={name} schema={schema}>
      {(id) =>
        schema.enum ? (
          <select
            id={id}
            value={String(value ?? "")}
            onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.value)}
          >
            <option value="">
              {schema.default === undefined ? t.form.notSet : choiceName(String(schema.default))}
            </option>
            {schema.enum
              .filter((option) => option !== schema.default)
              .map((option) => (
                <option key={option} value={option}>
                  {choiceName(option)}
                </option>
              ))}
          </select>
        ) : (
          <input
            id={id}
            type={inputType(schema) as "text"}
            min={schema.minimum}
            max={schema.maximum}
            step={schema.type === "integer" ? 1 : "any"}
            placeholder={schema.default === undefined ? "" : String(schema.default)}
            value={draft.text}
            onInput={({ currentTarget }) => {
              // A number that is not complete, such as "1e", has no value yet.
              if (!currentTarget.validity.badInput) onChange(draft.type(currentTarget.value));
            }}
            // A value that is left out would have no effect, without a word: the service refuses it with the reason.
            onChange={({ currentTarget }) => currentTarget.reportValidity()}
          />
        )
      }
    </Labelled>
  );
}

/** Whether a switch that was not touched is on. */
const isOnByDefault = ({ default: given, "x-absent": absent }: Schema) => (given ?? absent) === true;

function SwitchField({ name, schema, value, onChange }: FieldProps) {
  const standard = isOnByDefault(schema);
  return (
    <div class="field">
      <Check
        isOn={value === undefined ? standard : value === true}
        onChange={(isOn) => onChange(isOn === standard ? undefined : isOn)}
      >
        {labelOf(name)}
      </Check>
      <small>{hint(name, schema)}</small>
    </div>
  );
}

function Field(props: FieldProps) {
  const { name, schema, value, onChange } = props;
  if (schema.anyOf) {
    // A field may be a boolean or a list: the list has a field of its own.
    const branch =
      schema.anyOf.find(({ type }) => type === "boolean") ?? schema.anyOf.find(({ type }) => type === "array");
    return branch ? <Field {...props} schema={{ ...schema, ...branch, anyOf: undefined as never }} /> : null;
  }
  if (schema.type === "boolean") return <SwitchField {...props} />;
  if (name === "model" && !schema.enum) return <ModelField {...props} />;
  if (name === "vocabulary_lists") return <ListsField {...props} />;
  if (schema.type === "array") {
    return schema.items?.enum ? <ChoicesField {...props} /> : <LinesField {...props} />;
  }
  if (schema.type !== "object") return <PlainField {...props} />;
  if (isDictionary(schema)) return <DictionaryField {...props} />;
  if (name === "custom_metadata") return <MetadataField {...props} />;
  if (!schema.properties) return <JsonField {...props} />;
  return (
    <fieldset>
      <legend>{labelOf(name)}</legend>
      <SchemaForm schema={schema} values={(value ?? {}) as Values} onChange={onChange} />
    </fieldset>
  );
}

/** Removes empty values; undefined if nothing remains. */
function withoutEmpty(values: Values): Values | undefined {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

interface FormProps {
  schema: Schema;
  values: Values;
  /** Called with undefined if only defaults are selected. */
  onChange(values: Values | undefined): void;
  /** Only these fields, in this order; by default all that are not deprecated. */
  names?: readonly string[];
}

export function SchemaForm({ schema, values, onChange, names }: FormProps) {
  const properties = schema.properties ?? {};
  const shown = (names ?? Object.keys(properties)).filter((name) => properties[name] && !properties[name].deprecated);
  // A `…_config` field is shown only when its switch is on.
  const isHidden = (name: string) => {
    const owner = name.replace(/_config$/, "");
    const isSwitch = properties[owner]?.type === "boolean" || properties[owner]?.anyOf !== undefined;
    return owner !== name && isSwitch && !properties[owner]?.deprecated && values[owner] !== true;
  };
  return (
    <div class="schema-form">
      {shown
        .filter((name) => !isHidden(name))
        .map((name) => (
          <Field
            key={name}
            name={name}
            schema={properties[name] as Schema}
            value={values[name]}
            onChange={(value) => onChange(withoutEmpty({ ...values, [name]: value }))}
          />
        ))}
    </div>
  );
}
