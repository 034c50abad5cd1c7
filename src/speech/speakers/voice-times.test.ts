import { expect, test } from "vitest";
import { speakersOfTurns } from "./voice-times.ts";

const turns = [
  { start: 0, end: 10, speaker: 0 },
  { start: 4, end: 4.6, speaker: 1 },
  { start: 10, end: 12, speaker: 1 },
];
const speakerOf = speakersOfTurns(turns);

test("a word belongs to the turn that covers most of it", () => {
  expect(speakerOf(1, 1.5)).toBe(0);
  expect(speakerOf(9.8, 10.6)).toBe(1);
  expect(speakerOf(9.5, 10.1)).toBe(0);
});
test("where two talk, the word belongs to the longer turn", () => {
  expect(speakerOf(4.1, 4.4)).toBe(0);
});
test("a word outside of all turns belongs to the nearest one, and a distant word to none", () => {
  expect(speakerOf(12.5, 13)).toBe(1);
  expect(speakerOf(60, 61)).toBeUndefined();
  expect(speakersOfTurns([])(0, 1)).toBeUndefined();
});
