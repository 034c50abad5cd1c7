import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string) => withNumerals(spokenUtterance(spoken)).text;

describe("a house number before a numbered street", () => {
  test.each([
    ["I work at five hundred Fifth Avenue in New York.", "I work at 500 Fifth Avenue in New York."],
    ["at three hundred Fifth Avenue", "at 300 Fifth Avenue"],
    ["It is six hundred Third Avenue.", "It is 600 Third Avenue."],
    ["eleven hundred Fifth Avenue", "1100 Fifth Avenue"],
    ["Two thousand Fifth Avenue, please.", "2000 Fifth Avenue, please."],
    ["Ship it to two hundred and ten Fifth Avenue.", "Ship it to 210 Fifth Avenue."],
    ["She lives at one twenty five Second Street.", "She lives at 125 Second Street."],
    ["We are at twelve Seventh Ave.", "We are at 12 Seventh Ave."],
    ["five hundred Forty Second Street", "500 42nd Street"],
    ["five hundred Twelfth Place", "500 12th Place"],
    ["at one hundred Third Boulevard", "at 100 Third Boulevard"],
    ["I work at five hundred fifth avenue.", "I work at 500 fifth avenue."],
  ])("is a number of its own: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["the one hundred twenty fifth street station", "the 125th street station"],
    ["on Forty Second Street", "on 42nd Street"],
    ["on One Hundred Tenth Street", "on 110th Street"],
    ["on one hundred fifth street", "on 105th street"],
    ["his five hundredth Street View", "his 500th Street View"],
    ["our three hundred fifth street party", "our 305th street party"],
    ["Turn onto Fifth Avenue.", "Turn onto Fifth Avenue."],
  ])("is no part of the number of a street alone: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});
