// Numbers of speakers in the result.
import { expect, test } from "vitest";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
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
  const kept = keptNumbers([utterance(4, 0, 3), utterance(2, 3, 3)], [utterance(0, 0, 3), utterance(1, 3, 3)], [7]);
  expect([...kept]).toEqual([
    [0, 4],
    [1, 2],
    [7, 5],
  ]);
});

test("a session of any number of words has numbers", () => {
  const count = 300_000;
  expect([...keptNumbers([utterance(3, 0, count)], [utterance(0, 0, count)], [1])]).toEqual([
    [0, 3],
    [1, 4],
  ]);
});
