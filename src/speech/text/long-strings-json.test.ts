import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzing } from "../../../test/fixtures/fuzzing.ts";
import { parseWithLongStrings } from "./long-strings-json.ts";

const MOST = 4_096;

/** The parsed value with its long strings in their places. */
function parsed(text: string): unknown {
  const found = parseWithLongStrings(Buffer.from(text), MOST);
  if (found.kind !== "value") return found.kind;
  return JSON.parse(JSON.stringify(found.value), (_, value) => found.strings.get(value)?.text() ?? value);
}

test("a text whose bytes are mostly long strings is parsed as JSON.parse does", () => {
  const long = fc.constantFrom("A".repeat(5_000), "+/\n".repeat(2_000), '"\\'.repeat(300), `${"\\".repeat(2_000)}`, "");
  const value = fc.record({
    type: fc.string(),
    data: fc.record({ chunk: long, other: fc.jsonValue({ maxDepth: 2 }) }),
  });
  const written = fc
    .tuple(value, fc.constantFrom(undefined, 2, "\t"))
    .map(([one, space]) => JSON.stringify(one, null, space));
  const property = fc.property(written, (text) => {
    expect(parsed(text)).toEqual(JSON.parse(text));
  });
  fc.assert(property, fuzzing(200));
});

test("escapes of a long string are read", () => {
  const text = `{"chunk": "${"\\/\\u002B\\u002f\\n".repeat(1_000)}"}`;
  expect(parsed(text)).toEqual(JSON.parse(text));
});

describe("is refused before it is parsed", () => {
  test.each([
    ["brackets", "[".repeat(33_554_432)],
    ["empty strings", `[${'"",'.repeat(11_000_000)}""]`],
    ["short strings", `[${'"abc",'.repeat(5_000_000)}""]`],
    ["quotation marks", '"'.repeat(33_554_432)],
    ["escaped quotation marks", `["${'\\"'.repeat(16_000_000)}"]`],
    ["a long name", `{"${"a".repeat(33_554_000)}":1}`],
    ["numbers", `[${"1,".repeat(16_000_000)}1]`],
  ])("%s", (_, text) => {
    expect(parsed(text)).toBe("large");
  });
});

test("what is not JSON is malformed", () => {
  for (const text of ["", "{", `{"a":"${"b".repeat(9_000)}"`, `"${"b".repeat(9_000)}" 1`])
    expect(parsed(text)).toBe("malformed");
});
