import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string) => withNumerals(spokenUtterance(spoken)).text;

describe("two numbers before a part of the day", () => {
  test.each([
    ["Your next dose is at eight thirty in the morning.", "Your next dose is at 8:30 in the morning."],
    ["My blood pressure pill is at eight thirty in the morning.", "My blood pressure pill is at 8:30 in the morning."],
    ["The stock opened at nine thirty this morning.", "The stock opened at 9:30 this morning."],
    ["The temperature peaked at three fifteen in the afternoon.", "The temperature peaked at 3:15 in the afternoon."],
    ["It was only two thirty in the morning.", "It was only 2:30 in the morning."],
    ["It is now three fifteen in the morning.", "It is now 3:15 in the morning."],
    ["On Monday nine thirty in the morning.", "On Monday 9:30 in the morning."],
    ["He texted me two thirty in the morning.", "He texted me 2:30 in the morning."],
    ["The game's seven thirty tonight.", "The game's 7:30 tonight."],
    ["Matches start at three fifteen in the afternoon.", "Matches start at 3:15 in the afternoon."],
  ])("are a time: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    "My blood sugar was two ten this morning.",
    "Her heart rate was one twenty this morning.",
    "My weight is one fifty five in the morning.",
    "I took one twenty five this morning.",
    "Take one twenty five in the morning.",
    "Gas was three fifty this morning.",
    "The stock was at three fifteen this morning.",
    "I paid three fifty this morning.",
    "The scale said one fifty five this morning.",
    "The price was three fifty in the morning.",
  ])("stay in words behind what was measured, paid or taken: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test("written as a time by the recogniser, a measured value becomes words", () => {
    expect(write("My blood sugar was 2:10 this morning.")).toBe("My blood sugar was two ten this morning.");
  });

  test.each([
    ["I woke up at three fifteen this morning.", "I woke up at 3:15 this morning."],
    ["I woke up three fifteen this morning.", "I woke up 3:15 this morning."],
    ["I took my pills at three fifteen this morning.", "I took my pills at 3:15 this morning."],
    ["I took the three fifteen this morning.", "I took the 3:15 this morning."],
    ["I paid at three fifteen this morning.", "I paid at 3:15 this morning."],
    ["It was three fifteen in the morning.", "It was 3:15 in the morning."],
    ["The clock said three fifteen this morning.", "The clock said 3:15 this morning."],
    ["My glucose was two ten at three fifteen this morning.", "My glucose was two ten at 3:15 this morning."],
    ["Trading starts at nine thirty in the morning.", "Trading starts at 9:30 in the morning."],
    ["Heart surgery is at seven thirty in the morning.", "Heart surgery is at 7:30 in the morning."],
    ["Three fifteen this morning was too early.", "3:15 this morning was too early."],
    ["Dinner is six thirty tonight.", "Dinner is 6:30 tonight."],
    ["at three fifteen this morning and four ten tonight", "at 3:15 this morning and 4:10 tonight"],
  ])("are a time elsewhere: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

describe("two numbers behind at", () => {
  test.each([
    "Tickets start at two fifty.",
    "Rooms start at one twenty five.",
    "The bidding starts at two fifty.",
    "Our packages begin at three fifty.",
    "The car was going at one twenty.",
    "We were driving at one ten on the freeway.",
  ])("stay in words for prices and speeds: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test.each([
    ["The meeting starts at two fifty.", "The meeting starts at 2:50."],
    ["Classes start at two fifty.", "Classes start at 2:50."],
    ["The tours start at two fifty.", "The tours start at 2:50."],
    ["The parade starts at two fifty.", "The parade starts at 2:50."],
    ["We start at two fifty.", "We start at 2:50."],
    ["Rooms open up, so tickets start at two fifty tomorrow.", "Rooms open up, so tickets start at 2:50 tomorrow."],
    ["The train goes at three fifty.", "The train goes at 3:50."],
    ["I am going at three fifty.", "I am going at 3:50."],
  ])("are a time for events: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

describe("two numbers in a row", () => {
  test.each([
    ["The meeting is at three thirty.", "The meeting is at 3:30."],
    ["See you tomorrow at five fifteen.", "See you tomorrow at 5:15."],
    ["The train leaves at eighteen forty.", "The train leaves at 18:40."],
    ["pick me up at seven oh five", "pick me up at 7:05"],
    ["wait until one twenty-five", "wait until 1:25"],
    ["it opened at one twenty-five p.m.", "it opened at 1:25 p.m."],
    ["the shop opened at nine thirty", "the shop opened at 9:30"],
    ["open from nine thirty to five fifteen", "open from 9:30 to 5:15"],
    ["the class is between two thirty and three fifteen", "the class is between 2:30 and 3:15"],
    ["from two thirty to four fifteen p.m.", "from 2:30 to 4:15 p.m."],
    ["It is seven 30 a.m.", "It is 7:30 a.m."],
    ["at eighteen hundred hours", "at 1800 hours"],
    ["at oh eight hundred hours", "at 0800 hours"],
    ["at eighteen thirty hours", "at 1830 hours"],
  ])("are a time where the words around them say so: %s", (spoken, written) => {
    expect(write(spoken)).toBe(written);
  });

  test.each([
    ["take one twenty-five milligrams", "take 125 mg"],
    ["bake it at three fifty degrees", "bake it at 350 degrees"],
    ["a three fifty degree oven", "a 350-degree oven"],
    ["Preheat your three fifty degree oven", "Preheat your 350-degree oven"],
    ["Use the one twenty volt outlet", "Use the 120-volt outlet"],
    ["from one ten to one twenty pounds", "from 110 to 120 pounds"],
    ["her blood pressure is one forty over ninety", "her blood pressure is 140/90"],
    ["he lives at twelve thirty Main Street", "he lives at 1230 Main Street"],
    ["sixteen hundred Pennsylvania Avenue", "1600 Pennsylvania Avenue"],
    ["I work eighteen hundred hours a year", "I work 1,800 hours a year"],
    ["twelve hundred hours of work", "1,200 hours of work"],
    ["at twelve hundred hours of service", "at 1,200 hours of service"],
    ["flight one twenty five is in room four twelve", "flight 125 is in room 412"],
    ["take bus one twenty at ten thirty in the morning", "take bus 120 at 10:30 in the morning"],
    ["area code four fifteen, extension two forty", "area code 415, extension 240"],
    ["Windows two thousand", "Windows 2000"],
    ["an aspect ratio of sixteen to nine", "an aspect ratio of 16:9"],
    ["a Boeing seven forty seven", "a Boeing 747"],
  ])("are one number before a unit and behind a name: %s", (spoken, written) => {
    expect(write(spoken)).toBe(written);
  });

  test.each([
    "The share opened at one twenty-five and closed at one thirty.",
    "priced at nineteen ninety nine",
    "at twelve fifty a share",
    "bake at three fifty for an hour",
    "his heart rate is at one ten",
    "the score was at ten twelve",
    "version three twelve",
    "John three sixteen",
    "it is at one twenty five",
    "around eleven thirty",
    "around ten eleven o'clock",
    "we met at ten eleven o'clock",
  ])("stay in words without evidence: %s", (spoken) => {
    expect(write(spoken)).toBe(spoken);
  });

  test.each([
    "Take two 20 mg tablets.",
    "I take one 10 mg tablet",
    "She takes two ten milligram pills",
    "I need one 12 volt battery.",
    "two twelve-ounce cans",
    "two 50 percent discounts",
    "one fifty percent discount",
    "we did one 90 degree turn",
    "six twenty foot containers",
    "two fifty horsepower engines",
    "two 50 horsepower engines",
    "one twelve volt supply",
    "one ten and one twenty pound dumbbells",
    "one ten to one 20 pounds",
    "we have two 10 a.m. meetings",
    "we have 2 10 a.m. meetings",
    "fifteen 10 a.m. meetings",
    "We have sixteen 16 gigabyte sticks",
  ])("a count and a measure are two numbers: %s", (spoken) => {
    expect(write(spoken)).toBe(spoken);
  });

  test.each([
    ["a two twenty volt outlet", "a 220-volt outlet"],
    ["one ten to one twenty pound dumbbells", "110 to 120-pound dumbbells"],
    ["it rose one twenty percent last year", "it rose 120% last year"],
    ["it is one fifty feet long", "it is 150 feet long"],
    ["take one twenty five mg twice a day", "take 125 mg twice a day"],
    ["take one twenty five mg daily", "take 125 mg daily"],
    ["at seven 30 a.m. we go", "at 7:30 a.m. we go"],
    ["at ten o'clock", "at 10 o'clock"],
  ])("are one number if nothing is counted: %s", (spoken, written) => {
    expect(write(spoken)).toBe(written);
  });

  test.each([
    ["The share opened at 1:25 and closed at 1:30.", "The share opened at one twenty-five and closed at one thirty."],
    ["bake it at 3:50 degrees", "bake it at 350 degrees"],
    ["at 12:30 Main Street", "at 1230 Main Street"],
    ["pressure is 1:40 over 90", "pressure is 140/90"],
    ["They lived at 1,600 Pennsylvania Avenue.", "They lived at 1600 Pennsylvania Avenue."],
    ["We used Windows 2,000 then.", "We used Windows 2000 then."],
    ["in 3:45 minutes", "in 3:45 minutes"],
    ["2:30 hours", "2:30 hours"],
    ["He ran it in 3:45 minutes.", "He ran it in 3:45 minutes."],
    ["a 1:45 minute video", "a 1:45 minute video"],
    ["a 4:30 mile", "a 4:30 mile"],
    ["a 3:45 a.m. flight", "a 3:45 a.m. flight"],
    ["It is 1:25.", "It is 1:25."],
    ["The meeting is at 3:30.", "The meeting is at 3:30."],
  ])("follow the same rules where the recogniser wrote them: %s", (heard, written) => {
    expect(write(heard)).toBe(written);
  });
});

const ONES = "one two three four five six seven eight nine".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
/** What a pair says and its digits. */
const pair = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 10, max: 99 })).map(([first, rest]) => {
  const tens = rest < 20 ? (TEENS[rest - 10] ?? "") : (TENS[Math.floor(rest / 10) - 2] ?? "");
  const ones = rest < 20 || rest % 10 === 0 ? "" : `-${ONES[(rest % 10) - 1]}`;
  return { spoken: `${ONES[first - 1] ?? TEENS[first - 10]} ${tens}${ones}`, digits: `${first}${rest}` };
});
const NO_TIME: readonly (readonly [before: string, behind: string])[] = [
  ["take", "milligrams every day"],
  ["the oven is at", "degrees"],
  ["the engine ran at", "rpm all day"],
  ["they walked for", "miles"],
  ["he weighs around", "pounds"],
  ["she lives at", "Elm Street"],
  ["we came from", "Martin Luther King Boulevard"],
  ["the stock closed at", ""],
  ["the price stayed around", "for a week"],
  ["it costs from", "up"],
  ["tickets at", "each"],
  ["the score was at", "then"],
  ["the fever is at", ""],
  ["in room", ""],
  ["on flight", "to Boston"],
  ["at gate", ""],
  ["extension", ""],
  ["the value was at", ""],
];

test("without evidence, no pair becomes a time, and no value changes", () => {
  fc.assert(
    fc.property(pair, fc.constantFrom(...NO_TIME), ({ spoken, digits }, [before, behind]) => {
      const text = `${before} ${spoken} ${behind}`.trim();
      const written = write(text);
      expect(written).not.toMatch(/\d:\d\d/);
      if (written !== text) expect(written.replace(/\D/g, "")).toBe(digits);
    }),
    { numRuns: 600 },
  );
});

test("a time that is said to be one is written with a colon", () => {
  const time = pair.filter(({ digits }) => Number(digits.slice(-2)) < 60);
  const context = fc.constantFrom(
    ["the train leaves at", ""],
    ["at", "p.m."],
    ["until", ""],
    ["dinner is at", "on Monday"],
  );
  fc.assert(
    fc.property(time, context, ({ spoken, digits }, [before, behind]) => {
      expect(write(`${before} ${spoken} ${behind}`.trim())).toContain(`${digits.slice(0, -2)}:${digits.slice(-2)}`);
    }),
  );
});

test("thousands of pairs in a row are read in linear time", () => {
  const count = 4_000;
  // A search of the whole text for each pair exceeds the time limit of a test.
  expect(write("one twenty to ".repeat(count).trim())).toContain("one twenty");
  expect(write("two hundred, ".repeat(count).trim())).toBe("200, ".repeat(count).trim());
  expect(write("twelve 13 ".repeat(count).trim())).toContain("13");
});
