import { expect, test } from "vitest";
import {
  boundedStretches,
  joinedRuns,
  speechRuns,
  stretchesOf,
  uncoveredRuns,
  wordlessWarning,
} from "./wordless-speech.ts";

const stretch = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });

test("windows with speech form runs", () => {
  const probabilities = Float32Array.of(0, 0.9, 0.6, 0.4, 0.5, 0);
  expect(speechRuns(probabilities, 0.5)).toEqual([stretch(0.5, 1.5), stretch(2, 2.5)]);
});

test("speech near a word belongs to it, whatever the order of the words", () => {
  const runs = [stretch(0, 4), stretch(5, 6), stretch(8, 9)];
  const words = [stretch(8.2, 8.5), stretch(1, 1.5)];
  expect(uncoveredRuns(runs, words)).toEqual([stretch(0, 0.6), stretch(1.9, 4), stretch(5, 6), stretch(8.9, 9)]);
  expect(uncoveredRuns(runs, [])).toEqual(runs);
  expect(uncoveredRuns(runs, [stretch(0, 9)])).toEqual([]);
});

test("runs with short pauses form a stretch, and short ones are left out", () => {
  const runs = [stretch(1, 1.4), stretch(1.7, 2), stretch(4, 4.3), stretch(6, 8)];
  expect(stretchesOf(runs)).toEqual([stretch(1, 2), stretch(6, 8)]);
});

test("the warning lists the first places", () => {
  expect(wordlessWarning([stretch(8.16, 9.3)])).toMatch(/^No words were recognised in 1\.1 s .* at 8\.2 to 9\.3 s: /);
  const many = Array.from({ length: 7 }, (_, at) => stretch(at, at + 0.5));
  expect(wordlessWarning(many)).toContain("4.0 to 4.5 s and 2 more");
});

test("stretches beyond the hundred that a job keeps count in the warning", () => {
  const all = Array.from({ length: 130 }, (_, at) => stretch(at, at + 0.5));
  const { wordless = [], furtherWordless } = boundedStretches(all);
  expect(wordless).toHaveLength(100);
  expect(wordlessWarning(wordless, furtherWordless)).toBe(wordlessWarning(all));
  expect(wordlessWarning(all)).toMatch(/in 65\.0 s .* and 125 more/);
  expect(boundedStretches([])).toEqual({});
});

test("runs of two examinations are joined where they meet, in order", () => {
  const run = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
  expect(joinedRuns([run(1, 2), run(6, 7)], [run(4, 5), run(1.5, 3), run(6.2, 6.4)])).toEqual([
    run(1, 3),
    run(4, 5),
    run(6, 7),
  ]);
});
