// Results of the local add-ons for real sentences.
import { describe, expect, test } from "vitest";
import { transcription, utterance } from "../../../test/fixtures/utterances.ts";
import { splitSentences } from "../../speech/text/sentences.ts";
import { spreadWords } from "../../speech/translation/spread-words.ts";
import { runAddon } from "./addon.ts";
import { chaptersOf } from "./chapters.ts";
import { entitiesOf } from "./entities.ts";
import { flagOf } from "./moderation.ts";
import { partsOf } from "./providers/language-model.ts";
import { redactionAddon } from "./redaction.ts";
import { emotionOf, sentimentOf } from "./sentiment.ts";
import { respelled, spellingVariants } from "./spelling.ts";
import { extractiveSummary, summaryAddon } from "./summary.ts";
import { displayed, nameSpellings, punctuated } from "./wording.ts";

const respell = (text: string, dictionary: Record<string, string[]>) =>
  respelled(utterance(text), spellingVariants(dictionary));

describe("custom_spelling", () => {
  test("replaces whatever the case, keeps marks, joins words and their times", () => {
    const changed = respell("We met gorish and data sea, twice.", { Gorish: ["gorish"], "Data Science": ["data sea"] });
    expect(changed.text).toBe("We met Gorish and Data Science, twice.");
    const joined = changed.words.find(({ word }) => word.includes("Data"));
    expect([joined?.start, joined?.end]).toEqual([1.2, 1.8]);
    expect(changed.words.map(({ word }) => word).join("")).toBe(changed.text);
  });
  test("longest variant first, whole words only, marks attach to the word before", () => {
    expect(respell("new york times in new york", { NYT: ["new york times"], NY: ["new york"] }).text).toBe("NYT in NY");
    expect(respell("category cat", { dog: ["cat"] }).text).toBe("category dog");
    expect(respell("end of line period next", { ".": ["period"] }).text).toBe("end of line. next");
  });
  test("nothing found leaves the utterance as it is", () => {
    const given = utterance("nothing here");
    expect(respelled(given, spellingVariants({ x: ["y"] }))).toBe(given);
  });
});

describe("named_entity_recognition", () => {
  const found = (text: string) => entitiesOf(utterance(text)).map(({ entity_type, text: what }) => [entity_type, what]);
  test.each([
    [
      "My name is Sasha and I live in Paris.",
      [
        ["NAME_GIVEN", "Sasha"],
        ["LOCATION_CITY", "Paris"],
      ],
    ],
    [
      "Write to anna@example.com by 5 p.m. on March 3rd 2024.",
      [
        ["EMAIL_ADDRESS", "anna@example.com"],
        ["TIME", "5 p.m"],
        ["DATE", "March 3rd 2024"],
      ],
    ],
    [
      "It cost twenty five dollars, about 10 percent of $250.",
      [
        ["MONEY", "twenty five dollars"],
        ["STATISTICS", "10 percent"],
        ["MONEY", "$250"],
      ],
    ],
    [
      "Call 555-123-4567 tomorrow.",
      [
        ["PHONE_NUMBER", "555-123-4567"],
        ["DATE", "tomorrow"],
      ],
    ],
    ["Nothing of note was said.", []],
    ["It was cut in the Roman character.", []],
  ])("%s", (text, entities) => {
    expect(found(text)).toEqual(entities);
  });
  test("times are those of the words", () => {
    const [entity] = entitiesOf(utterance("we flew to Paris today", 10));
    expect([entity?.start, entity?.end]).toEqual([10.9, 11.2]);
  });
});

test.each([
  ["I love this, it is wonderful!", "positive", "adoration"],
  ["This is terrible and I am very angry about it.", "negative", "anger"],
  ["The meeting is at three.", "neutral", "neutral"],
  ["I am not happy with it, it is bad.", "negative", "disappointment"],
  ["...", "unknown", "neutral"],
  ["I am not well at all.", "negative", "disappointment"],
  ["It does not work well.", "negative", "disappointment"],
  ["We have no complaints.", "positive", "contentment"],
  ["There were no problems with it.", "positive", "contentment"],
  ["The figures were engraved in relief.", "neutral", "neutral"],
  ["Well, the meeting is at three.", "neutral", "neutral"],
])("sentiment of %s", (text, sentiment, emotion) => {
  expect(sentimentOf(text)).toBe(sentiment);
  expect(emotionOf(text, sentimentOf(text))).toBe(emotion);
});

test("moderation flags foul language and no innocent words", () => {
  expect(flagOf("You are a stupid idiot.")).toMatchObject({ type: "INSULTING", severity: "LOW" });
  expect(flagOf("What the fuck is this?")).toMatchObject({ type: "PROFANE", classifications: ["VULGARITY"] });
  expect(flagOf("I will kill you")).toMatchObject({ type: "THREATENING", severity: "HIGH" });
  expect(flagOf("The class assassin in Scunthorpe passed the cocktail.")).toBeUndefined();
});

const MEETING = [
  "Let us begin with the budget for next year.",
  "The budget grows by ten percent because of the new offices.",
  "Offices in the north cost more than the budget of last year allowed.",
  "So the budget needs a reserve for rent and furniture.",
  "We agreed that the budget reserve is five percent of rent.",
  "Furniture is bought in spring when the budget is signed.",
  "Rent will be paid out of the same budget line.",
  "Now to the garden, where the roses have to be watered.",
  "Roses need water every day and the garden hose is broken.",
  "Somebody must repair the hose before the roses and the tulips dry out.",
  "The tulips stand in the shade of the garden wall.",
  "Water the tulips less often than the roses.",
  "In autumn the garden gets new soil for roses and tulips.",
  "A gardener comes on Monday to look at the hose and the wall.",
].map((text, index) => ({ ...utterance(text, index * 8), end: index * 8 + 7 }));

test("chapters begin where the topic changes; summaries consist of spoken sentences", () => {
  const sentences = splitSentences(MEETING);
  const chapters = chaptersOf(sentences);
  expect(chapters).toHaveLength(2);
  expect(chapters[1]?.start).toBe(56);
  expect(chapters[0]?.keywords[0]).toBe("budget");
  expect(["garden", "rose", "tulip"]).toContain(chapters[1]?.keywords[0]);
  const texts = sentences.map(({ sentence }) => sentence);
  for (const line of extractiveSummary(texts, "bullet_points").split("\n")) {
    expect(line).toMatch(/^- /);
    expect(texts).toContain(line.slice(2));
  }
  expect(extractiveSummary(texts, "concise").length).toBeLessThan(extractiveSummary(texts, "general").length);
  expect(chaptersOf([])).toEqual([]);
});

test("chapters cover the recording without gaps and have whole headlines; a few sentences have none", () => {
  const sentences = splitSentences(MEETING);
  const chapters = chaptersOf(sentences, 130);
  expect(chapters.map(({ start, end }) => [start, end])).toEqual([
    [0, 56],
    [56, 130],
  ]);
  const texts = sentences.map(({ sentence }) => sentence.replace(/\.$/, ""));
  for (const { headline, keywords } of chapters) {
    expect(headline).not.toMatch(/…|\.\.\./);
    const isSentence = texts.includes(headline);
    expect(isSentence || headline.toLowerCase() === keywords.slice(0, 3).join(", ")).toBe(true);
  }
  expect(chaptersOf(sentences.slice(0, 3), 24)).toEqual([]);
});

test("markers of redaction are no keywords", () => {
  const redacted = MEETING.map((one, index) => utterance(`[NAME_GIVEN_1] of [ORGANIZATION_2]: ${one.text}`, index * 8));
  for (const { keywords, gist } of chaptersOf(splitSentences(redacted))) {
    expect([...keywords, gist].join(" ").toLowerCase()).not.toMatch(/name|given|organization/);
  }
});

test("summaries cover the whole recording and are shorter than it", () => {
  const texts = splitSentences(MEETING).map(({ sentence }) => sentence);
  const long = Array.from({ length: 6 }, () => texts).flat();
  const at = (summary: string) => summary.split("\n").map((line) => line.slice(2));
  for (const sentences of [texts, long]) {
    const chosen = at(extractiveSummary(sentences, "bullet_points"));
    const places = chosen.map((line) => sentences.indexOf(line) / sentences.length);
    expect(Math.min(...places)).toBeLessThan(0.34);
    expect(sentences.lastIndexOf(chosen.at(-1) ?? "") / sentences.length).toBeGreaterThan(0.66);
  }
  for (let count = 2; count <= texts.length; count++) {
    const source = texts.slice(0, count);
    for (const type of ["general", "concise", "bullet_points"] as const) {
      expect(extractiveSummary(source, type).length).toBeLessThan(source.join(" ").length);
    }
  }
});

test("a summary names its method", async () => {
  const input = { transcription: transcription("One. Two. Three."), params: {}, providers: {} };
  expect(await runAddon(summaryAddon, input, 1_000)).toMatchObject({ success: true, method: "extractive" });
});

test.each([
  ["The figure is engraved in relief on the stone.", "neutral"],
  ["A carved relief shows the king.", "neutral"],
  ["What a relief, I am so relieved!", "relief"],
])("emotion of %s", (text, emotion) => {
  const shown = emotionOf(text, "neutral");
  expect(shown).toBe(emotion);
});

test.each([
  ["Not well at all.", "negative"],
  ["I am not feeling well at all.", "negative"],
  ["I have no complaints.", "positive"],
  ["There were no complaints about it.", "positive"],
])("sentiment of %s", (text, sentiment) => {
  expect(sentimentOf(text)).toBe(sentiment);
});

test.each(["The Roman character is clear.", "They cut Roman characters.", "It is set in Roman type."])(
  "no person in %s",
  (text) => {
    expect(entitiesOf(utterance(text)).filter(({ entity_type }) => entity_type.startsWith("NAME"))).toEqual([]);
  },
);

describe("pii_redaction", () => {
  const redact = async (config: object, ...texts: string[]) => {
    const input = { transcription: transcription(...texts), params: { pii_redaction_config: config }, providers: {} };
    const answer = await runAddon(redactionAddon, input, 1_000);
    return { answer, utterances: input.transcription.utterances };
  };
  test("markers count entities, the same one by the same number; words join to the text", async () => {
    const { utterances } = await redact({}, "I am Sasha and this is Peter.", "Sasha lives in Paris.");
    expect(utterances.map(({ text }) => text)).toEqual([
      "I am [NAME_GIVEN_1] and this is [NAME_GIVEN_2].",
      "[NAME_GIVEN_1] lives in [LOCATION_CITY_1].",
    ]);
    for (const { text, words } of utterances) expect(words.map(({ word }) => word).join("")).toBe(text);
  });
  test("masks; single types; a type that cannot be found fails", async () => {
    const { utterances } = await redact(
      { processed_text_type: "MASK", entity_types: ["EMAIL_ADDRESS"] },
      "Sasha has anna@example.com today",
    );
    expect(utterances[0]?.text).toBe("Sasha has ################ today");
    expect((await redact({ entity_types: "BLOOD_TYPE" }, "x")).answer.success).toBe(false);
  });
});

test("a sentence that ends in a combining mark gets its full stop", () => {
  expect(punctuated({ ...utterance("on va au cafe\u0301"), language: "fr" }).text).toBe("On va au cafe\u0301.");
});

test("punctuation, names and overlaps", () => {
  expect(punctuated(utterance("where are you going")).text).toBe("Where are you going?");
  expect(punctuated({ ...utterance("istanbul burada"), language: "tr" }).text).toBe("İstanbul burada.");
  expect(punctuated(utterance("i think,, it is fine,")).text).toBe("I think, it is fine.");
  const names = nameSpellings(
    transcription("I met Catherine today.", "Catherine is here.", "Katherine said Catherine left.").utterances,
  );
  expect([...names]).toEqual([["Katherine", "Catherine"]]);
  const cut = displayed([utterance("one two three four five six", 0, 0), utterance("hey you", 0.7, 1)]);
  expect(cut.map(({ text, channel }) => [channel, text])).toEqual([
    [0, "one two three"],
    [1, "hey you"],
    [0, "four five six"],
  ]);
});

test("overlaps of many utterances are found, of the same voice and of others", () => {
  const count = 30_000;
  const all = Array.from({ length: count }, (_, at) => utterance("one two three", at, at % 2));
  expect(displayed(all)).toHaveLength(count);
  expect(displayed(all.map((one, at) => ({ ...one, start: one.start - (at % 2) * 0.6 })))).toHaveLength(count * 1.5);
});

test("translated words fill the time of the original; long texts are cut between sentences", () => {
  const original = utterance("one two three", 4);
  const words = spreadWords("un deux trois quatre", original, "fr");
  expect([words[0]?.start, words.at(-1)?.end]).toEqual([4, 4.9]);
  for (const [index, word] of words.slice(1).entries()) expect(word.start).toBe(words[index]?.end);
  const text = "A sentence here. ".repeat(500).trim();
  const parts = partsOf(text, 1_000);
  expect(parts.every((part) => part.length <= 1_000 && part.trimEnd().endsWith("."))).toBe(true);
  expect(parts.join(" ").replace(/\s+/g, " ")).toBe(text);
});

test.each([
  [{ people: [], places: [] }, true],
  [{ people: [{ name: "Ada" }], places: [] }, false],
  [{ data: {} }, false],
  [[], true],
  [0, false],
])("results %j are empty: %s", async (results, isEmpty) => {
  const input = { transcription: transcription("x"), params: {}, providers: {} };
  expect((await runAddon({ name: "given", run: async () => results }, input, 1_000)).is_empty).toBe(isEmpty);
});

test("an add-on that hangs or fails has its own answer", async () => {
  const input = { transcription: transcription("x"), params: {}, providers: {} };
  const hang = await runAddon({ name: "hang", run: () => new Promise(() => undefined) }, input, 50);
  expect(hang).toMatchObject({ success: false, error: { status_code: 502 } });
  const broken = await runAddon({ name: "broken", run: () => Promise.reject(new Error("secret path /x")) }, input, 50);
  expect(broken.error?.message).not.toMatch(/secret/);
});
