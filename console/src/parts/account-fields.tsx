// Fields whose choices the service has: its models, and the vocabulary lists of the account.
import { useEffect } from "preact/hooks";
import { t } from "../language/language.ts";
import { loadModels, models } from "../models.ts";
import { loadVocabularyLists, vocabularyLists } from "../vocabulary-lists.ts";
import { Chosen } from "./chosen.tsx";
import { EntriesField } from "./entries-field.tsx";
import { type FieldProps, Labelled } from "./labelled.tsx";
import type { Values } from "./schema.ts";

const IS_ID = /^[\da-f-]{36}$/;

/**
 * Vocabulary lists of the account; nothing where there is none. The value holds ids, so that it outlasts a new name. Values of earlier
 * versions and of other clients may hold names.
 */
export function ListsField({ name, schema, value, onChange }: FieldProps) {
  useEffect(() => {
    loadVocabularyLists().catch(() => undefined);
  }, []);
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const lists = vocabularyLists.value ?? [];
  if (lists.length === 0 && chosen.length === 0) return null;
  const left = lists
    .filter((list) => !chosen.includes(list.id) && !chosen.includes(list.name))
    .map((list) => ({ option: list.id, shown: list.name }));
  const nameOf = (one: string) =>
    lists.find((list) => list.id === one)?.name ??
    (vocabularyLists.value && IS_ID.test(one) ? t.form.deletedList : one);
  return (
    <Labelled name={name} schema={schema}>
      {(id) => <Chosen id={id} chosen={chosen} left={left} nameOf={nameOf} empty={t.form.choose} onChange={onChange} />}
    </Labelled>
  );
}

/** The installed models that recognise speech. A value of an earlier choice stays until another one is chosen. */
export function ModelField({ name, schema, value, onChange }: FieldProps) {
  useEffect(() => {
    loadModels().catch(() => undefined);
  }, []);
  const chosen = value === undefined ? "" : String(value);
  const names = (models.value ?? [])
    .filter(({ installed, purpose }) => installed && purpose === "recognition")
    .map(({ id }) => id);
  const isGone = chosen !== "" && !names.includes(chosen);
  return (
    <Labelled name={name} schema={schema}>
      {(id) => (
        <select
          id={id}
          value={chosen}
          onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.value)}
        >
          <option value="">{t.form.automatic}</option>
          {isGone ? <option value={chosen}>{models.value ? t.form.notInstalled(chosen) : chosen}</option> : null}
          {names.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function MetadataField({ name, schema, value, onChange }: FieldProps) {
  return (
    <Labelled name={name} schema={schema}>
      {(id) => <EntriesField id={id} value={value as Values | undefined} onChange={onChange} />}
    </Labelled>
  );
}
