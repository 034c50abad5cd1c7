import { expect, test } from "vitest";
import { silenceOfTurnEnd, type TurnEvidence } from "./turn-end.ts";

const COMPLETE: TurnEvidence = {
  probability: 0.97,
  words: "Can I have a large coffee?".split(" "),
  language: "en",
  endsInNumber: false,
};
const silence = (changes: Partial<TurnEvidence> = {}, threshold = 0.85) =>
  silenceOfTurnEnd({ ...COMPLETE, ...changes }, threshold);
const words = (text: string) => ({ words: text.split(" ") });

test("the less probable the end, the longer the silence; a higher threshold needs more", () => {
  const seconds = [1, 0.97, 0.5, 0.1, 0].map((probability) => silence({ probability }));
  expect(seconds).toEqual([...seconds].sort((left, right) => left - right));
  expect(seconds[1]).toBeLessThan(0.3);
  expect(seconds.at(-1)).toBeGreaterThan(0.9);
  expect(silence({}, 0.95)).toBeGreaterThan(silence());
  for (const probability of [0, 1]) expect(Number.isFinite(silence({ probability }))).toBe(true);
});

test("words with which no sentence ends, a comma and a first clause need more silence", () => {
  for (const unfinished of [
    "I would like the",
    "a coffee and.",
    "It is, um,",
    "A small latte,",
    "If you have time.",
    "Hello. But when I called",
  ]) {
    expect(silence(words(unfinished)), unfinished).toBeGreaterThan(1.2 * silence());
  }
  for (const finished of [
    "Yes.",
    "If possible.",
    "If you have time, call me.",
    "When can I come?",
    "As soon as I can. Thank you.",
    "",
  ]) {
    expect(silence(words(finished)), finished).toBe(silence());
  }
});

test("the rules for words are English ones; a comma counts in every language", () => {
  expect(silence({ ...words("wenn du die"), language: "de" })).toBe(silence());
  expect(silence({ ...words("und dann,"), language: "de" })).toBeGreaterThan(silence());
});

test("a number needs half a second", () => {
  expect(silence({ endsInNumber: true })).toBe(0.5);
  expect(silence({ endsInNumber: true, probability: 0 })).toBe(silence({ probability: 0 }));
});
