import { expect, test } from "vitest";
import type { RecognizedWord } from "../recognizer.ts";
import { withoutInvented } from "./invented-repetitions.ts";

const word = (text: string, startSeconds: number, endSeconds: number): RecognizedWord => ({
  text,
  startSeconds,
  endSeconds,
  confidence: 0.9,
  tokens: [],
});

/** Samples that are audible in the given seconds and faint elsewhere. */
const audio = (seconds: number, ...sounds: [from: number, to: number][]) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) =>
    sounds.some(([from, to]) => at >= from * 16_000 && at < to * 16_000) ? 0.1 : 0.002,
  );

const FOUR: [number, number][] = [
  [0.5, 0.9],
  [1.2, 1.6],
  [1.9, 2.3],
  [2.6, 3],
];
const SPOKEN = FOUR.map(([from, to]) => word("two,", from, to));

test("a repetition in the silence behind the last one is removed", () => {
  const words = [...SPOKEN, word("Two.", 3.2, 3.21)];
  expect(withoutInvented(words, { samples: audio(4, ...FOUR) })).toEqual(SPOKEN);
});

test("a repetition without audio of its own between two others is removed", () => {
  const words = [...SPOKEN.slice(0, 2), word("two,", 1.6, 1.65), ...SPOKEN.slice(2)];
  expect(withoutInvented(words, { samples: audio(4, ...FOUR) })).toEqual(SPOKEN);
});

test("a spoken repetition stays, even if it is aligned to a moment of its sound", () => {
  const words = [...SPOKEN, word("two.", 3.3, 3.31)];
  expect(withoutInvented(words, { samples: audio(4, ...FOUR, [3.3, 3.6]) })).toBe(words);
});

test("a short word beside others whose times contain pauses stays", () => {
  const words = [word("two,", 0.5, 0.62), word("two,", 0.62, 1.6), word("two,", 1.6, 2.3), word("two.", 2.3, 3)];
  const sounds: [number, number][] = [
    [0.5, 0.62],
    [1.3, 1.6],
    [2, 2.3],
    [2.7, 3],
  ];
  expect(withoutInvented(words, { samples: audio(4, ...sounds) })).toBe(words);
});

test("a repetition in silence stays if another word has the sound of two", () => {
  const words = [...SPOKEN.slice(0, 3), word("two,", 2.6, 3.7), word("two.", 4, 4.02)];
  expect(withoutInvented(words, { samples: audio(5, ...FOUR, [3.3, 3.7]) })).toBe(words);
});

test("words of partials and translations stay", () => {
  const words = [...SPOKEN, word("two.", 3.2, 3.21)];
  const samples = audio(4, ...FOUR);
  expect(withoutInvented(words, { samples, audioId: "session" })).toBe(words);
  expect(withoutInvented(words, { samples, task: "translate" })).toBe(words);
});

test("a run of three, other words, and equal words with others between them stay", () => {
  const three = [...SPOKEN.slice(0, 3), word("two.", 2.5, 2.51)].slice(1);
  expect(withoutInvented(three, { samples: audio(4, ...FOUR) })).toBe(three);
  const mixed = [...SPOKEN, word("too", 3.2, 3.21)];
  expect(withoutInvented(mixed, { samples: audio(4, ...FOUR) })).toBe(mixed);
});
