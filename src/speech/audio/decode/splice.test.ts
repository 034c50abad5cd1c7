import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spliced } from "./splice.ts";

const SECOND = 16_000;
/** A tone with a pause from 0.5 s to 0.75 s. */
const plane = Int16Array.from({ length: SECOND }, (_, at) =>
  at >= 8_000 && at < 12_000 ? 0 : Math.round(10_000 * Math.sin(at / 5)),
);
const largestStep = (samples: Int16Array) =>
  samples.reduce((largest, value, at) => Math.max(largest, Math.abs(value - (samples[at - 1] ?? value))), 0);

describe("a splice", () => {
  test("is made in the pause and leaves the rest unchanged", () => {
    const [longer] = spliced([plane], 960) as [Int16Array];
    expect(longer).toHaveLength(SECOND + 960);
    expect(longer.subarray(0, 8_000)).toEqual(plane.subarray(0, 8_000));
    expect(longer.subarray(12_960)).toEqual(plane.subarray(12_000));
    const [shorter] = spliced([plane], -960) as [Int16Array];
    expect(shorter).toHaveLength(SECOND - 960);
    expect(shorter.subarray(0, 8_000)).toEqual(plane.subarray(0, 8_000));
    expect(shorter.subarray(11_040)).toEqual(plane.subarray(12_000));
  });

  test("does not click if there is no pause", () => {
    const tone = plane.subarray(0, 8_000);
    for (const change of [960, -960, 1, -1]) {
      const [changed] = spliced([tone], change) as [Int16Array];
      expect(largestStep(changed)).toBeLessThanOrEqual(largestStep(tone) + 400);
    }
  });

  test("changes all channels alike, by exactly the requested amount, or not at all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: -700, max: 700 }),
        (length, channels, change) => {
          const planes = Array.from({ length: channels }, (_, channel) =>
            Int16Array.from({ length }, (_, at) => ((at * 7_919 + channel) % 65_536) - 32_768),
          );
          const changed = spliced(planes, change);
          expect(changed).toHaveLength(channels);
          if (changed !== planes) for (const one of changed) expect(one).toHaveLength(length + change);
        },
      ),
    );
  });
});
