import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string) => withNumerals(spokenUtterance(spoken)).text;

describe("digits between commas", () => {
  test.each([
    "It takes 5, 10, 15, 20 minutes.",
    "We saw 100, 200, 300 people.",
    "Sizes 36, 38, 40, 42, 44 are sold out.",
    "Rooms 101, 102, 103.",
    "On the 3, 10, 17, 24 of May.",
    "10, 9, 8, 7, 6, 5, 4, 3, 2, 1, liftoff.",
    "The years were 1984, 1990, 2001, 2010.",
    "I got 95, 87, 92, 88, 90 in my exams.",
    "Populations of 250, 317, 1204.",
    "We had 415, 555, 2671 votes.",
    "He won six four, six three, seven five.",
    "My ratings were 5, 0, 3.",
    "We measured 0, 3, 7 and 9.",
    "We measured 0, 3, 7, and 9.",
    "We ordered two, four, zero, and one pizzas.",
    "I gave it four, five, three, four, five.",
    "I gave it four, five, three, four, five, two, one.",
    "The group had one, three, five, two, four members.",
    "Call me at 5, 6, 7 or 8.",
    "In order they were 4, 5, 3, 4, 5.",
    "Ratings: 4, 5, 3, 5, 4, 2, 5, 1, 3, 4.",
    "The sets went 6 4, 6 3, 7 5, 2 6, 7 6.",
  ])("a list of numbers stays one: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test.each([
    ["Doses of 5, 10, 20, 40 milligrams.", "Doses of 5, 10, 20, 40 mg."],
    ["My numbers are ten, fifteen, eighteen, twenty two, thirty.", "My numbers are 10, 15, 18, 22, 30."],
    ["Rooms five oh three, six oh two, seven oh one.", "Rooms 503, 602, 701."],
    ["I am 35, 415 555 2671 is my phone number.", "I am 35, 415-555-2671 is my phone number."],
  ])("each number of a list is written by itself: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["Call us at 415, 555, 2671", "Call us at 415-555-2671"],
    ["415, 555, 2671.", "415-555-2671."],
    ["My number is 415 555, 2671", "My number is 415-555-2671"],
    ["Dial 1, 415, 555, 2671", "Dial 1-415-555-2671"],
    ["My card is 4111, 1111, 1111, 1111", "My card is 4111 1111 1111 1111"],
    ["My card is 1234, 1234, 1234, 1234", "My card is 1234 1234 1234 1234"],
    ["It was 3782, 822463, 10005.", "It was 3782 822463 10005."],
    ["My social is 078, 05, 1120.", "My social is 078-05-1120."],
    ["The phone number is 06, 12, 34, 56, 78.", "The phone number is 06 12 34 56 78."],
    ["My number is oh seven seven double oh, nine hundred, one two three", "My number is 07700900123"],
    ["four one five, five five five, two six seven one", "415-555-2671"],
    ["four one five, five five five, twenty six seventy one", "415-555-2671"],
    ["her phone is two oh two, five five five, oh one, ninety nine", "her phone is 202-555-0199"],
    ["My pin is four, zero, three, one.", "My pin is 4031."],
    ["The zip code is 9, 4, 1, 0, 3.", "The zip code is 94103."],
  ])("a telephone, card or other number is one number: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

describe("digits without commas", () => {
  test.each(["It takes 5 10 15 20 minutes.", "We saw 100 200 300 people.", "In 1984 1990 2001 2010."])(
    "numbers of equal steps and years stay apart: %s",
    (said) => {
      expect(write(said)).toBe(said);
    },
  );

  test.each(["numbers", "lottery numbers"])("several numbers are no telephone number: %s", (name) => {
    const said = `the winning ${name} are four eight fifteen sixteen twenty three forty two`;
    expect(write(said)).toBe(said);
  });

  test.each([
    "He won six two six four.",
    "six four six three six two",
    "a four four two formation",
    "He took one two three five steps",
    "she played a four two three one system",
    "they lined up in a four three three",
    "we have two four six people",
    "She served three five two eight meals",
    "we use a four two one split",
    "he plays a three four three",
    "the score was six four six two",
    "I have four two six here",
  ])("digits that nothing names are several numbers: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test.each([
    ["My pin is four zero three one.", "My pin is 4031."],
    ["the code is four oh two", "the code is 402"],
    ["area code four one five", "area code 415"],
    ["flight two four seven", "flight 247"],
    ["it was one oh one", "it was 101"],
    ["my order number is seven seven two one", "my order number is 7721"],
    ["I am agent double oh seven", "I am agent 007"],
    ["after nine one one we waited", "after 911 we waited"],
    ["the seven four seven landed", "the 747 landed"],
    ["Delta four two nine is late", "Delta 429 is late"],
    ["ending in four two seven one", "ending in 4271"],
    ["four two seven one", "4271"],
    ["yes four two seven one", "yes 4271"],
    ["no it is four two seven one", "no it is 4271"],
    ["psalm one one nine", "psalm 119"],
    ["take the four one five bus", "take the 415 bus"],
    ["a seven three seven max", "a 737 max"],
    ["an eight seven five area code", "an 875 area code"],
    ["error four two nine", "error 429"],
    ["version two one three", "version 213"],
    ["in row four two five", "in row 425"],
    ["He won four one five five five five two six seven one.", "He won 415-555-2671."],
  ])("digits that are named, alone or many are one: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["Call 415 555 2671.", "Call 415-555-2671."],
    ["4111 1111 1111 1111", "4111 1111 1111 1111"],
    ["415 555 26 71", "415-555-2671"],
  ])("a telephone or card number is one number: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

test("thousands of digits between commas are read in linear time", () => {
  const list = Array.from({ length: 20_000 }, (_, at) => `${(at * 7) % 10},`).join(" ");
  expect(write(list)).toBe(list);
});
