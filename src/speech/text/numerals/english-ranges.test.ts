import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string, language = "en") => withNumerals(spokenUtterance(spoken, language)).text;

describe("ranges and lists", () => {
  test.each([
    ["en", "three hundred to four hundred thousand dollars"],
    ["en", "two hundred or three hundred thousand people"],
    ["en", "between two hundred and three hundred thousand people"],
    ["en", "a hundred to two hundred thousand people"],
    ["en", "twenty, thirty, or forty thousand dollars"],
    ["en", "two hundred, three hundred, or four hundred thousand people"],
    ["en", "twenty or thirty thousand dollars"],
    ["en", "2 to 3 million people"],
    ["fr", "trois cents à quatre cent mille euros"],
    ["fr", "vingt, trente ou quarante mille euros"],
    ["de", "zehn, zwanzig oder dreißigtausend Leute"],
    ["es", "doscientos o trescientos mil euros"],
    ["it", "venti, trenta o quarantamila euro"],
    ["nl", "twintig, dertig of veertigduizend euro"],
  ])("%s: numbers that share their thousands stay in words: %s", (language, said) => {
    expect(write(said, language)).toBe(said);
  });

  test.each([
    ["en", "two or three million dollars", "$2 or $3 million"],
    ["en", "one to two million euros", "€1 to €2 million"],
    ["en", "two, three, or four million dollars", "$2, $3, or $4 million"],
    ["en", "two or three dollars", "$2 or $3"],
    ["en", "between two hundred and three hundred dollars", "between $200 and $300"],
    ["en", "five, ten, or twenty dollars", "$5, $10, or $20"],
    ["pt", "entre dez e vinte reais", "entre R$ 10 e R$ 20"],
    ["nl", "tien tot twintig euro", "€ 10 tot € 20"],
  ])("%s: a currency stands at each number: %s", (language, said, written) => {
    expect(write(said, language)).toBe(written);
  });

  test.each([
    ["en", "two to three percent", "2 to 3%"],
    ["en", "two or three percent", "2 or 3%"],
    ["en", "between two and three percent", "between 2 and 3%"],
    ["en", "two to three miles", "2 to 3 miles"],
    ["en", "from one to two percent", "from 1 to 2%"],
    ["en", "two or three degrees", "2 or 3 degrees"],
    ["en", "two to three people", "two to three people"],
    ["en", "no one to two percent", "no one to 2%"],
    ["en", "two and three percent", "two and 3%"],
    ["en", "every one to two miles", "every one to 2 miles"],
    ["de", "zwei bis drei Prozent", "2 bis 3 %"],
    ["de", "fünf bis zehn", "5 bis 10"],
    ["de", "ein bis zwei Prozent", "1 bis 2 %"],
    ["de", "von fünf bis zehn Uhr", "von 5 bis 10 Uhr"],
    ["de", "zwei bis drei Millionen Menschen", "2 bis 3 Millionen Menschen"],
    ["de", "zwei bis drei Euro", "2 bis 3 €"],
    ["de", "zwischen zwei und drei Prozent", "zwischen 2 und 3 %"],
    ["de", "zwei und drei Prozent", "zwei und 3 %"],
    ["de", "zwei bis drei Leute", "zwei bis drei Leute"],
    ["de", "ein oder zwei Leute", "ein oder zwei Leute"],
    ["fr", "deux à trois pour cent", "2 à 3 %"],
    ["fr", "de cinq à dix", "de 5 à 10"],
    ["fr", "deux ou trois amis", "deux ou trois amis"],
    ["fr", "de deux à trois heures", "de deux à trois heures"],
    ["es", "dos a tres por ciento", "2 a 3 %"],
    ["es", "uno o dos por ciento", "1 o 2 %"],
    ["pt", "dois a três por cento", "2 a 3%"],
    ["it", "due o tre per cento", "2 o 3%"],
    ["nl", "twee tot drie procent", "2 tot 3%"],
    ["nl", "vijf tot tien", "5 tot 10"],
  ])("%s: the last number of a range decides the form of both: %s", (language, said, written) => {
    expect(write(said, language)).toBe(written);
  });

  test.each([
    ["two hundred to three hundred people", "200 to 300 people"],
    ["two to three million people", "2 to 3 million people"],
    ["In 1990, twenty dollars was a lot.", "In 1990, $20 was a lot."],
    ["room five and ten dollars", "room 5 and $10"],
    ["I have a five and a ten dollar bill", "I have a five and a $10 bill"],
  ])("other numbers stay as they are: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    ["two million and a half dollars", "$2.5 million"],
    ["a million and a half percent", "1.5 million%"],
    ["two million and a half people", "2.5 million people"],
    ["two and a half million dollars", "$2.5 million"],
  ])("half a million: %s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test("thousands of numbers joined by and are read in linear time", () => {
    const count = 5_000;
    expect(write(Array.from({ length: count }, () => "two hundred").join(" and "))).toBe(
      Array.from({ length: count }, () => "200").join(" and "),
    );
  });
});
