import { expect, test } from "vitest";
import { WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { UnrecognizedSpeech } from "./unrecognized-speech.ts";

/** Speech between each two times. */
function detected(untilSeconds: number, ...speech: [from: number, to: number][]): UnrecognizedSpeech {
  const unrecognized = new UnrecognizedSpeech();
  for (let end = WINDOW_SECONDS; end <= untilSeconds; end += WINDOW_SECONDS) {
    const isSpeech = speech.some(([from, to]) => end > from && end <= to);
    unrecognized.add(end, isSpeech ? 0.9 : 0.1);
  }
  return unrecognized;
}
const words = (...times: [number, number][]) =>
  times.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds }));

test("speech before the words of a final is reported, later speech is not yet", () => {
  const unrecognized = detected(6, [1, 2], [3, 4], [5, 6]);
  unrecognized.cover(words([3.1, 3.9]));
  expect(unrecognized.takeBefore(3.1)).toHaveLength(1);
  expect(unrecognized.takeBefore(3.1)).toEqual([]);
  const [last] = unrecognized.takeBefore(Number.POSITIVE_INFINITY);
  expect(last?.startSeconds).toBeCloseTo(5, 1);
});

test("speech that gets its words from a later final is not reported", () => {
  const unrecognized = detected(3, [1, 2]);
  unrecognized.cover(words([1.1, 1.9]));
  expect(unrecognized.takeBefore(Number.POSITIVE_INFINITY)).toEqual([]);
});

test("after silence, speech without words is reported", () => {
  const unrecognized = detected(3, [1, 2]);
  expect(unrecognized.takeSettled(3)).toEqual([]);
  expect(unrecognized.takeSettled(4.1)).toHaveLength(1);
  expect(unrecognized.takeSettled(9)).toEqual([]);
});

test("speech that is transcribed elsewhere is not reported", () => {
  const unrecognized = detected(3, [1, 2]);
  unrecognized.clear();
  expect(unrecognized.takeSettled(9)).toEqual([]);
});
