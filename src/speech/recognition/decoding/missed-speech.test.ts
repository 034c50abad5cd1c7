import { expect, test } from "vitest";
import type { RecognizedWord } from "../recognizer.ts";
import { gapsBetween, recoverMissedSpeech, speechWithin } from "./missed-speech.ts";

const SAMPLE_RATE = 1_000;
const WINDOW_SECONDS = 0.1;

const word = (text: string, startSeconds: number, endSeconds: number): RecognizedWord => ({
  text,
  startSeconds,
  endSeconds,
  confidence: 0.9,
  tokens: [],
});

/** Samples that are 1 during speech; the fake detector reads them. */
const audio = (seconds: number, ...speech: [from: number, to: number][]) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, at) =>
    Number(speech.some(([from, to]) => at >= from * SAMPLE_RATE && at < to * SAMPLE_RATE)),
  );
const detector = {
  windowSeconds: WINDOW_SECONDS,
  probabilities: async (samples: Float32Array) => {
    const step = WINDOW_SECONDS * SAMPLE_RATE;
    return Float32Array.from(
      { length: Math.floor(samples.length / step) },
      (_, at) => samples[at * step + step / 2] ?? 0,
    );
  },
};

/** Each further pass returns the next of `answers`. */
async function completed(
  samples: Float32Array,
  words: RecognizedWord[],
  answers: RecognizedWord[][],
  rest: object = {},
) {
  const asked: number[] = [];
  const all = await recoverMissedSpeech(words, samples, {
    fromSeconds: 0,
    sampleRate: SAMPLE_RATE,
    isTranslation: false,
    language: "en",
    detector,
    recognize: async (piece) => {
      asked.push(piece.length / SAMPLE_RATE);
      return answers.shift() ?? [];
    },
    ...rest,
  });
  return { texts: all.map(({ text }) => text), all, asked };
}

test("speech after the last word is recognised from there, repeatedly if necessary", async () => {
  const samples = audio(9, [0, 2], [3, 5], [6, 8]);
  const first = [word("one", 0, 0.9), word("two", 1, 2)];
  const second = [word("three", 0.3, 1.2), word("four", 1.3, 2.2)];
  const { texts, all } = await completed(samples, first, [second, [word("five", 0.4, 2)]]);
  expect(texts).toEqual(["one", "two", "three", "four", "five"]);
  expect(all.map(({ startSeconds }) => startSeconds)).toEqual(all.map(({ startSeconds }) => startSeconds).toSorted());
  expect(all.at(-1)?.startSeconds).toBeGreaterThan(5.9);
});

test("a skipped sentence is inserted between its neighbours; one at the beginning before them", async () => {
  const samples = audio(9, [0, 2], [3, 5], [6, 8]);
  const middle = await completed(samples, [word("one", 0, 2), word("three", 6, 8)], [[word("two", 0.4, 2)]]);
  expect(middle.texts).toEqual(["one", "two", "three"]);
  const start = await completed(samples, [word("two", 3, 5), word("three", 6, 8)], [[word("one", 0.1, 2)]]);
  expect(start.texts).toEqual(["one", "two", "three"]);
});

test("a word that is aligned to all following audio does not hide speech in it", async () => {
  const { texts } = await completed(audio(6, [0, 1], [3, 5]), [word("one", 0, 5.5)], [[word("two", 0.4, 2)]]);
  expect(texts).toEqual(["one", "two"]);
});

test("silence, a short sound, and speech before the first sample start no further pass", async () => {
  expect((await completed(audio(6, [0, 1]), [word("one", 0, 1)], [])).asked).toEqual([]);
  expect((await completed(audio(6, [0, 1], [3, 3.1]), [word("one", 0, 1)], [])).asked).toEqual([]);
  expect((await completed(audio(6, [0, 3], [3, 4]), [word("one", 3, 4)], [], { fromSeconds: 3 })).asked).toEqual([]);
});

test("passes that find nothing, or one word at a time, are bounded", async () => {
  expect((await completed(audio(6, [0, 1], [3, 5]), [word("one", 0, 1)], [])).asked).toHaveLength(1);
  const endless = Array.from({ length: 100 }, () => [word("la", 0.1, 0.2)]);
  const { asked } = await completed(audio(60, [0, 60]), [word("one", 0, 1)], endless);
  expect(asked.length).toBeLessThanOrEqual(8);
});

test("the words of a translation only have gaps before and after all of them", () => {
  const words = [word("a", 5, 6), word("b", 1, 2)];
  expect(gapsBetween(words, 0, 9, true)).toMatchObject([{ startSeconds: 0 }, { endSeconds: 9 }]);
});

test("a recovered section starts shortly before the speech and ends with the gap", () => {
  const probabilities = Float32Array.from({ length: 40 }, (_, at) => (at >= 20 && at < 30 ? 0.9 : 0.1));
  const stretch = speechWithin({ startSeconds: 2, endSeconds: 6 }, probabilities, WINDOW_SECONDS);
  expect(stretch?.startSeconds).toBeCloseTo(3.7);
  expect(stretch?.endSeconds).toBe(6);
});

test("a written number lasts as long as its digits take to say", async () => {
  const samples = audio(5, [0, 4.5]);
  const { texts, asked } = await completed(samples, [word("555-123-4567.", 0.2, 4.4)], [[word("seven.", 0, 0.6)]]);
  expect(texts).toEqual(["555-123-4567."]);
  expect(asked).toEqual([]);
});

test("digits that a number before the gap has already are not written twice", async () => {
  const samples = audio(5, [0, 4.5]);
  const found = [word("Five,", 0.2, 0.5), word("six,", 0.6, 0.9), word("seven.", 1, 1.3)];
  const { texts } = await completed(samples, [word("555-123-4567.", 0.2, 2)], [found]);
  expect(texts).toEqual(["555-123-4567."]);
});

test("speech without any words is recognised phrase by phrase", async () => {
  const samples = audio(6, [0, 1.6], [2.2, 3.4], [4.4, 5.6]);
  const answers = [[word("one", 0.3, 1.5)], [word("two", 0.4, 1.4)], [word("three", 0.4, 1.4)]];
  const { texts, asked } = await completed(samples, [], answers);
  expect(texts).toEqual(["one", "two", "three"]);
  expect(asked).toHaveLength(3);
});

test("one phrase without words, without a pause, is not recognised again", async () => {
  const { texts, asked } = await completed(audio(3, [0.5, 2.5]), [], [[word("You", 0, 1)]]);
  expect(texts).toEqual([]);
  expect(asked).toEqual([]);
});

test("after settled words, a pass that found no more words is repeated without them", async () => {
  const answers = [[word("fifty-five", 0.3, 1.2)]];
  const { texts, asked } = await completed(audio(4, [0, 1.5], [2, 3.2]), [], answers, { fromSeconds: 1.6 });
  expect(texts).toEqual(["fifty-five"]);
  expect(asked).toHaveLength(1);
});
