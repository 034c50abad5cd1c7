// Merges data found in the parts of a long transcript under one schema.
import { type JsonSchema, leastValue, satisfies, typesOf } from "../../speech/language-model/json-schema.ts";

const isNothing = (value: unknown) => value === null || value === undefined || value === "";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isList(value);

/** Distinct items in the order in which they were found. */
export function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item).toLowerCase(), item])).values()];
}

function together(schema: JsonSchema, values: readonly unknown[]): unknown {
  const found = values.filter((value) => !isNothing(value));
  const [first] = found;
  if (found.length < 2) return first ?? values[0] ?? leastValue(schema);
  if (found.every(isList) && typesOf(schema).includes("array")) {
    return distinct(found.flat()).slice(0, schema.maxItems ?? Number.POSITIVE_INFINITY);
  }
  if (found.every(isRecord) && schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, own]) => [
        name,
        together(
          own,
          found.map((value) => value[name]),
        ),
      ]),
    );
  }
  // The first value is used: later parts often only refer to it.
  return first;
}

/**
 * Lists are joined without repetitions; of other values, the first one that is not empty is used.
 * @param values  at least one; each satisfies the schema
 * @returns a value that satisfies the schema
 */
export function merged(schema: JsonSchema, values: readonly unknown[]): unknown {
  const value = together(schema, values);
  return satisfies(schema, value) ? value : values[0];
}
