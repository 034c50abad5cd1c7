// The repetition of a short word is added to the words. Other sounds are not.
import { expect, test } from "vitest";
import type { RecognizedWord } from "../recognizer.ts";
import { withRepeatedAnswers } from "./repeated-answers.ts";

const RATE = 16_000;
const WINDOW_SECONDS = 0.032;
const word = (text: string, startSeconds: number, endSeconds = startSeconds + 0.3): RecognizedWord => ({
  text,
  startSeconds,
  endSeconds,
  confidence: 0.8,
  tokens: [],
});

/** @param voices  seconds with a voice @param said  what a pass over a section finds */
function recovered(words: RecognizedWord[], voices: readonly [number, number][], said: RecognizedWord[]) {
  const seconds = 4;
  const sections: number[] = [];
  const probabilities = Float32Array.from({ length: seconds / WINDOW_SECONDS }, (_, at) =>
    voices.some(([from, to]) => at * WINDOW_SECONDS >= from && at * WINDOW_SECONDS < to) ? 0.9 : 0,
  );
  const result = withRepeatedAnswers(words, new Float32Array(seconds * RATE), {
    sampleRate: RATE,
    detector: { windowSeconds: WINDOW_SECONDS, probabilities: async () => probabilities },
    recognize: async (_, startSeconds) => {
      sections.push(startSeconds);
      return said;
    },
  });
  return result.then((all) => ({ all, sections }));
}

const TWICE = [
  [1, 1.3],
  [1.8, 2.1],
] as const satisfies [number, number][];

test("the same word after half a second is added at its time", async () => {
  const { all } = await recovered([word("No.", 1)], [...TWICE], [word("no", 0.25)]);
  expect(all.map(({ text }) => text)).toEqual(["No.", "no"]);
  expect(all[1]?.startSeconds).toBeCloseTo(1.8, 1);
});

test("the same word before it is added, too", async () => {
  const { all } = await recovered([word("Yes.", 1.8)], [...TWICE], [word("Yes.", 0.3)]);
  expect(all.map(({ startSeconds }) => startSeconds.toFixed(1))).toEqual(["1.0", "1.8"]);
});

test("other words, and none, are not added", async () => {
  for (const said of [[], [word("You", 0.2)], [word("no", 0.1), word("no", 0.5)]]) {
    const words = [word("No.", 1)];
    expect((await recovered(words, [...TWICE], said)).all).toBe(words);
  }
});

test("a voice that has its words, a click and a long text need no further pass", async () => {
  const no = [word("No,", 1), word("no.", 1.8)];
  expect((await recovered(no, [...TWICE], [word("no", 0.2)])).sections).toEqual([]);
  expect(
    (
      await recovered(
        [word("No.", 1)],
        [
          [1, 1.3],
          [1.8, 1.85],
        ],
        [word("no", 0)],
      )
    ).sections,
  ).toEqual([]);
  const long = Array.from({ length: 5 }, (_, at) => word("no", at / 4, at / 4 + 0.2));
  expect((await recovered(long, [...TWICE], [word("no", 0)])).sections).toEqual([]);
});
