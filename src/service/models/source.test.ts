import { expect, test } from "vitest";
import { similarModels } from "./source.ts";

test.each([
  ["base", "whisper-base"],
  ["tiny.en", "whisper-tiny.en"],
  ["Whisper-Bsae", "whisper-base"],
  ["wisper-base", "whisper-base"],
  ["large-v3", "whisper-large-v3"],
])("%s may mean %s", (given, meant) => {
  expect(similarModels(given)[0]).toBe(meant);
});

test("a name that resembles none has no suggestion", () => {
  expect(similarModels("zzzzqqqq")).toEqual([]);
  expect(similarModels("")).toEqual([]);
});
