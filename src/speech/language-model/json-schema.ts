// The subset of JSON Schema to which answers can be constrained. schema-check.ts checks it when a request arrives; the functions here
// take only schemas that it has accepted, which bounds their work.

export type JsonSchema = {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  additionalProperties?: boolean;
  [annotation: string]: unknown;
};

export const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
type Type = (typeof TYPES)[number];

export const MOST_ITEMS = 50;
/** Length limits up to this are part of the grammar; strings with higher limits are truncated afterwards. */
export const MOST_COUNTED_CHARACTERS = 100;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Types that a value may have; for a schema without `type`, those that its other keywords imply. */
export function typesOf(schema: JsonSchema): readonly Type[] {
  if (schema.type !== undefined) return [schema.type].flat() as Type[];
  if (schema.properties) return ["object"];
  if (schema.items) return ["array"];
  return ["string"];
}

const leastNumber = ({ minimum, maximum }: JsonSchema, isInteger: boolean): number => {
  if (minimum !== undefined) return isInteger ? Math.ceil(minimum) : minimum;
  const most = maximum ?? 0;
  return Math.min(0, isInteger ? Math.floor(most) : most);
};

/** The alternative whose shortest value is used. */
const leastAlternative = (anyOf: readonly JsonSchema[]): JsonSchema =>
  anyOf.find((one) => typesOf(one).includes("null")) ?? (anyOf[0] as JsonSchema);

/** The shortest value that a schema allows; used if no value was found. */
export function leastValue(schema: JsonSchema): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.includes(null) ? null : schema.enum[0];
  if (schema.anyOf) return leastValue(leastAlternative(schema.anyOf));
  const types = typesOf(schema);
  if (types.includes("null")) return null;
  switch (types[0]) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, leastValue(one)]));
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => leastValue(schema.items ?? {}));
    case "string":
      return "-".repeat(schema.minLength ?? 0);
    case "boolean":
      return false;
    default:
      return leastNumber(schema, types[0] === "integer");
  }
}

const lengthOf = (value: unknown) => JSON.stringify(value).length;

/** Characters of `leastValue` as JSON, computed without making it: a schema of 100 characters can require a terabyte. */
export function leastCharacters(schema: JsonSchema): number {
  if ("const" in schema) return lengthOf(schema.const);
  if (schema.enum) return lengthOf(leastValue(schema));
  if (schema.anyOf) return leastCharacters(leastAlternative(schema.anyOf));
  const types = typesOf(schema);
  if (types.includes("null")) return lengthOf(null);
  switch (types[0]) {
    case "object":
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [name, one]) => sum + lengthOf(name) + 2 + leastCharacters(one),
        2,
      );
    case "array":
      return 2 + (schema.minItems ?? 0) * (leastCharacters(schema.items ?? {}) + 1);
    case "string":
      return 2 + (schema.minLength ?? 0);
    default:
      return lengthOf(leastValue(schema));
  }
}

const hasType = (value: unknown, type: string): boolean => {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
};

/** Equal as JSON: members of objects have no order. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => isSame(one, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}

const isWithin = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
  value >= least && value <= most;

function satisfiesObject(schema: JsonSchema, value: Record<string, unknown>): boolean {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(properties).every(([name, one]) => !Object.hasOwn(value, name) || satisfies(one, value[name])) &&
    (additionalProperties || Object.keys(value).every((name) => Object.hasOwn(properties, name)))
  );
}

function satisfiesArray({ items, minItems, maxItems }: JsonSchema, value: readonly unknown[]): boolean {
  return (
    isWithin(value.length, minItems, maxItems) && (items === undefined || value.every((one) => satisfies(items, one)))
  );
}

/**
 * Work: at most the parts of the schema for each part of the value; texts of `enum` and `const` are compared in addition.
 * @returns whether a value satisfies the schema
 */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  const { type, anyOf } = schema;
  if (type !== undefined && ![type].flat().some((one) => hasType(value, one))) return false;
  if ("const" in schema && !isSame(schema.const, value)) return false;
  if (schema.enum && !schema.enum.some((one) => isSame(one, value))) return false;
  if (anyOf && !anyOf.some((one) => satisfies(one, value))) return false;
  if (isObject(value)) return satisfiesObject(schema, value);
  if (Array.isArray(value)) return satisfiesArray(schema, value);
  // JSON Schema counts characters, not UTF-16 units.
  if (typeof value === "string") return isWithin([...value].length, schema.minLength, schema.maxLength);
  if (typeof value === "number") return isWithin(value, schema.minimum, schema.maximum);
  return true;
}
