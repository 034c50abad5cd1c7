import { expect, test } from "vitest";
import { inDetectedLanguage } from "./second-language.ts";

const SEGMENT = { startSample: 0, endSample: 64_000 };

const read = (language: string, confidence: number) => ({
  channel: 0,
  segment: SEGMENT,
  language,
  words: [{ text: "arena", startSeconds: 0, endSeconds: 1, confidence }],
});

test("a segment takes the detected language where its words are clearly more certain in it", () => {
  const german = read("de", 0.32);
  const probabilities = (probability: number) => ({
    languageProbabilities: [["es", probability]] as [string, number][],
  });
  const spanish = read("es", 0.7);
  expect(inDetectedLanguage(german, { ...spanish, ...probabilities(0.97) })).toEqual(spanish);
  expect(inDetectedLanguage(german, { ...spanish, ...probabilities(0.6) })).toBeUndefined();
  expect(inDetectedLanguage(german, { ...read("es", 0.4), ...probabilities(0.97) })).toBeUndefined();
  expect(inDetectedLanguage(german, { ...read("de", 0.9), languageProbabilities: [["de", 1]] })).toBeUndefined();
  expect(inDetectedLanguage(german, { ...spanish, words: [], ...probabilities(1) })).toBeUndefined();
});
