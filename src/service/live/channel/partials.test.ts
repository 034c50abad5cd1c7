import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partialAudio } from "./partial-audio.ts";
import { Partials } from "./partials.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Words 0.3 s long from 0 on, with this confidence. */
const answer = (text: string, confidence = 0.99): PlacedWord[] =>
  text.split(" ").map((word, index) => ({
    text: word,
    startSeconds: index * 0.3,
    endSeconds: (index + 1) * 0.3,
    confidence,
    tokens: [index],
  }));

/** An earlier result up to here contained no words. */
function begunAt(edgeSeconds: number): Partials {
  const partials = new Partials();
  partials.update([], 0, edgeSeconds);
  return partials;
}

const textOf = (words: PlacedWord[] | undefined) => words?.map(({ text }) => text).join(" ");

describe("Partials", () => {
  test("a confident word is shown when a second result agrees, ignoring case and punctuation", () => {
    const partials = begunAt(0.5);
    expect(partials.update(answer("And so"), 0, 0.6)).toBeUndefined();
    expect(textOf(partials.update(answer("and, so it"), 0, 0.75))).toBe("and, so");
    expect(partials.update(answer("and so"), 0, 0.8)).toBeUndefined();
  });
  test("words that differ in a combining mark alone do not agree", () => {
    const partials = begunAt(0.5);
    expect(partials.update(answer("मेरा"), 0, 0.6)).toBeUndefined();
    expect(partials.update(answer("मेरी है"), 0, 0.75)).toBeUndefined();
  });
  /** Seconds of audio until all words are shown, if they are first recognised 0.15 s after the last one. */
  const waited = (text: string, confidence: number) => {
    const partials = new Partials();
    const words = [...answer(text).slice(0, -1), ...answer(text, confidence).slice(-1)];
    for (let step = 0; step < 50; step++) {
      const shown = partials.update(words, 0, words.length * 0.3 + 0.15 + step * 0.021);
      if (shown?.length === words.length) return step * 0.021;
    }
    return Number.POSITIVE_INFINITY;
  };
  test("the lower its confidence, the longer results must agree on a word", () => {
    const delays = [0.99, 0.93, 0.7, 0.3].map((confidence) => waited("well hello", confidence));
    expect(delays[0]).toBeCloseTo(0.126);
    expect(delays).toEqual([...delays].sort((left, right) => left - right));
    expect(new Set(delays).size).toBe(3);
    expect(delays[3]).toBeLessThan(0.5);
  });
  test("results must agree longer on the first word of an utterance", () => {
    expect(waited("hello", 0.99)).toBeCloseTo(0.231);
    expect(waited("well hello", 0.99)).toBeCloseTo(0.126);
  });
  test("an earlier low confidence lowers the confidence of a word", () => {
    const shown = [0.99, 0.3].map((before) => {
      const partials = begunAt(0.4);
      partials.update(answer("hello", before), 0, 0.41);
      return partials.update(answer("hello"), 0, 0.65);
    });
    expect(shown.map((one) => one !== undefined)).toEqual([true, false]);
  });
  test("a word is shown sooner if the next one has a higher confidence", () => {
    const hypothesis = (next: number) => [
      ...answer("had", 0.75),
      { ...(answer("had he")[1] as PlacedWord), confidence: next },
    ];
    const partials = begunAt(0.6);
    partials.update(hypothesis(0.95), 0, 0.65);
    expect(textOf(partials.update(hypothesis(0.95), 0, 0.7))).toBe("had");
    const unsure = begunAt(0.6);
    unsure.update(hypothesis(0.5), 0, 0.65);
    expect(unsure.update(hypothesis(0.5), 0, 0.7)).toBeUndefined();
    expect(textOf(unsure.update(hypothesis(0.5), 0, 0.86))).toBe("had");
  });
  test("a word that ended long ago is shown whatever its confidence", () => {
    const partials = new Partials();
    partials.update(answer("had", 0.1), 0, 0.95);
    expect(textOf(partials.update(answer("had", 0.1), 0, 1))).toBe("had");
  });
  test("under load two results far apart are enough", () => {
    const partials = new Partials();
    partials.update(answer("hello", 0.3), 0, 1);
    expect(textOf(partials.update(answer("hello", 0.3), 0, 1.6))).toBe("hello");
  });
  test("with sparse results one is enough for a confident word that ended a while ago", () => {
    const partials = new Partials();
    expect(textOf(partials.update(answer("he was old"), 0, 1))).toBe("he was");
    expect(begunAt(0.8).update(answer("he was old"), 0, 1)).toBeUndefined();
    expect(begunAt(0.6).update(answer("he was old", 0.5), 0, 1)).toBeUndefined();
  });
  test("a shown word stays until results agree on another one", () => {
    const partials = new Partials();
    partials.update(answer("he was old"), 0, 0.9);
    expect(textOf(partials.update(answer("he was old"), 0, 1.05))).toBe("he was old");
    expect(partials.update(answer("he was ill"), 0, 1.1)).toBeUndefined();
    expect(partials.update(answer("he was old"), 0, 1.2)).toBeUndefined();
    partials.update(answer("he was ill disposed"), 0, 1.3);
    expect(textOf(partials.update(answer("he was ill disposed"), 0, 1.65))).toBe("he was ill disposed");
  });
  test("the first part of a compound stays until the compound is shown", () => {
    const partials = new Partials();
    partials.update(answer("rather cold"), 0, 0.65);
    expect(textOf(partials.update(answer("rather cold"), 0, 0.9))).toBe("rather cold");
    expect(partials.update(answer("rather cold-heart"), 0, 0.95)).toBeUndefined();
    expect(partials.update(answer("rather cold-hearted"), 0, 1.05)).toBeUndefined();
    expect(textOf(partials.update(answer("rather cold-hearted"), 0, 1.2))).toBe("rather cold-hearted");
    expect(partials.update(answer("rather coldest"), 0, 1.3)).toBeUndefined();
  });
  test("loops are not shown", () => {
    const partials = new Partials();
    for (const edge of [1.5, 1.6, 1.7]) {
      expect(partials.update(answer("go go go go"), 0, edge)).toBeUndefined();
      expect(partials.update(answer("hahahaha"), 0, edge)).toBeUndefined();
    }
  });
  test("the same result repeated is shown from its start, finally as a whole, and nothing of it is retracted", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.float({ min: 0, max: 1, noNaN: true }), (count, confidence) => {
        const words = answer(["one", "two", "three", "four", "five", "six"].slice(0, count).join(" "), confidence);
        const partials = new Partials();
        const shown = Array.from({ length: 20 }, (_, step) =>
          partials.update(words, 0, count * 0.3 + 0.2 + step * 0.05),
        );
        const messages = shown.filter((one) => one !== undefined);
        for (const message of messages) expect(words.slice(0, message.length)).toEqual(message);
        const lengths = messages.map(({ length }) => length);
        expect(lengths).toEqual([...new Set(lengths)].sort((left, right) => left - right));
        expect(lengths.at(-1)).toBe(count);
      }),
    );
  });
});

describe("partialAudio", () => {
  const words = answer(Array.from({ length: 30 }, (_, index) => `w${index}`).join(" "));
  const whole = { seconds: 0, isWhole: true };

  test("a short utterance is recognised as a whole", () => {
    expect(partialAudio(answer("one two three four"), 4, whole)).toBeUndefined();
    expect(partialAudio([], 100, whole)).toBeUndefined();
  });
  test("of a long utterance the end is recognised, from a boundary between two words; earlier words are known", () => {
    const part = partialAudio(words, 9, whole);
    expect(part?.startSeconds).toBeCloseTo(4.5);
    expect(part?.known).toHaveLength(23);
    // The known words within the audio are its prefix: from the sixteenth on.
    expect(part?.prefix).toEqual(words.slice(15, 23));
  });
  test("the start stays until the audio is too long", () => {
    const starts = Array.from({ length: 40 }, (_, step) => 6.1 + step * 0.1);
    let since = whole;
    const begun = starts.map((edge) => {
      const seconds = partialAudio(words, edge, since)?.startSeconds ?? 0;
      since = { seconds, isWhole: seconds === 0 };
      return seconds;
    });
    expect(new Set(begun).size).toBeLessThan(4);
    for (const [index, edge] of starts.entries()) expect(edge - (begun[index] as number)).toBeLessThan(6.2);
  });
});
