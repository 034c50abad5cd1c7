import { describe, expect, test } from "vitest";
import { differInCase, groupsAfter, groupWords } from "./words.ts";

/** One token for each piece. */
const grouped = (pieces: (string | Uint8Array)[], language: string) => {
  const bytes = pieces.map((piece) => Buffer.from(piece as string));
  const tokenizer = { bytes: (token: number) => bytes[token] as Buffer, encode: () => [] };
  const groups = groupWords(
    bytes.map((_, token) => token),
    tokenizer,
    language,
  );
  expect(groups.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))).toEqual(
    bytes.map((_, token) => token),
  );
  return groups;
};
const texts = (pieces: (string | Uint8Array)[], language: string) => grouped(pieces, language).map(({ text }) => text);
const written = (pieces: (string | Uint8Array)[], language: string) =>
  grouped(pieces, language)
    .map(({ text, isJoined }, index) => (index === 0 || isJoined ? text : ` ${text}`))
    .join("");

describe("words with spaces", () => {
  test("closing punctuation belongs to the previous word, opening punctuation to the next one", () => {
    expect(texts([" Hola", ",", " ¿", "qué", " tal", "?"], "es")).toEqual(["Hola,", "¿qué", "tal?"]);
    expect(texts([" He", " said", ' "', "no", '"', "."], "en")).toEqual(["He", "said", '"no".']);
    expect(texts([" Ça", " va", " ?", " Oui"], "fr")).toEqual(["Ça", "va ?", "Oui"]);
  });
  test("punctuation has no sound", () => {
    const [, word] = grouped([" Hola", " ¿", "qué", "?"], "es");
    expect(word).toMatchObject({ from: 1, soundFrom: 2, soundTo: 3, to: 4 });
  });
  test("a space may be a token of its own", () => {
    expect(texts([" We", " sold", " ", "1", "5", "0", " units", "."], "en")).toEqual(["We", "sold", "150", "units."]);
    const [, number] = grouped([" sold", " ", "1", "5", "0"], "en");
    expect(number).toMatchObject({ from: 1, soundFrom: 2, soundTo: 5, to: 5 });
  });
  test("a dash between words belongs to the word before it, one in front of a sentence to its first word", () => {
    expect(texts([" rock", " -", " roll"], "en")).toEqual(["rock -", "roll"]);
    expect(texts([" -", " Yeah", "."], "en")).toEqual(["- Yeah."]);
  });
  test("a word that starts inside a token belongs to the previous word", () => {
    expect(texts([" in the", " end"], "en")).toEqual(["in the", "end"]);
    expect(texts([" in ", "the", " end"], "en")).toEqual(["in", "the", "end"]);
  });
  test("a character may consist of several tokens", () => {
    const [first, second] = [Buffer.from(" привет").subarray(0, 2), Buffer.from(" привет").subarray(2)];
    expect(texts([" ну", first, second, "!"], "ru")).toEqual(["ну", "привет!"]);
    expect(texts([" مرحبا", " بك", "؟"], "ar")).toEqual(["مرحبا", "بك؟"]);
  });
});

describe("words without spaces", () => {
  test("are separated by a dictionary, and joined as they were", () => {
    expect(written(["今天", "天气", "很好", "，", "我们", "去", "公园", "。"], "zh")).toBe(
      "今天天气很好，我们去公园。",
    );
    expect(texts(["今天", "天气", "很好", "，", "我们"], "zh").at(2)).toMatch(/好，$/);
    expect(texts(["東京", "は", "日本", "の", "首都", "です", "。"], "ja")).toEqual([
      "東京",
      "は",
      "日本",
      "の",
      "首都",
      "です。",
    ]);
    expect(texts(["สวัส", "ดี", "ครับ"], "th")).toEqual(["สวัสดี", "ครับ"]);
  });
  test("keep the spaces of the text", () => {
    expect(written(["我", "用", " Python", " 写", "程序"], "zh")).toBe("我用 Python 写程序");
    expect(texts(["「", "東京", "」", "です"], "ja")).toEqual(["「東京」", "です"]);
  });
  test("a word never splits a token, with any dictionary", () => {
    expect(texts(["今天天气", "很好"], "zh")[0]).toBe("今天天气");
    const bytes = Buffer.from("天气");
    expect(texts(["今天", bytes.subarray(0, 2), bytes.subarray(2)], "zh")).toEqual(["今天", "天气"]);
  });
  test("bytes that are not valid text do not fail", () => {
    expect(texts(["今天", Uint8Array.of(0xe5, 0xa4)], "zh").join("")).toMatch(/^今天/);
  });
});

test.each([
  [" Las", " las", true],
  [" las", " las", false],
  [" las", " los", false],
  ["\uFFFD", "\uFFFD\uFFFD", false],
  [" Ö\uFFFD", " ö\uFFFD", false],
])("%j and %j differ only in case: %s", (one, other, expected) => {
  expect(differInCase(one, other)).toBe(expected);
});

describe("words after a prefix", () => {
  const afterPrefix = (pieces: string[], prefixLength: number, language = "en") => {
    const bytes = pieces.map((piece) => Buffer.from(piece));
    const tokenizer = { bytes: (token: number) => bytes[token] as Buffer, encode: () => [] };
    return groupsAfter([...pieces.keys()], prefixLength, tokenizer, language).map(({ text, isJoined, from, to }) => ({
      ...{ text, isJoined, from, to },
    }));
  };

  test("a word that the prefix began is divided", () => {
    expect(afterPrefix([" at", " ", "555", "-", "123", "-", "4567", " now"], 5)).toEqual([
      { text: "-4567", isJoined: true, from: 5, to: 7 },
      { text: "now", isJoined: false, from: 7, to: 8 },
    ]);
    expect(afterPrefix([" about", " ", "14", "55", "."], 3)).toEqual([{ text: "55.", isJoined: true, from: 3, to: 5 }]);
    expect(afterPrefix([" foot", "ball"], 1)).toEqual([{ text: "ball", isJoined: true, from: 1, to: 2 }]);
  });
  test("the end of a word, and punctuation, are no words", () => {
    expect(afterPrefix([" it", "'s", " late"], 1)).toEqual([{ text: "late", isJoined: false, from: 2, to: 3 }]);
    expect(afterPrefix([" so", ".", " Late"], 1)).toEqual([{ text: "Late", isJoined: false, from: 2, to: 3 }]);
  });
});
