import { expect, test } from "vitest";
import { type RecognizedSegment, transcriptionOf } from "./recognized-segments.ts";

const SAMPLES = 16_000;

/** Segments of half a second a word. @param pauseSeconds  between them */
function segmentsOf(texts: readonly string[], pauseSeconds = 0, language = "en"): RecognizedSegment[] {
  let end = 0;
  return texts.map((text) => {
    const start = end + pauseSeconds;
    const words = text.split(" ").map((word, at) => ({
      text: word,
      startSeconds: start + at / 2,
      endSeconds: start + (at + 1) / 2,
      confidence: 1,
    }));
    end = start + words.length / 2;
    return { channel: 0, segment: { startSample: start * SAMPLES, endSample: end * SAMPLES }, language, words };
  });
}

const textsOf = (...given: Parameters<typeof segmentsOf>) =>
  transcriptionOf(segmentsOf(...given)).utterances.map(({ text }) => text);

test.each([
  [
    ["it costs twenty", "five dollars."],
    ["it costs", "$25."],
  ],
  [
    ["we need two", "hundred people now"],
    ["we need", "200 people now"],
  ],
  [
    ["call four one five five", "five five two six seven one"],
    ["call", "415-555-2671"],
  ],
  [
    ["it costs two", "million dollars and twenty", "five cents"],
    ["it costs", "$2 million and", "25 cents"],
  ],
  [
    ["It costs two thousand", "Five hundred dollars"],
    ["It costs", "$2,500"],
  ],
  [
    ["It costs two thousand", "ten dollars"],
    ["It costs", "$2,010"],
  ],
])("a number that a cut divides is whole: %j", (texts, expected) => {
  expect(textsOf(texts)).toEqual(expected);
});

test.each([
  [
    ["It was the year two thousand", "Ten people came"],
    ["It was the year 2000", "10 people came"],
  ],
  [
    ["we were twenty", "and they were five"],
    ["we were 20", "and they were five"],
  ],
  [
    ["twenty", "five dollars"],
    ["20", "$5"],
  ],
  [
    ["it costs a lot", "five dollars"],
    ["it costs a lot", "$5"],
  ],
])("other texts stay as they are: %j", (texts, expected) => {
  expect(textsOf(texts)).toEqual(expected);
});

test("numbers on both sides of a pause, and in two languages, are two numbers", () => {
  expect(textsOf(["it costs twenty", "five dollars"], 0.5)).toEqual(["it costs 20", "$5"]);
  const [first, second] = segmentsOf(["it costs twenty", "five dollars"]) as [RecognizedSegment, RecognizedSegment];
  const mixed = transcriptionOf([first, { ...second, language: "pt" }]).utterances.map(({ text }) => text);
  expect(mixed).toEqual(["it costs 20", "five dollars"]);
  expect(textsOf(["es kostet zweitausend", "fünfhundert Euro"], 0, "de")).toHaveLength(2);
});

test("a moved word keeps its times", () => {
  const { utterances } = transcriptionOf(segmentsOf(["it costs twenty", "five dollars."]));
  expect(utterances.map(({ start, end }) => [start, end])).toEqual([
    [0, 1],
    [1, 2.5],
  ]);
});
