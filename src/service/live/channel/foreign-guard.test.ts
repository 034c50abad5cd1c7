import { expect, test } from "vitest";
import type { EnglishVerdict } from "../../../speech/recognition/english-evidence.ts";
import { ForeignGuard } from "./foreign-guard.ts";

/** A second of silence and one of speech. */
const CLEAR = Float32Array.from({ length: 32_000 }, (_, at) => (at < 16_000 ? 0.0001 : 0.1) * Math.sin(at));

/** Words of half a second each. */
const words = (count: number, confidence: number, text = "word") =>
  Array.from({ length: count }, (_, at) => ({
    text,
    tokens: [],
    startSeconds: at / 2,
    endSeconds: (at + 1) / 2,
    confidence,
  }));

/** @param finals  number of words, confidence of both models, which write different ones */
async function judged(...finals: [count: number, confidence: number][]) {
  const guard = new ForeignGuard();
  const answers: EnglishVerdict[] = [];
  let secondModelCalls = 0;
  for (const [count, confidence] of finals) {
    answers.push(
      await guard.judge(CLEAR, words(count, confidence), async () => {
        secondModelCalls++;
        return words(count, confidence, "other");
      }),
    );
  }
  return { answers, secondModelCalls };
}

test("clear English is not checked by the second model", async () => {
  expect(await judged([8, 0.9], [8, 0.85])).toEqual({ answers: ["english", "english"], secondModelCalls: 0 });
});

test("a first utterance in another language is foreign", async () => {
  expect((await judged([10, 0.5])).answers).toEqual(["foreign"]);
});

test("short utterances are judged together with those that follow", async () => {
  expect((await judged([2, 0.4], [2, 0.4], [2, 0.4], [2, 0.4])).answers).toEqual([
    "english",
    "doubtful",
    "foreign",
    "foreign",
  ]);
});

test("a short answer of low confidence is kept", async () => {
  expect((await judged([1, 0.3])).answers).toEqual(["english"]);
});

test("after English, a few uncertain utterances are English in noise; many are another language, until English returns", async () => {
  const { answers } = await judged([8, 0.9], [10, 0.5], [8, 0.9], [10, 0.5], [10, 0.5], [10, 0.5], [10, 0.5], [8, 0.9]);
  expect(answers).toEqual([...Array(6).fill("english"), "foreign", "english"]);
});

test("after a restart, earlier finals count: a noisy utterance behind English is English, a short one behind another language is not", async () => {
  const judge = (guard: ForeignGuard, count: number, confidence: number) =>
    guard.judge(CLEAR, words(count, confidence), async () => words(count, confidence, "other"));
  const restarted = (guard: ForeignGuard) => new ForeignGuard(JSON.parse(JSON.stringify(guard.state)));
  const english = new ForeignGuard();
  expect(english.state).toBeUndefined();
  await judge(english, 8, 0.9);
  expect(await judge(restarted(english), 10, 0.5)).toBe("english");
  expect(await judge(new ForeignGuard(), 10, 0.5)).toBe("foreign");
  const foreign = new ForeignGuard();
  await judge(foreign, 10, 0.5);
  expect(await judge(restarted(foreign), 2, 0.4)).toBe("foreign");
});

test("partials that are probably not English are hidden", async () => {
  const guard = new ForeignGuard();
  expect(guard.isPlausible(words(2, 0.4))).toBe(true);
  expect(guard.isPlausible(words(6, 0.4))).toBe(false);
  expect(guard.isPlausible(words(6, 0.8))).toBe(true);
  await guard.judge(CLEAR, words(10, 0.4), async () => words(10, 0.3));
  expect(guard.isPlausible(words(2, 0.9))).toBe(false);
});
