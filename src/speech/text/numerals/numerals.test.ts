import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberPairs, scoresOf, spokenUtterance, unchangedTexts } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string, language = "en", kept: string[] = []) =>
  withNumerals(spokenUtterance(spoken, language), kept).text;

describe("numbers in their usual form", () => {
  test("at least 300 pairs, precision 98 % and recall 90 % on the half that no rule was chosen on", () => {
    expect(numberPairs().length).toBeGreaterThanOrEqual(300);
    const { precision, recall, wrong } = scoresOf([...numberPairs("reported"), ...unchangedTexts("reported")], write);
    expect(precision, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  test("a sign or unit that is also a common word is interpreted by its context", () => {
    expect(write("three point one four one five")).toBe("3.1415");
    expect(write("a forty-second delay")).toBe("a 40-second delay");
    expect(write("on forty second street")).toBe("on 42nd street");
    expect(write("the Seventy-Sixers beat a seventy sixer")).toBe("the Seventy-Sixers beat a seventy sixer");
    expect(write("my e-mail is bob one two three at gmail dot com")).toBe(
      "my e-mail is bob one two three at gmail.com",
    );
    expect(write("visit example dot me")).toBe("visit example.me");
    expect(write("mi correo es ana arroba ejemplo punto es", "es")).toBe("mi correo es ana@ejemplo.es");
    expect(write("entre las diez y once", "es")).toBe("entre las 10 y 11");
    expect(write("um acht Uhr zwei Männer", "de")).toBe("um 8 Uhr zwei Männer");
    expect(write("deux heures dix minutes", "fr")).toBe("deux heures 10 minutes");
  });

  test.each([
    [
      "my card is forty two forty two forty two forty two forty two forty two forty two forty two",
      "4242 4242 4242 4242",
    ],
    ["it's forty one eleven eleven eleven eleven eleven eleven eleven", "4111 1111 1111 1111"],
    ["thirty seven eighty two eight two two four six three one oh oh oh five", "3782 822463 10005"],
    ["my number is four one five five five five twelve thirty four", "my number is 415-555-1234"],
    ["call me at five five five twelve thirty four", "call me at 555-1234"],
    ["my social is oh seven eight oh five eleven twenty", "my social is 078-05-1120"],
  ])("a number in pairs is one number: %s", (spoken, written) => {
    expect(write(spoken).replace("my card is ", "").replace("it's ", "")).toBe(written);
  });

  test.each([
    "seventy six one two three four five six seven eight nine",
    "twenty two five five five one two one two",
    "sixty six oh five five one two one two seven",
    "eighty two oh oh five",
    "in twenty one oh one people",
    "order nineteen eighty four oh two",
  ])("no row of digits begins inside a number: %s", (spoken) => {
    expect(write(spoken)).toBe(spoken);
  });

  test.each([
    "ten twenty thirty forty sixty",
    "one ten eleven twelve thirteen fourteen",
    "twenty, thirty, forty, sixty, seventy, ten, fifty, ninety",
  ])("a list of numbers is no telephone or card number: %s", (spoken) => {
    expect(write(spoken)).not.toMatch(/\d[- ]?\d\d/);
  });

  test("text without numbers is the same object", () => {
    for (const { spoken, language } of unchangedTexts()) {
      const heard = spokenUtterance(spoken, language);
      expect(withNumerals(heard), spoken).toBe(heard);
    }
  });

  test("written numbers stay unchanged", () => {
    for (const { written, language } of numberPairs()) expect(write(written, language)).toBe(written);
  });

  test("a number has the time of its words, and the marks around them", () => {
    const { words } = withNumerals(spokenUtterance('in ("nineteen eighty four"), twenty-five percent.'));
    expect(words.map(({ word, start, end }) => [word, start, end])).toEqual([
      ["in", 0, 1],
      [' ("1984"),', 1, 4],
      [" 25%.", 4, 6],
    ]);
  });

  test("vocabulary and spelling entries are never changed", () => {
    expect(write("the Seven Eleven at eleven", "en", ["seven eleven"])).toBe("the Seven Eleven at eleven");
    expect(write("Catch Twenty-Two and twenty three", "en", ["catch twenty two"])).toBe("Catch Twenty-Two and 23");
    expect(write("Blink One Eighty Two has twenty songs", "en", ["blink one eighty two"])).toBe(
      "Blink One Eighty Two has 20 songs",
    );
  });

  test("other languages are the same object", () => {
    const heard = spokenUtterance("двадцать пять", "ru");
    expect(withNumerals(heard)).toBe(heard);
  });

  test("thousands of numbers in one row are read", () => {
    const count = 4_000;
    const text = "two hundred, ".repeat(count).trim();
    expect(write(text)).toBe("200, ".repeat(count).trim());
  });

  test("thousands of phrases of the caller take no time for each utterance", () => {
    const kept = [...Array.from({ length: 10_000 }, (_, at) => `room ${at} gamma`), "club forty two"];
    const heard = spokenUtterance("we met twenty five people in club forty two", "en");
    // A search through all phrases for each utterance exceeds the time limit of a test.
    for (let at = 0; at < 500; at++) withNumerals(heard, kept);
    expect(withNumerals(heard, kept).text).toBe("we met 25 people in club forty two");
  });

  test("the full stop of p.m. ends the sentence, too", () => {
    expect(write("It leaves at six forty five PM.")).toBe("It leaves at 6:45 p.m.");
    expect(write("It leaves at six forty five p m. Then we go.")).toBe("It leaves at 6:45 p.m. Then we go.");
    expect(write("At six p.m., we go.")).toBe("At 6 p.m., we go.");
  });

  test("a number of which the first word is not read stays in words", () => {
    for (const said of [
      "It cost hundred fifty thousand dollars.",
      "Thousand five hundred dollars.",
      "Hundred and ten percent.",
    ])
      expect(write(said)).toBe(said);
  });

  test("thousands with decimals are exact", () => {
    expect(write("two point zero one thousand people, four point zero three thousand cars")).toBe(
      "2,010 people, 4,030 cars",
    );
  });

  test("French hundreds from eleven to nineteen", () => {
    expect(write("quinze cents euros, onze cents mètres, quinze cent trente", "fr")).toBe("1500 €, 1100 mètres, 1530");
  });

  test("hundreds said without the word have decimals", () => {
    expect(write("Her temperature was one oh one point four.")).toBe("Her temperature was 101.4.");
    expect(write("Set it to two twenty point five volts.")).toBe("Set it to 220.5 volts.");
  });

  test("notes of money are not one number with their count, and both sides of a size are digits", () => {
    for (const said of [
      "There are three twenty pound notes.",
      "He paid with twenty one dollar bills.",
      "They are two hundred dollar bills.",
      "She has twenty five pound notes.",
      "I need twenty-five euro notes.",
    ])
      expect(write(said)).toBe(said);
    expect(write("a hundred dollar bill and twenty dollar bills")).toBe("$100 bill and $20 bills");
    expect(write("one hundred dollar bills")).toBe("$100 bills");
    expect(write("It measures four by six inches.")).toBe("It measures 4 by 6 inches.");
  });

  test("capitals are read as small letters", () => {
    expect(write("Twenty Five Percent")).toBe("25%");
    expect(write("Zweiundvierzig Tage", "de")).toBe("42 Tage");
  });
});

const said = fc.constantFrom(
  ..."and the one two twenty nineteen hundred thousand million oh point five fifth second percent dollars a of January p m at dot com example double year old to".split(
    " ",
  ),
);

test("for any text, words are in order, keep their times, and make up the text", () => {
  const marked = fc.tuple(said, fc.constantFrom("", "", "", ",", ".", "?")).map(([word, mark]) => word + mark);
  const language = fc.constantFrom("en", "en", "de", "fr", "es", "pt", "it", "nl");
  fc.assert(
    fc.property(fc.array(marked, { minLength: 1, maxLength: 12 }), language, (texts, code) => {
      const heard = spokenUtterance(texts.join(" "), code);
      const written = withNumerals(heard);
      expect(written.words.map(({ word }) => word).join("")).toBe(written.text);
      expect(written.words[0]?.start).toBe(0);
      expect(written.words.at(-1)?.end).toBe(heard.end);
      for (const [at, word] of written.words.entries()) {
        expect(word.end).toBeGreaterThan(word.start);
        if (at > 0) expect(word.start).toBe(written.words[at - 1]?.end);
      }
    }),
    { numRuns: 3_000 },
  );
});
