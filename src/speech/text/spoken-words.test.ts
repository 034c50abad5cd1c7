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

test.each(["ışık", "IŞIK", "işık", "Işık"])("%s is found, whichever i it has", (phrase) => {
  expect(new WordPlaces(turkish).find(phrase, 10)).toEqual({ starts: [1], length: 1 });
});

test("utterances in a language without spaces are joined without spaces", () => {
  const said = (text: string, language: string, channel = 0) => ({ ...utterance(text), language, channel });
  const joined = (...utterances: ReturnType<typeof said>[]) => textOf(spokenWords(utterances), true);
  expect(joined(said("我们今天", "zh"), said("去公园。", "zh"))).toBe("我们今天去公园。");
  expect(joined(said("你好", "zh"), said("hello there", "en"), said("世界", "zh"))).toBe("你好 hello there 世界");
});
