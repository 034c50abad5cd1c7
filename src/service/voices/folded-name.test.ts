import { expect, test } from "vitest";
import { foldedName } from "./folded-name.ts";

test.each([
  ["case", "Maria", "mARIA"],
  ["composition", "Jos\u00e9", "Jose\u0301"],
  ["width", "Maria", "\uff2d\uff41\uff52\uff49\uff41"],
  ["ligatures", "Ofia", "O\ufb01a"],
  ["letters with two upper case letters", "Stra\u00dfe", "STRASSE"],
  ["case and composition", "\u0130pek", "I\u0307PEK"],
])("names that differ only by %s are one name", (_, one, other) => {
  expect(foldedName(one)).toBe(foldedName(other));
});

test("other names differ", () => {
  expect(foldedName("Maria")).not.toBe(foldedName("Mario"));
  expect(foldedName("Jos\u00e9")).not.toBe(foldedName("Jose"));
});
