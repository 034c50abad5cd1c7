import fc from "fast-check";
import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { withSentencesEnded, withSentencesJoined } from "./sentence-pauses.ts";

const MARKS = ["", "", ".", ".", ",", "?", '."'];
const word = fc
  .tuple(
    fc.constantFrom("Ask", "Not", "not", "What", "because", "the", "The", "IT", "Mr", "u.s", "3"),
    fc.constantFrom(...MARKS),
  )
  .map(([letters, mark]) => letters + mark);
const spoken = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  channel: fc.nat(1),
  pauseSeconds: fc.constantFrom(0, 0.3, 1, 3),
});

/** Utterances of two channels, one after another. */
function inOrder(items: readonly { text: string; channel: number; pauseSeconds: number }[]): Utterance[] {
  let start = 0;
  return items.map(({ text, channel, pauseSeconds }) => {
    const one = utterance(text, start, channel);
    start = Math.round((one.end + pauseSeconds) * 1000) / 1000;
    return one;
  });
}

test("for any utterances: joined and ended again, they are as before; only capitals and marks at pauses change", () => {
  let joins = 0;
  fc.assert(
    fc.property(fc.array(spoken, { maxLength: 8 }), (items) => {
      const before = inOrder(items);
      const { utterances, pauses } = withSentencesJoined(before);
      joins += pauses.length;
      for (const { text, words } of utterances) expect(words.map((one) => one.word).join("")).toBe(text);
      const rest = (all: readonly Utterance[]) =>
        all.map(({ text, words, ...others }) => [text.replace(/[.,?"]/g, "").toLowerCase(), words.length, others]);
      expect(rest(utterances)).toEqual(rest(before));
      // Each utterance by a speaker of its own: no sentence continues.
      const apart = utterances.map((one, speaker) => ({ ...one, speaker }));
      const ended = withSentencesEnded(apart, pauses);
      expect(ended.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
      expect(withSentencesEnded(ended, pauses)).toEqual(ended);
      // One channel and one speaker: every sentence continues.
      if (new Set(items.map(({ channel }) => channel)).size === 1)
        expect(withSentencesEnded(utterances, pauses)).toEqual(utterances);
    }),
    { numRuns: 1_000 },
  );
  expect(joins).toBeGreaterThan(100);
});

test("thousands of phrases of the caller take no time for each pause", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => ({
    text: at % 2 === 0 ? "It is the." : "The Who.",
    channel: 0,
  }));
  const kept = ["The Who", ...Array.from({ length: 10_000 }, (_, at) => `The Word ${at}`)];
  const { utterances, pauses } = withSentencesJoined(inOrder(words.map((one) => ({ ...one, pauseSeconds: 1 }))), kept);
  expect(pauses).toHaveLength(10_000);
  expect(utterances[1]?.text).toBe("The Who.");
  expect(withSentencesEnded(utterances, pauses)).toEqual(utterances);
});
