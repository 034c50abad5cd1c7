import { expect, test } from "vitest";
import { loudestFirst } from "./likely-rate.ts";

test("the loudest of the transcribed channels are checked first, and others in their order", () => {
  const levels = [-60, -20, -30, -30].map((speechDecibels) => ({ speechDecibels, rangeDecibels: 10 }));
  expect(loudestFirst([0, 2, 3], levels)).toEqual([2, 3, 0]);
  expect(loudestFirst([0, 1, 2, 3], levels)).toEqual([1, 2, 3, 0]);
});
