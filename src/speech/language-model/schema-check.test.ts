// Schemas of requests: what is refused, and that no schema costs more than its length.
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzing } from "../../../test/fixtures/fuzzing.ts";
import { type JsonSchema, leastCharacters, leastValue, satisfies } from "./json-schema.ts";
import { schemaProblem } from "./schema-check.ts";

const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : { type: "array", minItems: 9e15, items: nested(depth - 1, inner) };

describe("a schema that cannot be used is refused with the reason", () => {
  test.each([
    [{ type: "object", properties: { a: { type: "string", pattern: "x" } } }, /schema\.properties\.a\.pattern is not/],
    [{ type: "array", items: { type: "string" }, minItems: 3, maxItems: 1 }, /contradict/],
    [{ type: "integer", minimum: 5, maximum: 1 }, /contradict/],
    [{ type: "object" }, /must list its properties/],
    [{ type: "text" }, /schema\.type must be one of/],
    [{ type: [] }, /schema\.type must be one of/],
    [{ enum: [] }, /schema\.enum must be a list with at least one/],
    [[], /must be an object/],
    [{ $ref: "#" }, /\$ref is not supported/],
    [{ anyOf: {} }, /schema\.anyOf must be a list/],
    [{ anyOf: [] }, /schema\.anyOf must be a list/],
    [{ anyOf: [null] }, /schema\.anyOf\[0\] must be an object/],
    [{ properties: [] }, /schema\.properties must be an object/],
    [{ items: [] }, /schema\.items must be an object/],
    [{ items: true }, /schema\.items must be an object/],
    [{ type: "string", required: {} }, /schema\.required must be a list of names/],
    [{ type: "string", minLength: -1 }, /schema\.minLength must be an integer/],
    [{ type: "string", minLength: "5" }, /schema\.minLength must be an integer/],
    [{ type: "string", maxLength: Number.NaN }, /schema\.maxLength must be an integer/],
    [{ type: "array", minItems: 0.5 }, /schema\.minItems must be an integer/],
    [{ type: "number", minimum: Number.POSITIVE_INFINITY }, /schema\.minimum must be a number/],
    [{ type: "number", multipleOf: 1e-300 }, /schema\.multipleOf is not supported/],
    [JSON.parse('{"__proto__":{"minItems":5},"type":"array"}'), /schema\.__proto__ is not supported/],
    [{ constructor: 1, type: "string" }, /schema\.constructor is not supported/],
  ])("%j", (schema, reason) => {
    expect(schemaProblem(schema)).toMatch(reason);
  });
});

describe("a schema that requires more than a language model may write is refused before anything is made of it", () => {
  const list = (minItems: number, items: unknown) => ({ type: "array", minItems, items });
  test.each([
    ["nested lists", list(1_000, list(1_000, { type: "integer" })), /shortest answer would have/],
    ["a long list", list(30_000_000, { type: "integer" }), /minItems must be an integer from 0 to 1000/],
    ["lists of any depth", nested(11, { type: "string", minLength: 9e15 }), /minItems must be/],
    ["deep lists", list(999, list(999, list(999, list(999, {})))), /shortest answer would have/],
    ["a long text", { type: "string", minLength: 2 ** 30 }, /shortest answer would have 1073741826 characters/],
    ["an alternative", { anyOf: [{ type: "string", minLength: 9_007_199_254_740_991 }] }, /shortest answer would have/],
    [
      "many lists",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [at, list(900, {})])) },
      /shortest answer would have/,
    ],
  ])("%s", (_, schema, reason) => {
    expect(schemaProblem(schema)).toMatch(reason);
  });

  test("a list of fifty objects is not", () => {
    const item = { type: "object", properties: { name: { type: "string", minLength: 2 }, age: { type: "integer" } } };
    expect(schemaProblem(list(50, item))).toBeUndefined();
  });
});

/** Any schema of the supported keywords, contradictions and huge numbers included. */
const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const count = fc.oneof(fc.nat(3), fc.constantFrom(1_000, 100_000, 2 ** 31, 9e15));
  const value = fc.oneof(fc.constantFrom(0, -0, 1, 1.5, "", "a", "🎙", null, true), fc.jsonValue({ maxDepth: 2 }));
  return {
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom("string", "number", "integer", "boolean", "null", "array"),
            fc.uniqueArray(fc.constantFrom("string", "number", "integer", "boolean", "null"), { minLength: 1 }),
          ),
          minLength: count,
          maxLength: count,
          minItems: count,
          maxItems: count,
          minimum: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
          maximum: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
        },
        { requiredKeys: ["type"] },
      ),
      fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 4 }) }),
      fc.record({ const: value }),
      fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: count, maxItems: count }),
      fc.record(
        {
          properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), tie("schema")),
          required: fc.uniqueArray(fc.constantFrom("a", "b", "__proto__"), { maxLength: 2 }),
          additionalProperties: fc.boolean(),
        },
        { requiredKeys: ["properties"] },
      ),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    ),
  };
}).schema;

test("of any schema, the length of the shortest answer is known before it is made", () => {
  const property = fc.property(schemas, (schema) => {
    const characters = leastCharacters(schema);
    expect(characters).not.toBeNaN();
    if (characters > 100_000) expect(schemaProblem(schema)).toBeDefined();
    // Separators of the last items are counted, too.
    else expect(JSON.stringify(leastValue(schema)).length).toBeLessThanOrEqual(characters);
  });
  fc.assert(property, fuzzing(300));
});

test("values are valid where Ajv finds them valid", () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(0, -0, 1, 1.5, "", "a", "🎙", null, true, [], {}, { a: 1 }, { b: null, a: "" }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const property = fc.property(schemas, value, (schema, given) => {
    const isValid = new Ajv({ strict: false, logger: false, validateSchema: false }).compile(schema);
    // Ajv leaves out the one, and finds the other in every object.
    if (/"(?:__proto__|constructor)"/.test(JSON.stringify([schema, given]))) return;
    expect(satisfies(schema, given)).toBe(isValid(given));
  });
  fc.assert(property, fuzzing(150));
});
