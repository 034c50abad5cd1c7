import { expect, test } from "vitest";
import { warningsHeader } from "./warnings-header.ts";

test("warnings are joined, in ASCII", () => {
  expect(warningsHeader(["é is no flag", "b"])).toBe("? is no flag; b");
});

test("a header with many warnings, or with a long one, fits into the buffer of a proxy and states how many are left out", () => {
  const many = warningsHeader(Array.from({ length: 190 }, (_, at) => `keywords=Name${at}:2 has no weight here`));
  expect(many.length).toBeLessThan(2_100);
  const listed = many.split("; ");
  expect(listed.at(-1)).toBe(`${190 - (listed.length - 1)} more warnings`);
  expect(warningsHeader(["x".repeat(30_000), "y"]).length).toBeLessThan(2_100);
});
