// Answers in JSON: whatever the model writes and wherever it is cut, what is returned satisfies the schema.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grammarOf } from "./grammar.ts";
import { jsonAnswer } from "./json-answer.ts";
import { type JsonSchema, leastValue, satisfies } from "./json-schema.ts";
import { schemaProblem } from "./schema-check.ts";

const PERSONS: JsonSchema = {
  type: "object",
  properties: {
    persons: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: ["integer", "null"], minimum: 0, maximum: 130 } },
        required: ["name", "age"],
      },
    },
    mood: { enum: ["good", "bad", null] },
  },
  required: ["persons", "mood"],
};

const ANSWER = '{"persons": [{"name": "Ann \\"A\\" Lee", "age": 41}, {"name": "Bo", "age": null}], "mood": "good"}';

describe("a whole answer", () => {
  test("is returned as it is", () => {
    expect(jsonAnswer(ANSWER, PERSONS)).toEqual(JSON.parse(ANSWER));
  });

  test("may stand in a fence or between words", () => {
    expect(jsonAnswer(`Here you are:\n\`\`\`json\n${ANSWER}\n\`\`\``, PERSONS)).toEqual(JSON.parse(ANSWER));
    expect(jsonAnswer(`Sure! ${ANSWER} Anything else?`, PERSONS)).toEqual(JSON.parse(ANSWER));
  });

  test("loses values outside of their limits", () => {
    expect(jsonAnswer('{"persons": [{"name": "Ann", "age": 999}], "mood": "sad"}', PERSONS)).toEqual({
      persons: [{ name: "Ann", age: null }],
      mood: null,
    });
  });

  test("without JSON is an error", () => {
    expect(() => jsonAnswer("I cannot do that.", PERSONS)).toThrow(SyntaxError);
  });
});

test("an answer that is cut at any place satisfies the schema, and has nothing that was not written", () => {
  for (let length = 1; length < ANSWER.length; length++) {
    const value = jsonAnswer(ANSWER.slice(0, length), PERSONS) as { persons: { name: string; age: number | null }[] };
    expect(satisfies(PERSONS, value)).toBe(true);
    for (const { name, age } of value.persons) {
      expect(['Ann "A" Lee', "Bo", ""]).toContain(name);
      expect([41, null]).toContain(age);
    }
  }
});

test("names and values with quotes, backslashes and line breaks are literals of the grammar", () => {
  const grammar = grammarOf({ type: "object", properties: { 'a"b\\': { enum: ["x\ny"] } } });
  expect(grammar).toContain(String.raw`"\"a\\\"b\\\\\": "`);
  expect(grammar).toContain(String.raw`"\"x\\ny\""`);
});

test.each([
  ["nested brackets without an end", "[".repeat(1_000_000)],
  ["the beginning of a fence, repeated", `\`\`\`${" ".repeat(1_000_000)}`],
  ["a list of a million empty objects", `{"persons":[${"{},".repeat(1_000_000)}`],
])("%s is an error or a value, whatever its length", (_, text) => {
  try {
    expect(satisfies(PERSONS, jsonAnswer(text, PERSONS))).toBe(true);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(SyntaxError);
  }
});

const schemas: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>(
      { type: "string" },
      { type: "string", minLength: 2, maxLength: 5 },
      { type: "integer", minimum: 1, maximum: 9 },
      { type: "number", minimum: 0 },
      { type: "boolean" },
      { type: ["string", "null"] },
      { enum: ["a", "b", 3] },
      { const: { a: 1 } },
    ),
    fc.record({
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 2, max: 4 }),
    }),
    fc
      .dictionary(fc.string({ minLength: 1, maxLength: 5 }), tie("schema"), { minKeys: 1, maxKeys: 4 })
      .map((properties) => ({ type: "object", properties, required: Object.keys(properties) })),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
  ),
})).schema;

test("for any schema, any text is an error or becomes a value that satisfies it", () => {
  fc.assert(
    fc.property(schemas, fc.oneof(fc.json(), fc.string()), (schema, text) => {
      expect(schemaProblem(schema)).toBeUndefined();
      expect(satisfies(schema, leastValue(schema))).toBe(true);
      let value: unknown;
      try {
        value = jsonAnswer(text, schema);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(SyntaxError);
        return;
      }
      expect(satisfies(schema, value)).toBe(true);
    }),
  );
});
