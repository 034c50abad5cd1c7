import { expect, test } from "vitest";
import { vocabularyIn } from "../deepgram/parameters.ts";
import { Parameters } from "./parameters.ts";

test.each([
  ["0.7000000000000001", 0.7000000000000001],
  ["7e-1", 0.7],
  ["5E+2", 500],
  ["1000.00000000000000000000000", 1000],
  ["0", 0],
  ["-0.0", -0],
])("%s is a number", (text, number) => {
  const parameters = new Parameters({ given: text });
  expect(parameters.number("given", 0, 1000)).toBe(number);
  expect(parameters.problems).toEqual([]);
});

test.each([
  "1e3",
  "-1e-9",
  "1000.0000000001",
  "1e999",
  "12345678901234567890",
  "0x10",
  "1e",
  ".",
  "Infinity",
  "NaN",
  "1_0",
])("%s is refused as it was sent", (text) => {
  const parameters = new Parameters({ given: text });
  expect(parameters.number("given", 0, 999)).toBeUndefined();
  expect(parameters.problems).toEqual([`given must be a number from 0 to 999; it is "${text}"`]);
});

test("a weight of any such number is separated from its word", () => {
  const parameters = new Parameters({ keywords: ["Ada:0.30000000000000004", "ENIAC:1e1", "noise:-1.5", "a:b"] });
  expect(vocabularyIn(parameters)).toEqual(["Ada", "ENIAC", "a:b"]);
});
