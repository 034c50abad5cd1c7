import { expect, test } from "vitest";
import { unusedWidth } from "./width-option.ts";

test("--max-line-width is named where no format has rows", () => {
  expect(unusedWidth(20, ["txt", "json"])).toEqual([
    "--max-line-width has no effect: it is for the formats srt and vtt",
  ]);
  expect([unusedWidth(20, ["txt", "vtt"]), unusedWidth(undefined, ["txt"])]).toEqual([[], []]);
});
