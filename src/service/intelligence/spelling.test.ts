import { describe, expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { respelled, type SpellingDictionary, spellingVariants } from "./spelling.ts";

function respell(text: string, dictionary: SpellingDictionary, language = "en"): string {
  const changed = respelled({ ...utterance(text), language }, spellingVariants(dictionary));
  expect(changed.words.map(({ word }) => word).join("")).toBe(changed.text);
  return changed.text;
}

/** Words as a recogniser of a script without spaces divides them. */
function unspaced(pieces: string[], dictionary: SpellingDictionary, language: string): string {
  const words = pieces.map((word, at) => ({ word, start: at, end: at + 1, confidence: 1 }));
  const given: Utterance = { ...utterance("x"), language, words, text: pieces.join("") };
  return respelled(given, spellingVariants(dictionary)).text;
}

test("the space that live texts begin with stays", () => {
  const words = [" Hello", " world"].map((word, at) => ({ word, start: at, end: at + 1, confidence: 1 }));
  const live: Utterance = { ...utterance("x"), words, text: " Hello world" };
  expect(respelled(live, spellingVariants({ Paris: ["hello"] })).text).toBe(" Paris world");
  expect(respelled(live, spellingVariants({ "": ["hello"] })).text).toBe(" World");
});

describe("signs are part of a spelling", () => {
  test.each([
    ["I write see plus plus and C++.", { "C++": ["see plus plus"] }, "I write C++ and C++."],
    ["C and C++ and C#, plus C.", { "the C language": ["C"] }, "The C language and C++ and C#, plus the C language."],
    ["Use C++, not C.", { "C plus plus": ["C++"] }, "Use C plus plus, not C."],
    ["Use C plus plus's rules.", { "C++": ["C plus plus"] }, "Use C++'s rules."],
    ["We run dot net and the net.", { ".NET": ["dot net"] }, "We run .NET and the net."],
    ["The .NET and the net, ASP.NET.", { DotNet: [".net"] }, "The DotNet and the net, ASP.NET."],
    ["About fifty percent, or 50% of it.", { "50%": ["fifty percent"], half: ["50%"] }, "About 50%, or half of it."],
    ["It is 50, or 50%, or $50.", { fifty: ["50"] }, "It is fifty, or 50%, or $50."],
    ["Ask C sharp.", { "C#": ["c sharp"] }, "Ask C#."],
    ["Wait comma please.", { ",": ["comma"] }, "Wait, please."],
    ["About fifty percent.", { "%": ["percent"] }, "About fifty%."],
    ["It rose 5 percent. Then it fell.", { "%": ["percent"] }, "It rose 5%. Then it fell."],
    ["20 euros, then 30 euros. Yes.", { "€": ["euros"] }, "20€, then 30€. Yes."],
    ["Is it 20, degrees? No.", { "°": ["degrees"] }, "Is it 20°? No."],
    ["Wait comma, please. Go period. Now.", { ",": ["comma"], ".": ["period"] }, "Wait, please. Go. Now."],
    ["Really question mark. Yes.", { "?": ["question mark"] }, "Really? Yes."],
    ["It is 20 degrees here.", { "°": ["degrees"] }, "It is 20° here."],
    ["I am happy, smiley face.", { "🙂": ["smiley face"] }, "I am happy, 🙂."],
    ["Love heart emoji and so on.", { "❤️": ["heart emoji"] }, "Love ❤️ and so on."],
    ["Yahoo. We use yahoo! And yahoo?", { "Yahoo!": ["yahoo"] }, "Yahoo! We use Yahoo! And Yahoo!?"],
    ["At acme is open. Hashtag net.", { "@acme": ["at acme"], "#net": ["hashtag net"] }, "@acme is open. #net."],
    ["Dot net, (dot net). Use dot net", { ".NET": ["dot net"] }, ".NET, (.NET). Use .NET"],
    ["AT and T. At and t?", { "AT&T": ["at and t"] }, "AT&T. AT&T?"],
    ["24/7. Not 124/7, 24/70.", { always: ["24/7"] }, "always. Not 124/7, 24/70."],
    ["He works at acme inc.", { "Acme Inc.": ["acme inc"] }, "He works at Acme Inc."],
  ])("%s %j", (text, dictionary, expected) => {
    expect(respell(text, dictionary as unknown as SpellingDictionary)).toBe(expected);
  });
});

describe("accents, apostrophes and possessives", () => {
  const composed = "Zoé";
  const decomposed = "Zoe\u0301";
  test("composed and decomposed characters are the same", () => {
    expect(respell(`I met ${decomposed}, twice.`, { Zoë: [composed] })).toBe("I met Zoë, twice.");
    expect(respell(`I met ${composed}.`, { Zoë: [decomposed] })).toBe("I met Zoë.");
    expect(respell("I met Zoe.", { Zoë: [composed] })).toBe("I met Zoe.");
  });
  test("both apostrophes are the same", () => {
    expect(respell("It is O’Brien here.", { "O’Brian": ["o'brien"] })).toBe("It is O’Brian here.");
    expect(respell("It is O'Brien here.", { "O’Brian": ["o’brien"] })).toBe("It is O’Brian here.");
  });
  test("a possessive keeps its ending", () => {
    expect(respell("Gorish's car, gorish’s dog, the gorish' cat.", { Gorisch: ["gorish"] })).toBe(
      "Gorisch's car, Gorisch’s dog, the Gorisch' cat.",
    );
    expect(respell("the gorishes", { Gorisch: ["gorish"] })).toBe("the gorishes");
  });
});

describe("an empty spelling removes the words", () => {
  const fillers = { "": ["um", "you know"] };
  test.each([
    ["I, um, think so.", "I, think so."],
    ["Um, I think so.", "I think so."],
    ["Um, so it is. You know, we tried.", "So it is. We tried."],
    ["We tried, um.", "We tried."],
    ["We tried. Um. Then we left.", "We tried. Then we left."],
    ["We, you know, tried, um, you know, it.", "We, tried, it."],
  ])("%s", (text, expected) => {
    expect(respell(text, fillers)).toBe(expected);
  });
  test("an utterance of nothing else has no words left", () => {
    expect(respelled(utterance("Um, um."), spellingVariants(fillers)).words).toEqual([]);
  });
});

describe("capitals", () => {
  test.each([
    ["Color is nice. Color matters, color.", { colour: ["color"] }, "Colour is nice. Colour matters, colour."],
    ["Eye phone sales rose.", { iPhone: ["eye phone"] }, "iPhone sales rose."],
    ["The Color Purple", { colour: ["color"] }, "The colour Purple"],
  ])("%s", (text, dictionary, expected) => {
    expect(respell(text, dictionary as unknown as SpellingDictionary)).toBe(expected);
  });
});

describe("scripts without spaces", () => {
  test("terms of several words, however the recogniser divides them", () => {
    expect(unspaced(["我们", "学", "机器", "学习", "。"], { 機器學習: ["机器学习"] }, "zh")).toBe("我们学機器學習。");
    expect(unspaced(["我们学机", "器学习。"], { 機器學習: ["机器 学习"] }, "zh")).toBe("我们学機器學習。");
    expect(unspaced(["機械", "学習", "を", "学ぶ"], { ML: ["機械 学習"] }, "ja")).toBe("MLを学ぶ");
    expect(unspaced(["การ", "เรียนรู้", "ของ", "เครื่อง"], { ML: ["การเรียนรู้ของเครื่อง"] }, "th")).toBe("ML");
  });
  test("a part of another word is left alone", () => {
    expect(unspaced(["東京", "都", "に"], { Kyoto: ["京都"] }, "ja")).toBe("東京都に");
  });
  test("words in Latin script, with spaces in the entry", () => {
    expect(unspaced(["我们", "用", "deep", " seek"], { DeepSeek: ["deep seek"] }, "zh")).toBe("我们用DeepSeek");
  });
});

test("words keep their times, and dashes and hyphens limit words as before", () => {
  const changed = respelled(utterance("We met data sea, twice."), spellingVariants({ "Data Science": ["data sea"] }));
  expect(changed.words[2]).toMatchObject({ word: " Data Science,", start: 0.6, end: 1.2 });
  expect(respell("a well-known well", { spring: ["well"] })).toBe("a well-known spring");
  expect(respell("yes—gorish came", { Gorisch: ["gorish"] })).toBe("yes—Gorisch came");
});

test("ten thousand spellings with the same beginning are looked up in a long text", () => {
  const dictionary = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`X${at}`, [`机器 学习${at}`]]),
  ) as unknown as SpellingDictionary;
  const pieces = Array.from({ length: 3_000 }, (_, at) => (at % 3 === 2 ? "机器学习7" : "机器学习"));
  // A comparison of every spelling at every place exceeds the time limit of a test.
  expect(unspaced(pieces, dictionary, "zh")).toBe("机器学习机器学习X7".repeat(1_000));
});

describe("spoken line breaks", () => {
  const breaks = { "\n\n": ["new paragraph"] };
  test.each([
    ["We start. New paragraph. Then we go.", "We start.\n\n Then we go."],
    ["We start, new paragraph. Then we go.", "We start.\n\n Then we go."],
    ["We start new paragraph then we go.", "We start\n\n then we go."],
    ["New paragraph. Then we go.", "\n\n Then we go."],
    ["We go. New paragraph.", "We go.\n\n"],
    ["New paragraph.", ""],
  ])("the mark of the spoken words does not follow the break: %s", (text, expected) => {
    expect(respell(text, breaks)).toBe(expected);
  });

  test("spaces at the ends of a spelling are not written", () => {
    expect(respell("We use parlence, now.", { " Parlance ": ["parlence"] })).toBe("We use Parlance, now.");
    expect(respell("Bullet milk", { "\n- ": ["bullet"] })).toBe("- milk");
  });
});
