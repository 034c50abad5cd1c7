import { expect, test } from "vitest";
import { LeakTimes } from "./leak-times.ts";

test("periods are found in order, and joined where they meet", () => {
  const times = new LeakTimes();
  times.add(512, 1_024, "possible");
  times.add(1_024, 1_536, "possible");
  times.add(1_536, 2_048, "found");
  const samples = [0, 512, 1_024, 1_535, 1_536, 2_047, 2_048];
  expect(samples.map((sample) => times.at(sample))).toEqual([
    ...[undefined, "possible", "possible", "possible"],
    ...["found", "found", undefined],
  ]);
});

test("a part of a period that is added again does not change it", () => {
  const times = new LeakTimes();
  times.add(0, 1_024, "found");
  times.add(512, 1_024, "possible");
  times.add(1_024, 1_536, "found");
  expect([0, 600, 1_100, 1_600].map((sample) => times.at(sample))).toEqual(["found", "found", "found", undefined]);
});
