// Sentences, alignment, times and protected words, on translations as the runtime writes them.
import { expect, test } from "vitest";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { alignedWords, markedUp, type TargetWord } from "./markup.ts";
import { keepProtectedWords } from "./protected-words.ts";
import { routeOf } from "./routes.ts";
import { translateUtterances } from "./translate-utterances.ts";
import { wholeSentences } from "./whole-sentences.ts";
import { alignedTimes, monotonicPlaces } from "./word-times.ts";

/** A word a second from `start` on. */
function utteranceOf(text: string, start: number, more: Partial<Utterance> = {}): Utterance {
  const words = text.split(" ").map((word, at) => ({
    word: ` ${word}`,
    start: start + at,
    end: start + at + 0.8,
    confidence: 0.9,
  }));
  return {
    text: ` ${text}`,
    language: "en",
    start,
    end: words.at(-1)?.end ?? start,
    confidence: 0.9,
    channel: 0,
    words,
    ...more,
  };
}

const plain = (words: readonly TargetWord[]) => words.map(({ text }) => text).join(" ");
const wordsOf = (text: string): TargetWord[] => text.split(" ").map((one, at) => ({ text: one, sources: [at] }));

test("words become elements and are returned aligned, entities and marks included", () => {
  expect(markedUp([" AT&T", " <b>", " said."])).toBe(
    '<b id="0">AT&amp;T</b> <b id="1">&lt;b&gt;</b> <b id="2">said.</b>',
  );
  expect(alignedWords('<b id="1">A &amp; B</b> <b id="0"></b><b id="2">re</b><b id="0">is,</b> x', "fr")).toEqual([
    { text: "A", sources: [1] },
    { text: "&", sources: [1] },
    { text: "B", sources: [1] },
    { text: "reis,", sources: [0, 2] },
    { text: "x", sources: [] },
  ]);
  expect(alignedWords('<b id="0">こんにちは</b><b id="1">世界。</b>', "ja").map(({ text }) => text)).toEqual([
    "こんにちは",
    "世界。",
  ]);
  expect(alignedWords("", "fr")).toEqual([]);
});

test("a sentence with words that have no space between them is marked with wbr", () => {
  expect(markedUp(["你", "好", "。"])).toBe('<wbr id="0">你<wbr id="1">好<wbr id="2">。');
  expect(markedUp([" A", " mother", "-in", "-law."])).toBe(
    '<wbr id="0">A <wbr id="1">mother<wbr id="2">-in<wbr id="3">-law.',
  );
});

test("a wbr belongs to the word that follows it, and at the end to the last word", () => {
  expect(alignedWords('<wbr id="0"><wbr id="1">Hello there <wbr id="3"> you<wbr id="2">.<wbr id="4"> ', "en")).toEqual([
    { text: "Hello", sources: [0, 1] },
    { text: "there", sources: [] },
    { text: "you.", sources: [2, 3, 4] },
  ]);
});

test("characters without spaces share the elements before them, in order", () => {
  const html =
    '<b id="0"></b><b id="1"></b><b id="2"></b><b id="3">今天我们去公园</b> <b id="4">John</b> <b id="5">Smith</b><b id="6">一起。</b>';
  expect(alignedWords(html, "zh").map(({ text, sources }) => [text, sources])).toEqual([
    ["今天", [0]],
    ["我们", [1]],
    ["去", [2]],
    ["公园", [2, 3]],
    ["John", [4]],
    ["Smith", [5]],
    ["一起。", [6]],
  ]);
});

test("names keep their spaces in a language without spaces", async () => {
  const translate = async (html: string, terms: string[]) => {
    const [chinese] = await translateUtterances([utteranceOf("I am John Smith at number 5 AT&T", 0)], {
      target: "zh",
      sources: new Set(["en"]),
      terms,
      followsWords: true,
      matchesOriginals: true,
      translate: async () => [html],
    });
    return chinese?.text;
  };
  const html =
    '<b id="0">我是</b> <b id="1">Dr.</b> <b id="2">John</b> <b id="3">Smith</b><b id="4">，住5号</b> <b id="5">AT&amp;T</b> <b id="6">Wi-Fi</b>。';
  expect(await translate(html, ["John Smith"])).toBe(" 我是 Dr. John Smith，住5号 AT&T Wi-Fi。");
  const twoWords = '<b id="0">我是</b><b id="1">住在 St. Louis 5 号</b>';
  expect(await translate(twoWords, ["St. Louis"])).toBe(" 我是住在 St. Louis 5 号");
  const changed = '<b id="1"></b><b id="0">我是</b><b id="2">约翰</b><b id="3">史密斯</b><b id="4">，住5号。</b>';
  expect(await translate(changed, ["John Smith"])).toBe(" 我是John Smith，住5号。");
});

test("a sentence continues in the next utterance of its speaker, and in no other", () => {
  const sentences = wholeSentences([
    utteranceOf("I went", 0, { speaker: 0 }),
    utteranceOf("Yes.", 2, { channel: 1 }),
    utteranceOf("home. And", 3, { speaker: 0 }),
    utteranceOf("then?", 6, { speaker: 1 }),
    utteranceOf("Ja", 7, { speaker: 1, language: "de" }),
    utteranceOf("doch.", 20, { speaker: 1, language: "de" }),
  ]);
  expect(sentences.map(({ words }) => words.map(({ word }) => word.word).join(""))).toEqual([
    " I went home.",
    " Yes.",
    " And",
    " then?",
    " Ja",
    " doch.",
  ]);
});

test("a speaker without full stops is divided, behind a comma if there is one", () => {
  const words = Array.from({ length: 100 }, (_, at) => (at === 65 ? "word," : "word"));
  const lengths = (text: string) => wholeSentences([utteranceOf(text, 0)]).map((sentence) => sentence.words.length);
  expect(lengths(words.join(" "))).toEqual([66, 34]);
  expect(lengths(words.fill("word").join(" "))).toEqual([80, 20]);
});

test("times of translated words follow their source words and never decrease", () => {
  const source = utteranceOf("the red house of Anna", 10).words;
  const target = [
    { text: "la", sources: [0] },
    { text: "casa", sources: [2] },
    { text: "vermelha", sources: [1] },
    { text: "da", sources: [3] },
    { text: "Anna", sources: [4] },
  ];
  const times = alignedTimes(target, monotonicPlaces(target, source.length), source);
  expect(times[0]).toEqual({ start: 10, end: 10.8 });
  expect(times[1]?.start).toBe(11);
  expect(times[2]?.end).toBe(12.8);
  expect(times.slice(3)).toEqual([
    { start: 13, end: 13.8 },
    { start: 14, end: 14.8 },
  ]);
  const unaligned = target.map(({ text }) => ({ text, sources: [] }));
  const spread = alignedTimes(unaligned, monotonicPlaces(unaligned, 5), source);
  for (const [at, { start, end }] of spread.entries()) {
    expect(end).toBeGreaterThanOrEqual(start);
    expect(start).toBeGreaterThanOrEqual(spread[at - 1]?.end ?? 10);
  }
  expect(spread.at(-1)?.end).toBe(14.8);
});

test.each([
  [
    "a term that was translated",
    "call Apple Tree now.",
    "ligue para macieira agora.",
    [[0], [0], [1, 2], [3]],
    ["Apple Tree"],
    "ligue para Apple Tree agora.",
  ],
  [
    "a term that is there already",
    "I am Kowalczyk.",
    "Eu sou Kowalczyk.",
    [[0], [1], [2]],
    ["Kowalczyk"],
    "Eu sou Kowalczyk.",
  ],
  ["a term that was dropped", "ask Zuri today.", "pergunte hoje.", [[0], [2]], ["Zuri"], "pergunte Zuri hoje."],
  ["a term that was dropped at the end", "ask Zuri.", "pergunte.", [[0]], ["Zuri"], "pergunte Zuri."],
  ["a spelling that is one word of the transcript", "Hi there!", "Olá!", [[0]], ["Hi there"], "Hi there!"],
  ["a number that was changed", "pay 4527 euros.", "pague 4257 euros.", [[0], [1], [2]], [], "pague 4527 euros."],
  ["a number that was dropped", "room 4527 is", "quarto é", [[0], [2]], [], "quarto 4527 é"],
  ["a number with another mark", "pay 4,527 euros.", "pague 4.527 euros.", [[0], [1], [2]], [], "pague 4.527 euros."],
  [
    "a number in another scale",
    "about 100 million people",
    "cerca de 1 亿 人",
    [[0], [], [1], [2], [3]],
    [],
    "cerca de 1 亿 人",
  ],
  [
    "ten thousands",
    "cerca de 3000 万 人",
    "about 30 million people",
    [[0, 1], [2], [3], [4]],
    [],
    "about 30 million people",
  ],
  [
    "a thousand millions",
    "cuesta 2000 millones de euros",
    "it costs 2 billion euros",
    [[0], [0], [1], [2], [4]],
    [],
    "it costs 2 billion euros",
  ],
  ["a thousand of Portuguese", "pay 5000 euros", "pague 5 mil euros", [[0], [1], [1], [2]], [], "pague 5 mil euros"],
  ["tens of millions", "150 million euros", "1,5 亿 欧元", [[0], [1], [2]], [], "1,5 亿 欧元"],
  [
    "a wrong number of the same scale",
    "pay 100 million euros",
    "pague 10 milhões de euros",
    [[0], [1], [2], [], [3]],
    [],
    "pague 100 milhões de euros",
  ],
  ["a wrong number without a scale", "pay 3000 euros", "pague 300 euros", [[0], [1], [2]], [], "pague 3000 euros"],
  [
    "a number that cannot be kept in another scale",
    "about 150 million people",
    "cerca de 1 亿 人",
    [[0], [], [1], [2], [3]],
    [],
    "cerca de 1 亿 人",
  ],
  ["a number in groups", "pay 10,000 now", "pague 10 000 agora", [[0], [1], [1], [2]], [], "pague 10 000 agora"],
  ["a time of 24 hours", "at 5 p.m. now", "às 17:00 agora", [[2], [2], [3]], [], "às 17:00 agora"],
  ["a time of twelve hours", "às 17h30 já", "at 5:30 p.m. now", [[0], [1], [1], [2]], [], "at 5:30 p.m. now"],
  ["a wrong time", "at 5:30 p.m. now", "às 18:30 agora", [[0], [1, 2], [3]], [], "às 5:30 agora"],
  ["a century", "the 21st century", "o século XXI", [[0], [2], [1]], [], "o século XXI"],
  [
    "a term that occurs twice",
    "the Aurora engine of Aurora",
    "o motor Aurora de Aurora",
    [[0], [1, 2], [], [3], [4]],
    ["Aurora"],
    "o motor Aurora de Aurora",
  ],
  ["an e-mail address", "ask a.b@c.com now", "peça a.b-c.com agora", [[0], [1], [2]], [], "peça a.b@c.com agora"],
  ["terms that signs tell apart", "C++ or C# ?", "C++ ou C ?", [[0], [1], [2], [3]], ["C++", "C#"], "C++ ou C# ?"],
  ["a term for a word that ends in a combining mark", "ask Zuri.", "बेटी, अब", [[1], [0]], ["Zuri"], "Zuri, अब"],
  ["a small number that is spelled out", "take 3 pills", "tome três pílulas", [[0], [1], [2]], [], "tome três pílulas"],
])("%s stands in the translation", (_, source, translation, sources, terms, expected) => {
  const target = translation.split(" ").map((text, at) => ({ text, sources: (sources as number[][])[at] ?? [] }));
  const words = source === "Hi there!" ? ["Hi there!"] : source.split(" ");
  keepProtectedWords(words, target, terms as string[], "pt");
  expect(plain(target)).toBe(expected);
});

test("directions: a direct one, else two by way of English", () => {
  const directions = [
    { source: "de", target: "en" },
    { source: "en", target: "fr" },
    { source: "zh", target: "en" },
  ];
  expect(routeOf(directions, "de", "en")).toEqual([directions[0]]);
  expect(routeOf(directions, "de", "fr")).toEqual([directions[0], directions[1]]);
  expect(routeOf(directions, "yue", "fr")).toEqual([directions[2], directions[1]]);
  expect(routeOf(directions, "fr", "de")).toBeUndefined();
});

const RENDERED: Record<string, string> = {
  '<b id="0">I</b> <b id="1">went</b> <b id="2">home.</b>':
    '<b id="0">Eu</b> <b id="1">fui</b> <b id="2">para casa.</b>',
};
const translate = async (texts: readonly string[]) => texts.map((text) => RENDERED[text] ?? "");
const UTTERANCES = [utteranceOf("I went", 0), utteranceOf("home.", 3), utteranceOf("Olá.", 6, { language: "pt" })];
const options = { target: "pt", sources: new Set(["en"]), terms: [], followsWords: true, translate };

test("a whole sentence is laid back on the utterances that it came from", async () => {
  const matched = await translateUtterances(UTTERANCES, { ...options, matchesOriginals: true });
  expect(matched.map(({ text }) => text)).toEqual([" Eu fui", " para casa.", " Olá."]);
  expect(matched.map(({ language }) => language)).toEqual(["pt", "pt", "pt"]);
  expect(matched[1]?.words.map(({ word }) => word)).toEqual([" para", " casa."]);
  expect(matched[1]?.words[0]?.start).toBe(3);
  for (const { text, words } of matched) expect(words.map(({ word }) => word).join("")).toBe(text);
});

test("a sentence over two utterances of a recording has a space between them, in a language that has spaces", async () => {
  const texts: string[] = [];
  const translate = async (sent: readonly string[]) => {
    texts.push(...sent);
    return sent.map(() => "x");
  };
  const trimmed = (utterance: Utterance): Utterance => ({
    ...utterance,
    words: utterance.words.map((word, at) => (at === 0 ? { ...word, word: word.word.trim() } : word)),
  });
  const english = [utteranceOf("My number is 555", 0), utteranceOf("123 now.", 5)].map(trimmed);
  await translateUtterances(english, { ...options, matchesOriginals: true, translate });
  const chinese = [utteranceOf("你", 0, { language: "zh" }), utteranceOf("好。", 2, { language: "zh" })];
  await translateUtterances(chinese, { ...options, sources: new Set(["zh"]), matchesOriginals: true, translate });
  expect(texts).toEqual([
    '<b id="0">My</b> <b id="1">number</b> <b id="2">is</b> <b id="3">555</b> <b id="4">123</b> <b id="5">now.</b>',
    '<wbr id="0">你<wbr id="1">好。',
  ]);
});

test("or is an utterance of its own", async () => {
  const free = await translateUtterances(UTTERANCES, { ...options, matchesOriginals: false });
  expect(free.map(({ text, start, end }) => [text, start, end])).toEqual([
    ["Eu fui para casa.", 0, 3.8],
    ["Olá.", 6, 6.8],
  ]);
});

test("a sentence over two utterances that is not translated has a space between them", async () => {
  const spoken = [
    utteranceOf("Yesterday we went", 0, { language: "pt" }),
    utteranceOf("to the store.", 3, { language: "pt" }),
  ];
  const recorded = spoken.map((utterance) => ({
    ...utterance,
    words: utterance.words.map((word, at) => (at === 0 ? { ...word, word: word.word.trim() } : word)),
  }));
  const [only] = await translateUtterances(recorded, { ...options, matchesOriginals: false });
  expect(only?.text).toBe("Yesterday we went to the store.");
  expect(only?.words.map(({ word }) => word).join("")).toBe("Yesterday we went to the store.");
});

test("words are spread evenly where lipsync is off", async () => {
  const even = await translateUtterances(UTTERANCES, { ...options, matchesOriginals: true, followsWords: false });
  expect(even[0]?.words).toMatchObject([
    { word: " Eu", start: 0, end: 0.72 },
    { word: " fui", start: 0.72, end: 1.8 },
  ]);
});

test("an utterance with a language that cannot be translated stays as it is", async () => {
  const mixed = [utteranceOf("I went home.", 0), utteranceOf("Halló.", 5, { language: "is" })];
  const translated = await translateUtterances(mixed, { ...options, matchesOriginals: true });
  expect(translated[1]).toEqual(mixed[1]);
});

test("words without any alignment belong to some utterance, too", async () => {
  const translated = await translateUtterances(UTTERANCES, {
    ...options,
    matchesOriginals: true,
    translate: async () => ["Fui para casa."],
  });
  expect(
    translated
      .slice(0, 2)
      .map(({ text }) => text.trim())
      .join(" "),
  ).toBe("Fui para casa.");
  expect(translated[1]?.text).not.toBe("");
  expect(plain(wordsOf("a b"))).toBe("a b");
});
