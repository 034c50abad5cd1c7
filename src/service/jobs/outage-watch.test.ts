import { expect, test } from "vitest";
import { OutageWatch } from "./outage-watch.ts";

test("after a failure, leases do not count for as long as a lease", () => {
  const watch = new OutageWatch();
  expect(watch.isRecent(0)).toBe(false);
  watch.failed(1_000);
  expect(watch.isRecent(15_999)).toBe(true);
  expect(watch.isRecent(16_000)).toBe(false);
  watch.failed(31_000);
  expect(watch.isRecent(45_999)).toBe(true);
  expect(watch.isRecent(46_000)).toBe(false);
});
