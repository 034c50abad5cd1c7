// Normalises every body before its validation: null means absent, unknown fields are removed and recorded, booleans may be
// strings, languages may be tags and names. The schema validates the rest.
import type { TSchema } from "typebox";
import { LANGUAGE_MARK } from "../../contract/language-fields.ts";
import { isAnyLanguage, languageCode } from "../../contract/languages.ts";
import { UnknownFields } from "./unknown-fields.ts";

type Json = Record<string, unknown>;

/** What the preparation reads of a schema. */
export interface ReadSchema {
  type?: string;
  anyOf?: ReadSchema[];
  properties?: Record<string, ReadSchema>;
  items?: ReadSchema;
  maxItems?: number;
  [LANGUAGE_MARK]?: unknown;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function branchFor(branches: ReadSchema[], value: unknown): ReadSchema | undefined {
  const type = Array.isArray(value) ? "array" : typeof value;
  const exact = branches.find((branch) => branch.type === type);
  if (exact) return exact;
  const isBooleanText = value === "true" || value === "false";
  return isBooleanText ? branches.find((branch) => branch.type === "boolean") : undefined;
}

/** The numbers of a query as numbers: addresses have only text. */
export function prepareQuery(schema: TSchema, query: unknown): unknown {
  const prepared = prepare(schema, query) as Json;
  for (const [name, field] of Object.entries((schema as ReadSchema).properties ?? {})) {
    const value = prepared[name];
    if (field.type === "integer" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) {
      prepared[name] = Number(value);
    }
  }
  return prepared;
}

const isAny = (schema: ReadSchema, value: unknown) =>
  schema[LANGUAGE_MARK] === "spoken" && typeof value === "string" && isAnyLanguage(value);

/** State of one preparation: its place in the value, and the fields that it has removed. */
class Preparation {
  private readonly path: string[] = [];

  constructor(private readonly unknown: UnknownFields) {}

  of(schema: ReadSchema, value: unknown): unknown {
    if (schema.anyOf) {
      const branch = branchFor(schema.anyOf, value);
      return branch ? this.of(branch, value) : value;
    }
    if (schema.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
    if (schema[LANGUAGE_MARK] !== undefined && typeof value === "string") return languageCode(value) ?? value;
    if (schema.type === "array" && Array.isArray(value)) return this.list(schema, value);
    const { properties } = schema;
    if (schema.type !== "object" || !properties || !isObject(value)) return value;
    return this.object(properties, value);
  }

  private list(schema: ReadSchema, value: unknown[]): unknown {
    // The schema refuses it for its length.
    if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) return value;
    const items = schema.items ?? {};
    const isOfLanguages = items[LANGUAGE_MARK] !== undefined;
    if (isOfLanguages && value.length > 0 && value.every((item) => isAny(items, item))) return [];
    const prepared = value.map((item, index) => this.at(String(index), items, item));
    // Two tags of one language must not make a choice between two languages.
    return isOfLanguages ? [...new Set(prepared)] : prepared;
  }

  private object(properties: Record<string, ReadSchema>, value: Json): Json {
    const prepared: Json = {};
    for (const [name, field] of Object.entries(properties)) {
      const given = value[name];
      if (given === undefined || given === null || isAny(field, given)) continue;
      prepared[name] = this.at(name, field, given);
    }
    const known = Object.keys(properties);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(properties, name)) this.unknown.note(this.path, name, value[name], known);
    }
    return prepared;
  }

  private at(name: string, schema: ReadSchema, value: unknown): unknown {
    this.path.push(name);
    const prepared = this.of(schema, value);
    this.path.pop();
    return prepared;
  }
}

/**
 * @param unknown  filled with the fields that `schema` does not list
 * @returns a copy of `value` without them
 */
export function prepare(schema: TSchema, value: unknown, unknown = new UnknownFields()): unknown {
  return new Preparation(unknown).of(schema, value);
}
