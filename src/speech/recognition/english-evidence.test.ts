import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  blocksOf,
  ENGLISH_SCORE,
  englishScore,
  FOREIGN_SCORE,
  isDoubtful,
  levelRange,
  SCORE_NOISE,
  verdictsOf,
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
  const LONG = { words: 30, seconds: 12 };
  const verdicts = (scores: (number | undefined)[], size = LONG) =>
    verdictsOf(scores.map((score) => ({ score, ...size })));

  test("one uncertain block between English ones is English", () => {
    expect(verdicts([1.7, 0.6, 1.6])).toEqual(["english", "english", "english"]);
  });
  test("several uncertain blocks, or a whole channel, are foreign", () => {
    expect(verdicts([1.7, 0.6, 0.7, 1.6])).toEqual(["english", "foreign", "foreign", "english"]);
    expect(verdicts([0.7])).toEqual(["foreign"]);
    expect(verdicts([0.7, undefined])).toEqual(["foreign", "english"]);
    expect(verdicts([undefined])).toEqual(["english"]);
  });
  test("scores between those of foreign and of English speech are doubtful", () => {
    expect(verdicts([0.9])).toEqual(["doubtful"]);
    expect(verdicts([0.6, 0.95, 0.7])).toEqual(["doubtful", "doubtful", "doubtful"]);
    expect(verdicts([1.7, 0.95, 1.6])).toEqual(["english", "english", "english"]);
  });
  test("speech too short to be called foreign is doubtful", () => {
    expect(verdicts([0.5], { words: 4, seconds: 1.6 })).toEqual(["doubtful"]);
  });

  test("the differences between processors never make foreign speech English, or English speech foreign", () => {
    expect(ENGLISH_SCORE - FOREIGN_SCORE).toBeGreaterThan(SCORE_NOISE);
    const noise = fc.double({ min: -SCORE_NOISE, max: SCORE_NOISE, noNaN: true });
    const block = fc.record({
      score: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined }),
      words: fc.integer({ min: 4, max: 40 }),
      seconds: fc.double({ min: 1.5, max: 20, noNaN: true }),
      noise,
      /** The other processor finds a word more or less. */
      wordNoise: fc.integer({ min: -1, max: 1 }),
    });
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const here = verdictsOf(blocks);
        const elsewhere = verdictsOf(
          blocks.map(({ score, words, seconds, noise: change, wordNoise }) => ({
            score: score === undefined ? undefined : score + change,
            words: words + wordNoise,
            seconds,
          })),
        );
        for (const [at, verdict] of here.entries()) {
          expect([verdict, elsewhere[at]].toSorted()).not.toEqual(["english", "foreign"]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
