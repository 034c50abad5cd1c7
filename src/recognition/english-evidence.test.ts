import { describe, expect, test } from "vitest";
import {
  blocksOf,
  ENGLISH_SCORE,
  englishScore,
  FOREIGN_SCORE,
  foreignBlocks,
  isDoubtful,
  levelRange,
} from "./english-evidence.ts";

/** Words of half a second each. */
const words = (text: string, confidence: number) =>
  text.split(" ").map((word, at) => ({ text: word, startSeconds: at / 2, endSeconds: (at + 1) / 2, confidence }));

test("confident words are not doubtful, and neither is silence", () => {
  expect(isDoubtful(words("it is a day", 0.9))).toBe(false);
  expect(isDoubtful([])).toBe(false);
  expect(isDoubtful(words("it is a day", 0.5))).toBe(true);
});

describe("the score", () => {
  test("is low if both models are uncertain and disagree", () => {
    const first = words("They are hinted as a pottery lick in the room", 0.49);
    const second = words("Their interdisant patrol in the home border", 0.51);
    expect(englishScore([{ first, second, rangeDecibels: 40 }])).toBeLessThan(FOREIGN_SCORE);
  });
  test("is higher if they agree, ignoring punctuation and case", () => {
    const first = words("do you guys actually have sort of an interaction?", 0.55);
    const second = words("Do you guys actually have sort of an interaction", 0.5);
    expect(englishScore([{ first, second, rangeDecibels: 40 }])).toBeCloseTo(1.05);
  });
  test("is high if one of them is confident", () => {
    const first = words("with a large latte", 0.6);
    expect(englishScore([{ first, second: words("with a large latte", 0.9), rangeDecibels: 40 }])).toBeGreaterThan(
      ENGLISH_SCORE,
    );
  });
  test("allows for noise and for short speech", () => {
    const first = words("They are hinted as a pottery lick", 0.45);
    const second = words("Their interdisant patrol in the", 0.45);
    const score = (count: number, rangeDecibels: number) =>
      englishScore([{ first: first.slice(0, count), second, rangeDecibels }]);
    expect(score(7, 40)).toBeLessThan(FOREIGN_SCORE);
    expect(score(7, 12)).toBeGreaterThan(score(7, 40) + 0.1);
    expect(score(5, 40)).toBeGreaterThan(score(7, 40) + 0.1);
  });
  test("measures the range of levels", () => {
    const speech = Float32Array.from({ length: 16_000 }, (_, at) => (at < 8_000 ? 0.001 : 0.1) * Math.sin(at));
    expect(levelRange(speech)).toBeCloseTo(40, 0);
  });
  test("is low if the second model finds no words", () => {
    expect(
      englishScore([{ first: words("one two three four five six", 0.6), second: [], rangeDecibels: 40 }]),
    ).toBeLessThan(FOREIGN_SCORE);
  });
});

test("short segments are judged together, a short rest with the previous block", () => {
  const sentence = (count: number) => ({ words: words(Array(count).fill("word").join(" "), 0.9) });
  expect(blocksOf([8, 8, 8, 16, 10, 2].map(sentence)).map((block) => block.segments.length)).toEqual([3, 3]);
  expect(blocksOf([sentence(2)])).toHaveLength(1);
  expect(blocksOf([])).toEqual([]);
});

describe("blocks of one channel", () => {
  test("one uncertain block between English ones is English", () => {
    expect(foreignBlocks([1.7, 0.6, 1.6])).toEqual([false, false, false]);
  });
  test("several uncertain blocks, or a whole channel, are foreign", () => {
    expect(foreignBlocks([1.7, 0.6, 0.7, 1.6])).toEqual([false, true, true, false]);
    expect(foreignBlocks([0.7])).toEqual([true]);
    expect(foreignBlocks([0.7, undefined])).toEqual([true, false]);
    expect(foreignBlocks([undefined])).toEqual([false]);
  });
});
