import { expect, test } from "vitest";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { withNumerals } from "./numerals.ts";

const written = (spoken: string) => withNumerals(utterance(spoken)).text;

test.each([
  ["call five five five dash one two one two please", "call 555-1212 please"],
  ["call five five five dash one two one two first", "call 555-1212 first"],
  ["the order number is four four two dash one seven.", "the order number is 442-17."],
  ["my number is one two three dash four five dash six seven eight nine", "my number is 123-45-6789"],
  ["reference A B four four dash two one", "reference A B 44-21"],
  ["it ends in double oh seven hyphen nine", "it ends in 007-9"],
  ["invoice 2024 dash seventeen", "invoice 2024-17"],
])("a spoken dash between digits is written as one: %s", (spoken, expected) => {
  expect(written(spoken)).toBe(expected);
});

test.each([
  "one dash two",
  "they made a dash for it",
  "the hundred meter dash and two others",
  "one two three, dash, four five six",
  "dash two three four five dash",
  "it weighs twenty dash thirty point five kilos",
  "ages twenty dash thirty something",
  "December twenty dash twenty first",
])("other dashes are words: %s", (spoken) => {
  expect(written(spoken)).toContain("dash");
});

test.each([
  ["I have twenty ten vision", "I have 20/10 vision"],
  ["twenty twenty vision with twenty forty eyesight", "20/20 vision with 20/40 eyesight"],
  ["our twenty thirty vision", "our 2030 vision"],
  ["companies having twenty thirty vision statements", "companies having 2030 vision statements"],
  ["drivers with twenty forty vision can drive", "drivers with 20/40 vision can drive"],
  ["I have twenty forty vision in my left eye", "I have 20/40 vision in my left eye"],
])("eyesight is no year: %s", (spoken, expected) => {
  expect(written(spoken)).toBe(expected);
});
