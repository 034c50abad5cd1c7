// Numbers of speakers in the result.
import { expect, test } from "vitest";
import { turnsOf } from "../../../../test/fixtures/thread-time.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { atOnce, inTurns } from "../../../platform/process/steps.ts";
import { keptNumbers } from "./kept-numbers.ts";

/** An utterance of `count` words of a speaker, one a second. */
function utterance(speaker: number, from: number, count: number): Utterance {
  const words = Array.from({ length: count }, (_, at) => {
    const start = from + at;
    return { word: "a", start, end: start + 0.5, confidence: 1, speaker };
  });
  return { text: "", language: "en", start: from, end: from + count, confidence: 1, channel: 0, speaker, words };
}

test("speakers keep the numbers of their finals; one without a final has the next number", () => {
  const finals = [utterance(4, 0, 3), utterance(2, 3, 3)];
  const kept = atOnce(keptNumbers(finals, [utterance(0, 0, 3), utterance(1, 3, 3)], [7]));
  expect([...kept]).toEqual([
    [0, 4],
    [1, 2],
    [7, 5],
  ]);
});

test("a session of any number of words has numbers, found in short turns", async () => {
  const spoken = (speaker: number) => Array.from({ length: 15_000 }, (_, at) => utterance(speaker, at * 20, 20));
  const [finals, utterances] = [spoken(3), spoken(0)];
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && longest >= 150; tries++) {
    const cost = await turnsOf(() => inTurns(keptNumbers(finals, utterances, [1])));
    expect([...cost.result]).toEqual([
      [0, 3],
      [1, 4],
    ]);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(150);
  const whole = 300_000;
  expect([...atOnce(keptNumbers([utterance(3, 0, whole)], [utterance(0, 0, whole)], []))]).toEqual([[0, 3]]);
});
