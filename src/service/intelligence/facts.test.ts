// Texts of a language model, compared with the transcript.
import { describe, expect, test } from "vitest";
import { TranscriptFacts } from "./facts.ts";

const SOURCE =
  "My name is John Smith, I call about room 4527. It costs 1,200 dollars. We meet Anna-Lena on Monday at 12:30, twenty five people. We ship it, he said, before Friday.";
const facts = new TranscriptFacts(SOURCE);

describe("facts of the transcript are supported", () => {
  test.each([
    "John Smith calls about room 4527.",
    "John's room costs $1200.",
    "Anna-Lena meets 25 people at 12:30 on Monday.",
    'He said "we ship it".',
    "The caller asks. I would say OK.",
  ])("%s", (text) => expect(facts.missing(text)).toEqual([]));
});

describe("statements that the transcript does not contain are found", () => {
  test.each([
    ["The caller is Peter Miller.", ["Peter", "Miller"]],
    ["Sarah asks about the room.", ["Sarah"]],
    ["The room costs 1300 dollars.", ["1300"]],
    ["There are seventy guests.", ["seventy"]],
    ["They meet at 12:45.", ["12:45"]],
    ['He said "we will never ship it".', ["we will never ship it"]],
    ["They meet in Paris.", ["Paris"]],
  ])("%s", (text, missing) => expect(facts.missing(text).sort()).toEqual(missing.sort()));
});

test("sentences and points with unsupported facts are left out, the others stay as they are", () => {
  expect(facts.withoutUnsupported("John Smith calls. Peter answers. He has room 4527.")).toEqual({
    text: "John Smith calls. He has room 4527.",
    dropped: 1,
  });
  expect(facts.withoutUnsupported("- John calls\n- 99 rooms are free\n- Mr. Smith has room 4527")).toEqual({
    text: "- John calls\n- Mr. Smith has room 4527",
    dropped: 1,
  });
});

test("the numbers of a list are no facts", () => {
  expect(facts.missing("1. John calls.\n2. He pays.\n3. They meet.")).toEqual([]);
});

test("in German, nouns have capitals and only numbers are compared", () => {
  const german = new TranscriptFacts("Wir treffen uns um 14 Uhr im Büro.", "de");
  expect(german.missing("Das Treffen ist um 14 Uhr.")).toEqual([]);
  expect(german.missing("Das Treffen ist um 15 Uhr.")).toEqual(["15"]);
});
