import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attribute, type TimedWord, type WordSegment } from "./attribution.ts";
import { speakersAt } from "./voice-times.ts";

interface Named extends TimedWord {
  name: string;
}

const word = (name: string, start: number): Named => ({ name, start, end: start + 0.3 });
const stretch = (channel: number, ...words: Named[]): WordSegment<Named> => ({ channel, language: "en", words });
const printed = ({ turns }: ReturnType<typeof attribute<Named>>) =>
  turns.map(({ speaker, words }) => `${speaker}: ${words.map(({ name }) => name).join(" ")}`);

describe("attribute", () => {
  test("a turn ends where another voice begins, also within a segment", () => {
    const words = [word("so", 0), word("it", 0.4), word("begins", 0.8), word("yes", 1.4)];
    const voices = { channel: 0, otherwise: 0, speakerOf: speakersAt([0.25, 0.75, 1.25, 1.75], [7, 7, 3, 3]) };
    expect(printed(attribute([stretch(0, ...words)], [voices]))).toEqual(["0: so it begins", "1: yes"]);
  });
  test("segments of one speaker form one turn over a short pause, not over a long one", () => {
    const voices = { channel: 0, otherwise: 0, speakerOf: () => 0 };
    const stretches = [stretch(0, word("a", 0)), stretch(0, word("b", 1.5)), stretch(0, word("c", 4))];
    expect(printed(attribute(stretches, [voices]))).toEqual(["0: a b", "0: c"]);
  });
  test("channels are separate, and speakers are numbered by first appearance", () => {
    const voices = [
      { channel: 0, otherwise: 0, speakerOf: () => 0 },
      { channel: 1, otherwise: 1, speakerOf: () => 1 },
    ];
    const stretches = [stretch(0, word("well", 2)), stretch(1, word("hello", 0), word("there", 0.4))];
    expect(printed(attribute(stretches, voices))).toEqual(["0: hello there", "1: well"]);
  });
  test("every word is in exactly one turn, in order, for any voices", () => {
    const scenario = fc.record({
      gaps: fc.array(fc.float({ min: 0, max: 5, noNaN: true }), { maxLength: 40 }),
      cuts: fc.array(fc.nat(5), { maxLength: 40 }),
      speakers: fc.array(fc.nat(3), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(scenario, ({ gaps, cuts, speakers }) => {
        let at = 0;
        const stretches: WordSegment<Named>[] = [stretch(0)];
        for (const [index, gap] of gaps.entries()) {
          at += gap + 0.3;
          if (cuts[index] === 0) stretches.push(stretch(0));
          stretches.at(-1)?.words.push(word(String(index), at));
        }
        const times = speakers.map((_, index) => index / 2);
        const voices = { channel: 0, otherwise: 0, speakerOf: speakersAt(times, speakers) };
        const { turns } = attribute(
          stretches.filter(({ words }) => words.length > 0),
          [voices],
        );
        expect(turns.flatMap(({ words }) => words.map(({ name }) => Number(name)))).toEqual(gaps.map((_, i) => i));
        const known = [...new Set(turns.map(({ speaker }) => speaker))];
        expect(known).toEqual(known.map((_, index) => index));
      }),
    );
  });
});
