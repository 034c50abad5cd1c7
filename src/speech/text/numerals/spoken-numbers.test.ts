import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";
import { withoutNumerals } from "./spoken-numbers.ts";

const speak = (text: string, language = "en", kept: string[] = []) =>
  withoutNumerals(spokenUtterance(text, language), kept).text;

describe("numerals: false", () => {
  test.each([
    ["It was 14,738 of them.", "It was fourteen thousand seven hundred thirty-eight of them."],
    ["We sold 150 units in March, 1982.", "We sold one hundred fifty units in March, nineteen eighty-two."],
    ["It opened at 1:25 and closed at 3:00.", "It opened at one twenty-five and closed at three o'clock."],
    ["Call 555-1234 now.", "Call five five five one two three four now."],
    ["my card is 4111 1111", "my card is four one one one one one one one"],
    ["$5.50 is 25% of $2 million.", "Five dollars and fifty cents is twenty-five percent of two million dollars."],
    [
      "the 21st of June, the 1980s, January 5, 2024",
      "the twenty-first of June, the nineteen eighties, January fifth, twenty twenty-four",
    ],
    ["it is -5 or 3.14 or 007", "it is minus five or three point one four or zero zero seven"],
    ["140/90, 16:9, 24/7 and 1/2", "One hundred forty over ninety, sixteen to nine, twenty-four seven and one half"],
    ["from 6:45pm to 7PM, or 6:00 am", "from six forty-five pm to seven pm, or six am"],
    [
      "from 10:30-11:00, 10-15% of $5–10",
      "from ten thirty to eleven o'clock, ten to fifteen percent of five to ten dollars",
    ],
    ["in 2019-2021, on 12/25/2020", "in twenty nineteen to twenty twenty-one, on twelve twenty-five twenty twenty"],
    ["it is $2.5M, US$5 or 20€", "it is two point five million dollars, five US dollars or twenty euros"],
    ["the mid-1990s, a 21st-century idea", "the mid-nineteen nineties, a twenty-first-century idea"],
    [
      "a 13.5-inch one at 192.168.1.1",
      "a thirteen point five-inch one at one nine two point one six eight point one point one",
    ],
    ["Done. 7 left", "Done. Seven left"],
    [
      "about 1/3 of 100-200 people paid $1 million, £1m or $1",
      "about one third of one hundred to two hundred people paid one million dollars, one million pounds or one dollar",
    ],
    ["12 € or 5 $ of 12,50 €", "Twelve euros or five dollars of twelve euros and fifty cents"],
    ["10 000 people, 1 000 000 of 1.000.000", "Ten thousand people, one million of one million"],
    ["It costs 250 000 €.", "It costs two hundred fifty thousand euros."],
    ["Call 555 000 1234 now.", "Call five five five zero zero zero one two three four now."],
    ["10 km or 30°C", "Ten kilometers or thirty degrees Celsius"],
    ["It was No. 7 on the list.", "It was No. seven on the list."],
    ["See Fig. 3 on p. 5. 7 of us did... 7.", "See Fig. three on p. five. Seven of us did... seven."],
    ["In May 12 people died, and in June 12 new ones.", "In May twelve people died, and in June twelve new ones."],
    ["They march 20 miles a day on march 5.", "They march twenty miles a day on march fifth."],
    ["It may 5 times out of 10 fail.", "It may five times out of ten fail."],
    ["The September 11 attacks.", "The September eleventh attacks."],
    ["On March 5 protests began.", "On March fifth protests began."],
    [
      "On January 5 of last year I gave it 8/10, in 6/8 time.",
      "On January fifth of last year I gave it eight ten, in six eight time.",
    ],
    ["On June 3 we met, on July 4 Anna.", "On June third we met, on July fourth Anna."],
    [
      "on May 5. The July 4 parade of May 5 2024",
      "on May fifth. The July fourth parade of May fifth twenty twenty-four",
    ],
    [
      "It is 7/8 of an inch, 3/8 and 11/16, on 5/8 after 2/5 of it",
      "It is seven eighths of an inch, three eighths and eleven sixteenths, on five eight after two fifths of it",
    ],
    ["1/8 of 9/11 and 10/10", "One eighth of nine eleven and ten ten"],
    [
      "The war of 1914-18 and of 1914–18",
      "The war of nineteen fourteen to eighteen and of nineteen fourteen to eighteen",
    ],
    [
      "the 2020/21, 2005/06 and 1999/2000 seasons",
      "the twenty twenty twenty-one, two thousand five oh six and nineteen ninety-nine two thousand seasons",
    ],
    ["as of 2005-03", "as of two zero zero five zero three"],
    ["on 2012-12-04", "on twenty twelve twelve oh four"],
    ["Call (555) 123-4567 now.", "Call (five five five) one two three four five six seven now."],
    ["Call (555) 123 4567 now.", "Call (five five five) one two three four five six seven now."],
    ["two of them (555) 12 times", "two of them (five hundred fifty-five) twelve times"],
  ])("%s", (written, spoken) => {
    expect(speak(written)).toBe(spoken);
  });

  test.each([
    ["de", "um 14.738 oder 3,5 Prozent", "um vierzehntausendsiebenhundertachtunddreißig oder drei Komma fünf Prozent"],
    ["fr", "en 1984, 99 pages", "en mille neuf cent quatre-vingt-quatre, quatre-vingt-dix-neuf pages"],
    ["es", "hay 21000", "hay veintiún mil"],
    ["pt", "em 2024", "em dois mil e vinte e quatro"],
    ["it", "sono 1000 o 21000", "sono mille o ventunomila"],
    ["nl", "in 1984", "in negentienhonderdvierentachtig"],
    ["nl", "22 en 33", "Tweeëntwintig en drieëndertig"],
    [
      "fr",
      "300 000 euros et 80 000, appelez le 06 123 456",
      "Trois cent mille euros et quatre-vingt mille, appelez le zéro six cent vingt-trois quatre cent cinquante-six",
    ],
    ["fr", "Il coûte 2 500 000 euros ou 2 500 000,50.", "Il coûte 2 500 000 euros ou 2 500 000,50."],
    ["es", "Cuesta 1 250 000 euros, no 12.", "Cuesta 1 250 000 euros, no doce."],
    ["es", "Son 2 500 201 personas.", "Son 2 500 201 personas."],
    ["de", "Das kostet 2 500 000 Euro.", "Das kostet 2 500 000 Euro."],
    ["fr", "200 pages, 80 pages, 1 page, 21 pages", "Deux cents pages, quatre-vingts pages, 1 page, 21 pages"],
    ["de", "um 3,5 % und 99 %", "um drei Komma fünf Prozent und neunundneunzig Prozent"],
    ["fr", "de 3,5 % ou 21 %", "de trois virgule cinq pour cent ou vingt et un pour cent"],
    ["de", "12,50 € für 1 €, 12€ oder 0,99 €", "Zwölf Euro fünfzig für ein Euro, zwölf Euro oder neunundneunzig Cent"],
    ["fr", "soit 12,50 € ou 21 €", "soit douze euros cinquante ou vingt et un euros"],
    ["es", "cuesta 12,50 € o 200 $", "cuesta doce euros con cincuenta o doscientos dólares"],
    ["it", "costa 12,50 € o 1 €", "costa dodici euro e cinquanta o un euro"],
    ["pt", "custa 12,50 €, R$ 20 ou R$ 1", "custa doze euros e cinquenta, vinte reais ou um real"],
    ["nl", "kost € 12,50 of € 20", "kost twaalf euro vijftig of twintig euro"],
    ["pt", "custa R$ 3 milhões", "custa R$ três milhões"],
    ["fr", "$2 millions", "$2 millions"],
    ["de", "12,05 € und 101 €", "12,05 € und 101 €"],
    ["de", "am 3. Januar, 1 Jahr", "am 3. Januar, 1 Jahr"],
    [
      "de",
      "Das ist Nr. 7 in Abb. 5 dort. Fertig. 7 sind da.",
      "Das ist Nr. sieben in Abb. fünf dort. Fertig. Sieben sind da.",
    ],
    ["fr", "Voir p. 5 et n. 12.", "Voir p. cinq et n. douze."],
    ["es", "1 año, 21 personas, 2.200 personas, 300 000", "1 año, 21 personas, 2.200 personas, trescientos mil"],
    ["pt", "2 pessoas e 3 pessoas", "2 pessoas e três pessoas"],
  ])("%s: %s", (language, written, spoken) => {
    expect(speak(written, language)).toBe(spoken);
  });

  test("names with digits and phrases of the caller are kept; a text without digits is the same object", () => {
    expect(speak("4K on B2B after COVID-19")).toBe("4K on B2B after COVID-19");
    expect(speak("we run Windows 95 on 12 machines", "en", ["windows 95"])).toBe(
      "we run Windows 95 on twelve machines",
    );
    const plain = spokenUtterance("no number here");
    expect(withoutNumerals(plain)).toBe(plain);
  });

  test("the words of a number share its time", () => {
    const { words } = withoutNumerals(spokenUtterance("about 2,600."));
    expect(words.map(({ word }) => word)).toEqual(["about", " two", " thousand", " six", " hundred."]);
    expect(words.at(1)?.start).toBe(1);
    expect(words.at(-1)?.end).toBe(2);
    for (const [at, word] of words.entries()) expect(word.start).toBe(at === 0 ? 0 : words[at - 1]?.end);
  });

  test("words of a number that stays in digits keep their times", () => {
    const utterance = spokenUtterance("coûte 2 500 000 euros", "fr");
    expect(withoutNumerals(utterance)).toBe(utterance);
  });

  test("a number in words and in digits again is the same number", () => {
    const amounts = fc.integer({ min: 10, max: 999_999_999 }).map((value) => value.toLocaleString("en-US"));
    fc.assert(
      fc.property(amounts, (amount) => {
        const spoken = speak(`there were exactly ${amount}`);
        expect(spoken).not.toMatch(/\d/);
        const again = withNumerals(spokenUtterance(spoken)).text.replace(/\D/g, "");
        expect(again).toBe(amount.replaceAll(",", ""));
      }),
      { numRuns: 400 },
    );
  });

  test.each(["de", "fr", "es", "pt", "it", "nl"])(
    "%s: a number in words and in digits again is the same number",
    (language) => {
      fc.assert(
        fc.property(fc.integer({ min: 10, max: 999_999 }), (value) => {
          const spoken = speak(`x ${value}, x`, language);
          expect(spoken).not.toMatch(/\d/);
          const again = withNumerals(spokenUtterance(spoken, language)).text.replace(/\D/g, "");
          expect([String(value), ""]).toContain(again);
        }),
        { numRuns: 150 },
      );
    },
  );
});
