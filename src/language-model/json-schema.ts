// The subset of JSON Schema to which answers can be constrained: checked when a request arrives, so that no keyword is ignored silently.
import { Ajv } from "ajv";

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
  [annotation: string]: unknown;
};

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
type Type = (typeof TYPES)[number];

const KEYWORDS = new Set(
  "type properties required items enum const anyOf minItems maxItems minLength maxLength minimum maximum additionalProperties".split(
    " ",
  ),
);
/** Keywords that do not affect validity. */
const ANNOTATIONS = new Set(
  "$schema $id $comment title description default examples deprecated readOnly writeOnly format".split(" "),
);
const MOST_DEPTH = 12;
const MOST_NODES = 500;
const MOST_CHARACTERS = 20_000;
export const MOST_ITEMS = 50;
/** Length limits up to this are part of the grammar; strings with higher limits are truncated afterwards. */
export const MOST_COUNTED_CHARACTERS = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Types that a value may have; for a schema without `type`, those that its other keywords imply. */
export function typesOf(schema: JsonSchema): readonly Type[] {
  if (schema.type !== undefined) return [schema.type].flat() as Type[];
  if (schema.properties) return ["object"];
  if (schema.items) return ["array"];
  return ["string"];
}

class Checker {
  private nodes = 0;

  /** @returns a sentence about the first keyword that cannot be used */
  problem(schema: unknown, at: string, depth: number): string | undefined {
    if (!isObject(schema)) return `${at} must be an object`;
    if (depth > MOST_DEPTH) return `${at} is more than ${MOST_DEPTH} levels deep`;
    if (++this.nodes > MOST_NODES) return `it has more than ${MOST_NODES} parts`;
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword) && !ANNOTATIONS.has(keyword)) {
        return `${at}.${keyword} is not supported; supported are ${[...KEYWORDS].join(", ")}`;
      }
    }
    const { type, properties, items, anyOf } = schema as JsonSchema;
    const unknown = type === undefined ? undefined : [type].flat().find((one) => !TYPES.includes(one as Type));
    if (unknown !== undefined) return `${at}.type must be one of ${TYPES.join(", ")}`;
    if ("additionalProperties" in schema && typeof schema["additionalProperties"] !== "boolean") {
      return `${at}.additionalProperties must be true or false`;
    }
    if (typesOf(schema as JsonSchema).includes("object") && !properties && !anyOf && schema["enum"] === undefined) {
      return `${at} must list its properties`;
    }
    const inner = [
      ...Object.entries(properties ?? {}).map(([name, one]) => [one, `${at}.properties.${name}`] as const),
      ...(items === undefined ? [] : [[items, `${at}.items`] as const]),
      ...(anyOf ?? []).map((one, index) => [one, `${at}.anyOf[${index}]`] as const),
    ];
    for (const [one, place] of inner) {
      const problem = this.problem(one, place, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

const leastNumber = ({ minimum, maximum }: JsonSchema, isInteger: boolean): number => {
  const least = minimum ?? Math.min(0, maximum ?? 0);
  return isInteger ? Math.ceil(least) : least;
};

/** The shortest value that a schema allows; used if no value was found. */
export function leastValue(schema: JsonSchema): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.includes(null) ? null : schema.enum[0];
  if (schema.anyOf)
    return leastValue((schema.anyOf.find((one) => typesOf(one).includes("null")) ?? schema.anyOf[0]) as JsonSchema);
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

function compiled(schema: JsonSchema): (value: unknown) => boolean {
  return new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
}

/** @returns whether a value satisfies the schema */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  return compiled(schema)(value);
}

/**
 * Checks whether answers can be constrained to a schema.
 * @returns undefined, or a clause that describes the first problem
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "it must be an object";
  if (JSON.stringify(schema).length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  const problem = new Checker().problem(schema, "schema", 0);
  if (problem !== undefined) return problem;
  try {
    const isValid = compiled(schema as JsonSchema);
    return isValid(leastValue(schema as JsonSchema))
      ? undefined
      : "no value satisfies it: its limits contradict each other";
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
