import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { flagOf } from "./moderation.ts";

/** The rules were chosen with the first set; the other one was written afterwards and changed no rule. */
const SETS = ["chosen", "reported"] as const;
const LEAST_EXAMPLES = { chosen: 200, reported: 100 };

const texts = (set: (typeof SETS)[number], kind: "innocent" | "true"): string[] =>
  readFileSync(`test/fixtures/moderation/${kind}-${set}.txt`, "utf8").trim().split("\n");

test.each(SETS)("set %s: precision at least 98 %%, recall at least 90 %%", (set) => {
  const foul = texts(set, "true");
  const wrong = texts(set, "innocent").filter((text) => flagOf(text) !== undefined);
  const missed = foul.filter((text) => flagOf(text) === undefined);
  const right = foul.length - missed.length;
  expect(Math.min(foul.length, texts(set, "innocent").length)).toBeGreaterThanOrEqual(LEAST_EXAMPLES[set]);
  expect(right / (right + wrong.length), wrong.join("; ")).toBeGreaterThanOrEqual(0.98);
  expect(right / foul.length, missed.join("; ")).toBeGreaterThanOrEqual(0.9);
});
