import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { flagOf } from "./moderation.ts";

const HALVES = ["chosen", "reported"] as const;

/** Rules were chosen on every second line. */
function texts(file: "innocent" | "true", half: (typeof HALVES)[number]): string[] {
  const lines = readFileSync(`test/fixtures/moderation/${file}.txt`, "utf8").trim().split("\n");
  return lines.filter((_, at) => at % 2 === HALVES.indexOf(half));
}

test.each(HALVES)("half %s: precision at least 98 %%, recall at least 90 %%", (half) => {
  const wrong = texts("innocent", half).filter((text) => flagOf(text) !== undefined);
  const missed = texts("true", half).filter((text) => flagOf(text) === undefined);
  const right = texts("true", half).length - missed.length;
  expect(right / (right + wrong.length), wrong.join("; ")).toBeGreaterThanOrEqual(0.98);
  expect(right / texts("true", half).length, missed.join("; ")).toBeGreaterThanOrEqual(0.9);
});
