// Checks the JSON schema of a request: no keyword is ignored silently, and every number in it is bounded before it becomes a length.
// It runs on the service's thread. Its work is bounded by the length of the schema: no part is visited twice, and the answer that
// the schema requires is made only after its length was computed.
import { isObject, type JsonSchema, leastCharacters, leastValue, satisfies, TYPES, typesOf } from "./json-schema.ts";

/** Keywords that do not affect validity. */
const ANNOTATIONS = new Set(
  "$schema $id $comment title description default examples deprecated readOnly writeOnly format".split(" "),
);
const MOST_DEPTH = 12;
const MOST_NODES = 500;
const MOST_CHARACTERS = 20_000;
/** Length of the shortest answer that a schema may require: about 3,000 tokens, more than a language model may write. */
const MOST_LEAST_CHARACTERS = 10_000;
/** Repetitions of one rule in a grammar; llama.cpp refuses 2,000. */
const MOST_LEAST_ITEMS = 1_000;

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown) => typeof value === "string";
const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const isType = (value: unknown) => TYPES.some((type) => type === value);

type Rule = readonly [isValid: (value: unknown) => boolean, must: string];
const COUNT: Rule = [isCount, "must be an integer from 0"];
const NUMBER: Rule = [Number.isFinite, "must be a number, below 1.8e308"];
const ANYTHING: Rule = [() => true, ""];

/** What the value of each keyword must be. */
const KEYWORDS: ReadonlyMap<string, Rule> = new Map([
  [
    "type",
    [(value) => isType(value) || (isFilled(value) && value.every(isType)), `must be one of ${TYPES.join(", ")}`],
  ],
  ["properties", [isObject, "must be an object"]],
  ["required", [(value) => Array.isArray(value) && value.every(isText), "must be a list of names"]],
  ["items", ANYTHING],
  ["enum", [isFilled, "must be a list with at least one value"]],
  ["const", ANYTHING],
  ["anyOf", [isFilled, "must be a list with at least one schema"]],
  [
    "minItems",
    [
      (value) => isCount(value) && (value as number) <= MOST_LEAST_ITEMS,
      `must be an integer from 0 to ${MOST_LEAST_ITEMS}`,
    ],
  ],
  ["maxItems", COUNT],
  ["minLength", COUNT],
  ["maxLength", COUNT],
  ["minimum", NUMBER],
  ["maximum", NUMBER],
  ["additionalProperties", [(value) => typeof value === "boolean", "must be true or false"]],
]);

class Checker {
  private nodes = 0;

  /** @returns a sentence about the first keyword that cannot be used */
  problem(schema: unknown, at: string, depth: number): string | undefined {
    if (!isObject(schema)) return `${at} must be an object`;
    if (depth > MOST_DEPTH) return `${at} is more than ${MOST_DEPTH} levels deep`;
    if (++this.nodes > MOST_NODES) return `it has more than ${MOST_NODES} parts`;
    return keywordProblem(schema, at) ?? this.partsProblem(schema, at, depth);
  }

  private partsProblem({ properties, items, anyOf }: JsonSchema, at: string, depth: number): string | undefined {
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

function keywordProblem(schema: JsonSchema, at: string): string | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const rule = KEYWORDS.get(keyword);
    if (!rule) return `${at}.${keyword} is not supported; supported are ${[...KEYWORDS.keys()].join(", ")}`;
    const [isValid, must] = rule;
    if (!isValid(value)) return `${at}.${keyword} ${must}`;
  }
  const isOpen = !schema.properties && !schema.anyOf && schema.enum === undefined && !("const" in schema);
  return typesOf(schema).includes("object") && isOpen ? `${at} must list its properties` : undefined;
}

/**
 * Checks whether answers can be constrained to a schema.
 * @param schema  nested at most as deep as a request may be
 * @returns undefined, or a clause that describes the first problem
 */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "it must be an object";
  if (JSON.stringify(schema).length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  const problem = new Checker().problem(schema, "schema", 0);
  if (problem !== undefined) return problem;
  const characters = leastCharacters(schema);
  if (characters > MOST_LEAST_CHARACTERS) {
    return `the shortest answer would have ${characters} characters; its minItems and minLength may require at most ${MOST_LEAST_CHARACTERS}`;
  }
  return satisfies(schema, leastValue(schema)) ? undefined : "no value satisfies it: its limits contradict each other";
}
