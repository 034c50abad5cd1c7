import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import { bare, spokenWords, textOf, WordPlaces } from "./spoken-words.ts";

const turkish = spokenWords([{ ...utterance("İstanbul'da Işık, [NAME_1] ile."), language: "tr" }]);

test("small letters of words are those of their language", () => {
  expect(textOf(turkish, false)).toBe("istanbul'da ışık [NAME_1] ile");
  expect(bare("Işık,", "tr")).toBe("ışık");
  expect(bare("Is", "en")).toBe("is");
});

test("a masked word keeps its asterisks, and loses the marks behind them", () => {
  expect(textOf(spokenWords([utterance("Oh s***, you f******!")]), false)).toBe("oh s*** you f******");
  expect(bare("*laughs*")).toBe("laughs");
  expect(bare("***")).toBe("***");
});

test.each([
  ["50%,", "50%"],
  ["$5.99.", "$5.99"],
  ["(20€)", "20€"],
  ["20°.", "20°"],
  ["C++,", "c++"],
  ["“C#”", "c#"],
  ["s***,", "s***"],
  ["#1.", "1"],
  ["$,", "$,"],
  ["है।", "है"],
  ["«நன்றி»", "நன்றி"],
])("%s without its marks is %s", (word, expected) => {
  expect(bare(word, "en")).toBe(expected);
});

const hindi = spokenWords([{ ...utterance("मेरी बेटी स्कूल गई है।"), language: "hi" }]);

test("words keep the combining marks at their ends", () => {
  expect(textOf(hindi, false)).toBe("मेरी बेटी स्कूल गई है");
  expect(new WordPlaces(hindi).find("मेरा", 10).starts).toEqual([]);
  expect(new WordPlaces(hindi).find("मेरी", 10).starts).toEqual([0]);
});

test.each(["50", "50%", "5.99", "$5.99", "c++"])("%s is found with and without the sign of its unit", (phrase) => {
  const said = spokenWords([utterance("We pay 50%, or $5.99. C++, not C.")]);
  expect(new WordPlaces(said).find(phrase, 10).starts).toHaveLength(1);
});

test.each(["ışık", "IŞIK", "işık", "Işık"])("%s is found, whichever i it has", (phrase) => {
  expect(new WordPlaces(turkish).find(phrase, 10)).toEqual({ starts: [1], length: 1 });
});

test("utterances in a language without spaces are joined without spaces", () => {
  const said = (text: string, language: string, channel = 0) => ({ ...utterance(text), language, channel });
  const joined = (...utterances: ReturnType<typeof said>[]) => textOf(spokenWords(utterances), true);
  expect(joined(said("我们今天", "zh"), said("去公园。", "zh"))).toBe("我们今天去公园。");
  expect(joined(said("你好", "zh"), said("hello there", "en"), said("世界", "zh"))).toBe("你好 hello there 世界");
});
