import { expect, test } from "vitest";
import { ProcessorMeter } from "./processor-meter.ts";

test("concurrent tasks divide the time in which they ran at once, and time without a task belongs to none", () => {
  let used = 0;
  const meter = new ProcessorMeter(() => used);
  used = 50;
  const first = meter.begin();
  used += 10;
  const second = meter.begin();
  used += 20;
  expect(first()).toBe(20);
  used += 5;
  expect(second()).toBe(15);
  used += 100;
  const third = meter.begin();
  used += 1;
  expect(third()).toBe(1);
});

test("while an urgent task runs, the others take no time", () => {
  let used = 0;
  const meter = new ProcessorMeter(() => used);
  const partial = meter.begin();
  used += 10;
  const final = meter.begin(true);
  used += 20;
  expect(final()).toBe(20);
  used += 5;
  expect(partial()).toBe(15);
});
