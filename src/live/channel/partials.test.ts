import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partialAudio } from "./partial-audio.ts";
import { Partials } from "./partials.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Words 0.3 s long from 0 on, as sure as said. */
const answer = (text: string, confidence = 0.99): PlacedWord[] =>
  text.split(" ").map((word, index) => ({
    text: word,
    startSeconds: index * 0.3,
    endSeconds: (index + 1) * 0.3,
    confidence,
    tokens: [index],
  }));

/** The recogniser has answered before, up to here, but heard no word. */
function begunAt(edgeSeconds: number): Partials {
  const partials = new Partials();
  partials.update([], 0, edgeSeconds);
  return partials;
}

const told = (words: PlacedWord[] | undefined) => words?.map(({ text }) => text).join(" ");

describe("Partials", () => {
  test("a sure word is shown when a second answer agrees, whatever its case and marks", () => {
    const partials = begunAt(0.5);
    expect(partials.update(answer("And so"), 0, 0.6)).toBeUndefined();
    expect(told(partials.update(answer("and, so it"), 0, 0.75))).toBe("and, so");
    expect(partials.update(answer("and so"), 0, 0.8)).toBeUndefined();
  });
  /** Seconds of audio until all words are shown, when they are heard for the first time 0.15 s after the last one. */
  const waited = (text: string, confidence: number) => {
    const partials = new Partials();
    const words = [...answer(text).slice(0, -1), ...answer(text, confidence).slice(-1)];
    for (let step = 0; step < 50; step++) {
      const shown = partials.update(words, 0, words.length * 0.3 + 0.15 + step * 0.021);
      if (shown?.length === words.length) return step * 0.021;
    }
    return Number.POSITIVE_INFINITY;
  };
  test("the less sure it is, the longer answers must agree", () => {
    const delays = [0.99, 0.93, 0.7, 0.3].map((confidence) => waited("well hello", confidence));
    expect(delays[0]).toBeCloseTo(0.126);
    expect(delays).toEqual([...delays].sort((left, right) => left - right));
    expect(new Set(delays).size).toBe(3);
    expect(delays[3]).toBeLessThan(0.5);
  });
  test("on the first word of an utterance answers must agree for longer", () => {
    expect(waited("hello", 0.99)).toBeCloseTo(0.231);
    expect(waited("well hello", 0.99)).toBeCloseTo(0.126);
  });
  test("a word that was doubted is not as sure as it seems now", () => {
    const shown = [0.99, 0.3].map((before) => {
      const partials = begunAt(0.4);
      partials.update(answer("hello", before), 0, 0.41);
      return partials.update(answer("hello"), 0, 0.65);
    });
    expect(shown.map((one) => one !== undefined)).toEqual([true, false]);
  });
  test("a word is shown sooner when a surer one is behind it", () => {
    const heard = (next: number) => [
      ...answer("had", 0.75),
      { ...(answer("had he")[1] as PlacedWord), confidence: next },
    ];
    const partials = begunAt(0.6);
    partials.update(heard(0.95), 0, 0.65);
    expect(told(partials.update(heard(0.95), 0, 0.7))).toBe("had");
    const unsure = begunAt(0.6);
    unsure.update(heard(0.5), 0, 0.65);
    expect(unsure.update(heard(0.5), 0, 0.7)).toBeUndefined();
    expect(told(unsure.update(heard(0.5), 0, 0.86))).toBe("had");
  });
  test("what was said long ago is shown however unsure it is", () => {
    const partials = new Partials();
    partials.update(answer("had", 0.1), 0, 0.95);
    expect(told(partials.update(answer("had", 0.1), 0, 1))).toBe("had");
  });
  test("under load two answers far apart are enough", () => {
    const partials = new Partials();
    partials.update(answer("hello", 0.3), 0, 1);
    expect(told(partials.update(answer("hello", 0.3), 0, 1.6))).toBe("hello");
  });
  test("where answers are rare, one is enough for a sure word that ended a while ago", () => {
    const partials = new Partials();
    expect(told(partials.update(answer("he was old"), 0, 1))).toBe("he was");
    expect(begunAt(0.8).update(answer("he was old"), 0, 1)).toBeUndefined();
    expect(begunAt(0.6).update(answer("he was old", 0.5), 0, 1)).toBeUndefined();
  });
  test("what was shown stays until answers agree on another word", () => {
    const partials = new Partials();
    partials.update(answer("he was old"), 0, 0.9);
    expect(told(partials.update(answer("he was old"), 0, 1.05))).toBe("he was old");
    expect(partials.update(answer("he was ill"), 0, 1.1)).toBeUndefined();
    expect(partials.update(answer("he was old"), 0, 1.2)).toBeUndefined();
    partials.update(answer("he was ill disposed"), 0, 1.3);
    expect(told(partials.update(answer("he was ill disposed"), 0, 1.65))).toBe("he was ill disposed");
  });
  test("the beginning of a compound stays until the compound is ready", () => {
    const partials = new Partials();
    partials.update(answer("rather cold"), 0, 0.65);
    expect(told(partials.update(answer("rather cold"), 0, 0.9))).toBe("rather cold");
    expect(partials.update(answer("rather cold-heart"), 0, 0.95)).toBeUndefined();
    expect(partials.update(answer("rather cold-hearted"), 0, 1.05)).toBeUndefined();
    expect(told(partials.update(answer("rather cold-hearted"), 0, 1.2))).toBe("rather cold-hearted");
    expect(partials.update(answer("rather coldest"), 0, 1.3)).toBeUndefined();
  });
  test("loops are not shown", () => {
    const partials = new Partials();
    for (const edge of [1.5, 1.6, 1.7]) {
      expect(partials.update(answer("go go go go"), 0, edge)).toBeUndefined();
      expect(partials.update(answer("hahahaha"), 0, edge)).toBeUndefined();
    }
  });
  test("the same answer over and over is shown from its beginning, in the end whole, and nothing of it is taken back", () => {
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

  test("a short utterance is heard as a whole", () => {
    expect(partialAudio(answer("one two three four"), 4, whole)).toBeUndefined();
    expect(partialAudio([], 100, whole)).toBeUndefined();
  });
  test("of a long one the end, beginning between two words; what is older than that is known", () => {
    const part = partialAudio(words, 9, whole);
    expect(part?.startSeconds).toBeCloseTo(4.5);
    expect(part?.known).toHaveLength(23);
    // Of the known words those in the audio are its prefix: from the sixteenth on.
    expect(part?.prefix).toEqual(words.slice(15, 23));
  });
  test("the beginning stays until there is too much to hear", () => {
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
