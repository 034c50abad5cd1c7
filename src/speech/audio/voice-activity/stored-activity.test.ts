import { expect, test } from "vitest";
import { activityText, parseActivity } from "./stored-activity.ts";

test("stored probabilities differ by less than 0.002 and are on the same side of 0.5", () => {
  const probabilities = Float32Array.from({ length: 10_001 }, (_, at) => at / 10_000);
  const stored = parseActivity(activityText(probabilities));
  expect(stored).toHaveLength(probabilities.length);
  for (const [at, probability] of probabilities.entries()) {
    const found = stored[at] as number;
    if (Math.abs(found - probability) > 0.002 || found >= 0.5 !== probability >= 0.5)
      expect.unreachable(`${probability}`);
  }
  expect(parseActivity("")).toHaveLength(0);
});
