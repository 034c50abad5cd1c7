import { expect, test } from "vitest";
import { writeTsv } from "./plain.ts";

const tsvOf = (text: string, name: string) => {
  const utterance = { start: 0, end: 1, speaker: 0, text };
  const transcription = { utterances: [utterance], speaker_names: [name] };
  const [, row = ""] = writeTsv({ transcription } as never).split("\n");
  return row.split("\t").slice(2);
};

test.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\n@x", "＝1"])(
  "a cell that begins like a formula is text: %j",
  (text) => {
    const cell = `'${text.trim()}`;
    expect(tsvOf(text, "Ada")).toEqual(["Ada", cell]);
    expect(tsvOf("Hello.", text)).toEqual([cell, "Hello."]);
  },
);

test("other cells stay as they are", () => {
  expect(tsvOf("It is 5 - 3 = 2.", "Ada-Lou")).toEqual(["Ada-Lou", "It is 5 - 3 = 2."]);
});
