import { expect, test } from "vitest";
import { UnrecognizedStretches } from "./unrecognized-stretches.ts";

const event = (channel: number, start: number, end: number) => ({
  kind: "speechUnrecognized" as const,
  channel,
  range: [start, end] as [number, number],
});

test("a stretch is reported once, and not where another channel has words", () => {
  const stretches = new UnrecognizedStretches();
  const finals = [{ channel: 1, start: 4, end: 6 }];
  expect(stretches.isNew(event(0, 1, 2), finals)).toBe(true);
  stretches.add(event(0, 1, 2));
  expect(stretches.isNew(event(0, 1, 2), finals)).toBe(false);
  expect(stretches.isNew(event(0, 5, 7), finals)).toBe(false);
  expect(stretches.isNew(event(1, 5, 7), finals)).toBe(true);
});

test("speech in a language without a model is reported once, and is not in this warning", () => {
  const stretches = new UnrecognizedStretches();
  const foreign = { ...event(0, 1, 2), isForeign: true as const };
  expect(stretches.isNew(foreign, [])).toBe(true);
  stretches.add(foreign);
  expect([stretches.isNew(foreign, []), stretches.warning]).toEqual([false, undefined]);
});

test("the warning of the result lists all stretches in order", () => {
  const stretches = new UnrecognizedStretches();
  expect(stretches.warning).toBeUndefined();
  stretches.add(event(0, 8, 9));
  stretches.add(event(1, 2, 3.5));
  expect(stretches.warning).toContain("2.5 s of voice activity, at 2.0 to 3.5 s, 8.0 to 9.0 s");
});
