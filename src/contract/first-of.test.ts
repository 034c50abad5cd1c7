import { expect, test } from "vitest";
import { firstOf, listed } from "./first-of.ts";

test("a list within the bound is whole", () => {
  expect(firstOf(["a", "b"], 2)).toEqual({ first: ["a", "b"], rest: 0 });
  expect(listed(["a", "b"], 2)).toBe("a, b");
  expect(listed([], 2)).toBe("");
});

test("of a longer one, the others are counted", () => {
  expect(firstOf(["a", "b", "c"], 2)).toEqual({ first: ["a", "b"], rest: 1 });
  expect(firstOf(["a", "b", "c"], -1)).toEqual({ first: [], rest: 3 });
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
  expect(listed(["a", "b", "c"], 1, "; ")).toBe("a and 2 more");
});
