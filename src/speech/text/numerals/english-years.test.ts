import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string) => withNumerals(spokenUtterance(spoken)).text;

describe("years from 2000 on", () => {
  test.each([
    ["from two thousand one to two thousand nine", "from 2001 to 2009"],
    ["in two thousand eight, two thousand nine and two thousand ten", "in 2008, 2009 and 2010"],
    ["Two thousand eight was a bad year.", "2008 was a bad year."],
    ["The two thousand eight crisis", "The 2008 crisis"],
    ["the two thousand twelve Olympics", "the 2012 Olympics"],
    ["Between nineteen ninety five and two thousand one", "Between 1995 and 2001"],
    ["In two thousand eight, five people came", "In 2008, five people came"],
    ["in nineteen ninety nine and two thousand", "in 1999 and 2000"],
    ["prices fell between two thousand eight and two thousand ten", "prices fell between 2008 and 2010"],
  ])("have no comma: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["two thousand one people", "2,001 people"],
    ["It costs two thousand ten.", "It costs 2,010."],
    ["about two thousand ten", "about 2,010"],
    ["The total was two thousand fifteen.", "The total was 2,015."],
    ["between two thousand eight and two thousand ten people", "between 2,008 and 2,010 people"],
    ["from two thousand to three thousand people", "from 2,000 to 3,000 people"],
    ["from two thousand to three thousand dollars", "from $2,000 to $3,000"],
    ["It weighs two thousand ten kilograms.", "It weighs 2,010 kg."],
    ["the two thousand ten students", "the 2,010 students"],
    ["there were two thousand", "there were 2,000"],
  ])("an amount has one: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

describe("two pairs of digits", () => {
  test.each([
    "That comes to eighteen fifty.",
    "It adds up to exactly nineteen ninety nine.",
    "I owe you fifteen fifty.",
    "You still owe my brother fifteen fifty.",
    "The total is sixteen eighty.",
    "Your total with tax is sixteen eighty.",
    "Lunch was eighteen fifty.",
    "Lunch for two was only eighteen fifty.",
    "It goes for nineteen ninety nine.",
    "I got it for nineteen ninety nine.",
    "I spent eighteen sixty on lunch.",
    "I only have thirteen fifty left.",
    "Your change is thirteen forty.",
    "That's sixteen fifty.",
    "That'll be sixteen fifty, please.",
    "Can you lend me sixteen fifty?",
    "They are asking nineteen ninety nine.",
    "It was sixteen fifty in total.",
  ])("are no year behind words for a sum: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test.each([
    ["In eighteen fifty the total was higher.", "In 1850 the total was higher."],
    ["The total in eighteen fifty was higher.", "The total in 1850 was higher."],
    ["The year was eighteen sixty.", "The year was 1860."],
    ["The first bill was nineteen sixty four.", "The first bill was 1964."],
    ["She was born in nineteen eighty two.", "She was born in 1982."],
    ["Back in eighteen fifty lunch was cheap.", "Back in 1850 lunch was cheap."],
    ["Prices have gone up since nineteen ninety nine.", "Prices have gone up since 1999."],
    ["By eighteen fifty the town was empty.", "By 1850 the town was empty."],
    ["from fifteen fifty to sixteen fifty", "from 1550 to 1650"],
    ["On March nineteen eighty two he left.", "On March 1982 he left."],
    ["I spent nineteen eighty four in Rome.", "I spent 1984 in Rome."],
    ["That was nineteen sixty nine.", "That was 1969."],
    ["When it comes to nineteen eighty four, I know nothing.", "When it comes to 1984, I know nothing."],
    ["We left the country nineteen thirty nine.", "We left the country 1939."],
    ["We spent twenty twenty on Zoom.", "We spent 2020 on Zoom."],
    ["I spent nineteen eighty four and nineteen eighty five in Paris.", "I spent 1984 and 1985 in Paris."],
    ["What do you have for twenty twenty six?", "What do you have for 2026?"],
    ["That's nineteen forty five, not nineteen forty six.", "That's 1945, not 1946."],
    ["So that's twenty twenty three and twenty twenty four.", "So that's 2023 and 2024."],
    ["The tax reform was nineteen eighty six.", "The tax reform was 1986."],
    ["Now we're coming up to nineteen forty five.", "Now we're coming up to 1945."],
    ["It all comes down to twenty twenty four.", "It all comes down to 2024."],
    ["Orwell gave us nineteen eighty four.", "Orwell gave us 1984."],
  ])("are a year behind a marker or without words for a sum: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    "They won twenty seventeen.",
    "they lost twenty nineteen to the Bears",
    "they beat us twenty nineteen",
    "the Bears lead twenty seventeen",
    "out of twenty thirteen failed",
    "He paid nineteen 84 for it",
    "maybe fifteen twenty.",
    "like fifteen eighteen or so",
    "She was eighteen twenty at most",
    "at least twenty thirty",
    "twenty thirty page reports",
    "twenty ten gigabyte drives",
    "eighteen forty eight port switches",
    "fourteen eleven story buildings",
    "twenty fifteen person teams",
  ])("are no year: %s", (said) => {
    expect(write(said)).toBe(said);
  });

  test.each([
    ["She won in nineteen eighty four", "She won in 1984"],
    ["She won the twenty nineteen election", "She won the 2019 election"],
    ["She won Eurovision twenty nineteen", "She won Eurovision 2019"],
    ["three of them in twenty thirteen", "three of them in 2013"],
    ["it was nineteen eighty four", "it was 1984"],
    ["the twenty nineteen election results", "the 2019 election results"],
    ["my twenty fifteen Honda Civic", "my 2015 Honda Civic"],
    ["maybe nineteen eighty four", "maybe 1984"],
    ["maybe twenty twenty five", "maybe 2025"],
    ["it was like nineteen ninety", "it was like 1990"],
    ["in twenty thirty climate goals", "in 2030 climate goals"],
    ["the twenty sixteen season tickets", "the 2016 season tickets"],
    ["in nineteen, eighty four, we met", "in 1984, we met"],
    ["in nineteen, sixty two we met", "in 1962 we met"],
    ["the year nineteen, sixty two", "the year 1962"],
    ["nineteen hundred and eighty four", "1984"],
    ["in nineteen hundred and eighty four", "in 1984"],
    ["In nineteen, sixty three Kennedy was shot.", "In 1963 Kennedy was shot."],
    ["In fourteen, ninety two Columbus sailed.", "In 1492 Columbus sailed."],
    ["In nineteen, forty five Germany lost.", "In 1945 Germany lost."],
    ["In nineteen, sixty one is when it began.", "In 1961 is when it began."],
    ["It began in nineteen, sixty one during the cold war.", "It began in 1961 during the cold war."],
    ["in nineteen, sixty one alone.", "in 1961 alone."],
    ["In nineteen, sixty one its owner died.", "In 1961 its owner died."],
    ["In twenty nineteen unit sales fell.", "In 2019 unit sales fell."],
    ["In nineteen ninety key people left.", "In 1990 key people left."],
    ["In twenty twenty player salaries rose.", "In 2020 player salaries rose."],
    ["The twenty eighteen player awards.", "The 2018 player awards."],
  ])("are a year: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});

test.each([
  ["in nineteen, sixty two of them died", "in 19, 62 of them died"],
  ["by fifteen, thirty were done", "by 15, 30 were done"],
  ["by fifteen, thirty people left", "by 15, 30 people left"],
  ["nineteen hundred and eighty four people", "1,984 people"],
  ["It came to nineteen hundred and eighty.", "It came to 1,980."],
  ["He offered eighteen hundred and fifty.", "He offered 1,850."],
  ["We raised fifteen hundred and sixty.", "We raised 1,560."],
  ["Seating for eighteen hundred and fifty.", "Seating for 1,850."],
  ["the total was fifteen hundred and twenty", "the total was 1,520"],
  ["it costs nineteen hundred and eighty four", "it costs 1,984"],
])("two numbers and amounts are no year: %s", (said, written) => {
  expect(write(said)).toBe(written);
});

describe("decades", () => {
  test.each([
    ["the twenty tens", "the 2010s"],
    ["in the early nineteen tens", "in the early 1910s"],
    ["since the mid-twenty-tens", "since the mid-2010s"],
    ["the nineteen eighties", "the 1980s"],
    ["in the two thousand tens", "in the 2010s"],
    ["the early two thousand tens", "the early 2010s"],
    ["the two thousand twenties", "the 2020s"],
    ["the nineteen ninety's", "the 1990s"],
    ["nineteen ninety's", "1990's"],
    ["I have twenty tens", "I have 20 tens"],
    ["the twelve tens", "the 12 tens"],
  ])("of the teens are ones behind an article only: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });
});
