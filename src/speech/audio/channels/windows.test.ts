import { expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { RecentSamples } from "./windows.ts";

test("any split of the samples gives the same result at half the rate", () => {
  const samples = noise(1, 0.5);
  const whole = new RecentSamples(16_000);
  whole.append(samples);
  const split = new RecentSamples(16_000);
  for (let at = 0, size = 1; at < samples.length; at += size, size = (size * 7 + 1) % 50) {
    split.append(samples.subarray(at, at + size));
  }
  expect(split.end).toBe(8_000);
  const [one, other] = [whole.at(0), split.at(0)];
  expect(other.buffer.subarray(other.index, other.index + 8_000)).toEqual(
    one.buffer.subarray(one.index, one.index + 8_000),
  );
});
