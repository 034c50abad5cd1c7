import { expect, test } from "vitest";
import { headerText } from "./header-text.ts";

test("a header has ASCII only, and the texts that fit", () => {
  expect(headerText("a is ignored", "größe is ignored")).toBe("a is ignored; gr??e is ignored");
});

test("texts that do not fit are counted, and a text that is too long ends in dots", () => {
  const warning = "w".repeat(99);
  expect(headerText(...Array.from({ length: 12 }, () => warning))).toBe(
    `${Array.from({ length: 9 }, () => warning).join("; ")} and 3 more`,
  );
  expect(headerText("x".repeat(1_001))).toBe(`${"x".repeat(997)}...`);
  expect(headerText("x".repeat(1_000), "y")).toBe(`${"x".repeat(1_000)} and 1 more`);
});
