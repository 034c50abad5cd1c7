// Words by characters and times: the same ones as a search through all of them finds, and fast enough for a long recording.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { Word } from "../../contract/transcript/transcript.ts";
import { identifiersIn } from "./identifiers.ts";
import { spokenWords } from "./spans.ts";
import { WordPlaces, WordTimes } from "./word-places.ts";

const someWords = fc.array(
  fc.record({ text: fc.constantFrom("a", "b c", "12", "."), start: fc.nat(20), length: fc.nat(4) }),
  { maxLength: 12 },
);

test("words in any order are found by their places and by their times", () => {
  fc.assert(
    fc.property(someWords, fc.nat(30), fc.nat(8), fc.nat(20), fc.nat(6), (given, from, length, start, duration) => {
      const words: Word[] = given.map(({ text, start: begin, length: long }) => ({
        word: ` ${text}`,
        start: begin,
        end: begin + long,
        confidence: 1,
      }));
      const places = new WordPlaces(words);
      let at = 0;
      const inPlace = words.filter(({ word }) => {
        const [first, end] = [at + 1, at + word.length];
        at = end;
        return first < from + length && end > from;
      });
      expect(places.wordsIn(from, from + length)).toEqual(inPlace);
      const written = [{ word: " x", start, end: start + duration, confidence: 1 }];
      expect(new WordTimes(words).within(written)).toEqual(spokenWords(written, words));
    }),
  );
});

test("identifiers of two hours are found in seconds, also where utterances overlap", () => {
  const utterances = Array.from({ length: 1_000 }, (_, at) =>
    utterance(
      `In ${1900 + (at % 100)} we called five five five one two three ${at % 10} four on May ${1 + (at % 28)}.`,
      at * 4,
    ),
  );
  const startedAt = performance.now();
  expect(identifiersIn(utterances).length).toBeGreaterThan(2_000);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
}, 60_000);
