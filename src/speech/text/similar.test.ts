import { expect, test } from "vitest";
import { editDistance, similarNames } from "./similar.ts";

test("the distance counts inserted, left out, other and swapped characters", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("diarisation", "diarization")).toBe(1);
  expect(editDistance("lanugage", "language")).toBe(1);
  expect(editDistance("model", "model")).toBe(0);
});

test("the most similar names are first, distant ones are absent", () => {
  expect(similarNames("diarisation", ["translation", "diarization_config", "diarization"])[0]).toBe("diarization");
  expect(similarNames("Langauge", ["language", "model"])).toEqual(["language"]);
  expect(similarNames("zzz", ["language", "model"])).toEqual([]);
  expect(similarNames("x".repeat(1_000), ["x"])).toEqual([]);
});
