// Corrections name finals and words, and apply to the finals of a client.
import { expect, test } from "vitest";
import { revised, withSpeakers } from "../../../contract/transcript/speaker-revision.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { atOnce } from "../../../platform/process/steps.ts";
import { keptNumbers } from "./kept-numbers.ts";
import { revisionOf, wordId } from "./revisions.ts";

const utterance = (texts: readonly string[], start = 0): Utterance => ({
  text: texts.join(""),
  language: "en",
  start,
  end: start + texts.length,
  confidence: 1,
  channel: 0,
  words: texts.map((word, at) => ({ word, start: start + at, end: start + at + 1, confidence: 1 })),
});
const speakersOf = ({ words }: Utterance) => words.map(({ speaker }) => speaker);

test("an utterance has the speaker of most of its words; words without a speaker stay as they are", () => {
  const final = withSpeakers(utterance([" a", " b", " c"]), [0, 1, 1]);
  expect(final.speaker).toBe(1);
  expect(speakersOf(final)).toEqual([0, 1, 1]);
  expect(withSpeakers(utterance([" a"]), [undefined])).toEqual(utterance([" a"]));
  expect(speakersOf(withSpeakers(utterance([" a", " b"]), [undefined, 2]))).toEqual([undefined, 2]);
});

test("a correction names the final, its words and its speaker, and applies merged speakers first", () => {
  const finals = new Map([
    ["00_0", withSpeakers(utterance([" a", " b"]), [2, 2])],
    ["00_1", withSpeakers(utterance([" c", " d", " e"], 2), [2, 1, 1])],
  ]);
  const words = [
    { id: wordId("00_1", 1), before: 1, speaker: 3 },
    { id: wordId("00_1", 2), before: 1, speaker: 3 },
    { id: wordId("00_9", 0), before: 1, speaker: 3 },
  ];
  const revision = revisionOf(0, { words, same: [{ from: 2, into: 0 }] }, (id) => finals.get(id));
  expect(revision).toEqual({
    channel: 0,
    merged: [{ speaker: 2, into: 0 }],
    utterances: [
      {
        id: "00_1",
        speaker: 3,
        words: [
          { index: 1, speaker: 3 },
          { index: 2, speaker: 3 },
        ],
      },
    ],
  });
  if (!revision) return;
  const after = [...finals].map(([id, final]) => revised(id, final, revision));
  expect(after.map(speakersOf)).toEqual([
    [0, 0],
    [0, 3, 3],
  ]);
  expect(after.map(({ speaker }) => speaker)).toEqual([0, 3]);
  expect(revisionOf(0, { words: [], same: [] }, () => undefined)).toBeUndefined();
});

test("speakers of the result keep the numbers of most of their words; others get numbers that no final had", () => {
  const finals = [
    withSpeakers(utterance([" a", " b", " c"]), [4, 4, 1]),
    withSpeakers(utterance([" d", " e"], 3), [1, 7]),
  ];
  const result: Utterance[] = [
    { ...utterance([" a", " b"]), speaker: 0 },
    { ...utterance([" c", " d"], 2), speaker: 1 },
    { ...utterance([" x"], 9), speaker: 2 },
  ];
  expect([...atOnce(keptNumbers(finals, result, [2, 3]))]).toEqual([
    [0, 4],
    [1, 1],
    [2, 8],
    [3, 9],
  ]);
});
