import { expect, test } from "vitest";
import { statusWithoutReader } from "./closed-reader.ts";

test.each([
  [0, "jobs list --json"],
  [0, "jobs transcript 1"],
  [0, "transcribe --help"],
  [0, "transcribe -h"],
  [0, "login --status"],
  [0, ""],
  [141, "transcribe a.mp3 b.mp3"],
  [141, "jobs wait 1 2"],
  [141, "jobs audio 1 --output -"],
  [141, "models add list"],
  [141, "transcribe list"],
])("the status is %d if the reader of '%s' has left", (status, words) => {
  expect(statusWithoutReader(words.split(" ").filter(Boolean))).toBe(status);
});
