// Reads stored values of earlier versions by the schemas of this one.
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";

/** Keywords that limit a value without changing its type: a stored request was accepted under the limits of its own version. */
const LIMITS = new Set([
  "format",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "propertyNames",
]);

function withoutLimits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimits);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, limit]) => !(LIMITS.has(name) && typeof limit !== "object") && name !== "propertyNames")
      .map(([name, inner]) => [name, withoutLimits(inner)]),
  );
}

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** @param pointer  JSON pointer of a value below `root`, which is removed @returns the value */
function remove(root: object, pointer: string): unknown {
  const parts = pointer.split("/").slice(1).map(unescaped);
  const last = parts.pop() ?? "";
  let parent = root;
  for (const part of parts) parent = (parent as Record<string, object>)[part] ?? {};
  if (Array.isArray(parent)) return parent.splice(Number(last), 1)[0];
  const value = (parent as Record<string, unknown>)[last];
  delete (parent as Record<string, unknown>)[last];
  return value;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface StoredValue {
  value: object;
  /** Names of the fields that were left out, as in `callback_config.url`; "" for the whole object. */
  unreadable: string[];
}

const nameOf = (pointer: string) => pointer.split("/").slice(1).map(unescaped).join(".");

/**
 * A reader of stored objects. It fills in the schema's defaults and leaves out values of another type; unknown fields and
 * values beyond the schema's limits are kept. It never throws, and never changes what it reads.
 * @param schema  of an object whose fields are optional
 */
export function storedValueReader(schema: AnySchemaObject): (stored: unknown) => StoredValue {
  let validate: ValidateFunction | undefined;
  return (stored) => {
    validate ??= new Ajv({ strict: false, useDefaults: true }).compile(withoutLimits(schema) as AnySchemaObject);
    const value = isObject(stored) ? structuredClone(stored) : {};
    const unreadable = isObject(stored) || stored === null || stored === undefined ? [] : [""];
    // Each round removes a value, so the loop ends.
    while (!validate(value)) {
      // Errors of the members of a union precede the error of the union itself.
      const pointer = validate.errors?.at(-1)?.instancePath ?? "";
      if (pointer === "") return { value: {}, unreadable: [""] };
      // Null stands for a field that is not there.
      if (remove(value, pointer) !== null) unreadable.push(nameOf(pointer));
    }
    return { value, unreadable };
  };
}
