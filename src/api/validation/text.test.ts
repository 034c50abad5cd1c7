import { expect, test } from "vitest";
import { textProblems } from "./text.ts";

test("texts that cannot be stored are named by their path", () => {
  expect(textProblems({ name: "a\0", inner: ["b", "\ud800"] })).toEqual([
    expect.stringMatching(/^name must not contain the character NUL/),
    expect.stringMatching(/^inner\.1 must not contain half of a surrogate pair/),
  ]);
});

test("of many, the last sentence counts the others", () => {
  const problems = textProblems(Array.from({ length: 32 }, () => "\0"));
  expect(problems).toHaveLength(20);
  expect(problems.at(-2)).toMatch(/^18 must not contain/);
  expect(problems.at(-1)).toBe("13 more texts must not contain such characters");
  expect(textProblems(Array.from({ length: 20 }, () => "\0"))).toHaveLength(20);
});
