// What is forgiven before validation, the same for every body: null means absent, unknown fields are dropped,
// booleans may be written as strings. Everything else is for the schema to judge.
import type { TSchema } from "@sinclair/typebox";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function branchFor(branches: TSchema[], value: unknown): TSchema | undefined {
  const type = Array.isArray(value) ? "array" : typeof value;
  const exact = branches.find((branch) => branch["type"] === type);
  if (exact) return exact;
  const isBooleanText = value === "true" || value === "false";
  return isBooleanText ? branches.find((branch) => branch["type"] === "boolean") : undefined;
}

/** The numbers of a query as numbers: addresses have only text. */
export function prepareQuery(schema: TSchema, query: unknown): unknown {
  const prepared = prepare(schema, query) as Json;
  for (const [name, field] of Object.entries((schema["properties"] ?? {}) as Record<string, TSchema>)) {
    const value = prepared[name];
    if (field["type"] === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) {
      prepared[name] = Number(value);
    }
  }
  return prepared;
}

/** @returns a copy of `value` with what `schema` does not know left out */
export function prepare(schema: TSchema, value: unknown): unknown {
  if (schema["anyOf"]) {
    const branch = branchFor(schema["anyOf"] as TSchema[], value);
    return branch ? prepare(branch, value) : value;
  }
  if (schema["type"] === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (schema["type"] === "array" && Array.isArray(value)) {
    const items = schema["items"] as TSchema;
    return value.map((item) => prepare(items, item));
  }
  const properties = schema["properties"] as Record<string, TSchema> | undefined;
  if (schema["type"] !== "object" || !properties || !isObject(value)) return value;
  const prepared: Json = {};
  for (const [name, field] of Object.entries(properties)) {
    if (value[name] !== undefined && value[name] !== null) prepared[name] = prepare(field, value[name]);
  }
  return prepared;
}
