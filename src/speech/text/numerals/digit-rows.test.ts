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
    "He beat Nadal six two six four",
    "the sets were six four six two",
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
    ["I have four two six here", "I have 426 here"],
    ["I live at four two six Main Street", "I live at 426 Main Street"],
    ["I'm at one four two Elm Street.", "I'm at 142 Elm Street."],
    ["jane four two six at gmail dot com", "jane 426 at gmail.com"],
    ["two five zero milligrams", "250 milligrams"],
    ["three seven five degrees", "375 degrees"],
    ["He lost one four five pounds", "He lost 145 pounds"],
    ["two five six megabytes", "256 megabytes"],
    ["two four zero volts", "240 volts"],
    ["He won one two zero dollars", "He won 120 dollars"],
    ["Flight four two six lands soon.", "Flight 426 lands soon."],
    ["Room two one six stays open.", "Room 216 stays open."],
    ["Gate four two six closes soon.", "Gate 426 closes soon."],
    ["Ticket six four two needs work.", "Ticket 642 needs work."],
    ["We get four zero four errors.", "We get 404 errors."],
    ["We have seven four seven jets.", "We have 747 jets."],
    ["form one zero nine nine forms", "form 1099 forms"],
    ["We lost signal on channel six four two.", "We lost signal on channel 642."],
    ["He won ticket four two six.", "He won ticket 426."],
    ["I lost my four one two phone number.", "I lost my 412 phone number."],
    ["The match is on channel four two six.", "The match is on channel 426."],
    ["Her credit score is seven one two.", "Her credit score is 712."],
    ["I weigh one six four.", "I weigh 164."],
    ["Her glucose was one six two.", "Her glucose was 162."],
    ["My flight's four two six.", "My flight's 426."],
    ["My extension's four two six.", "My extension's 426."],
    ["I'm staying in four two six.", "I'm staying in 426."],
    ["At mile marker two one six.", "At mile marker 216."],
    ["Look at slide two one six.", "Look at slide 216."],
    ["Stay on two eight five.", "Stay on 285."],
    ["I said four two six seven.", "I said 4267."],
    ["Yeah, four two six seven.", "Yeah, 4267."],
    ["The last four digits are six four six two.", "The last four digits are 6462."],
    ["It ends with six six four three.", "It ends with 6643."],
    ["It ends with six four six three.", "It ends with 6463."],
    ["The combination is six four seven five.", "The combination is 6475."],
    ["Okay six four six two.", "Okay 6462."],
    ["a five one four area code", "a 514 area code"],
    ["We lost the house at six four six two Main Street", "We lost the house at 6462 Main Street"],
    ["I lost my six four six two card", "I lost my 6462 card"],
    ["I have three five five cans", "I have 355 cans"],
    ["She scored one eight zero", "She scored 180"],
  ])("digits of one number, the usual case: %s", (said, written) => {
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
