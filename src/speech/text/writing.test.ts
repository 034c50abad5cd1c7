import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writingFaults } from "../../../test/fixtures/writing-faults.ts";
import { transcriptionOf } from "../../service/transcripts/recognized-segments.ts";
import { goingOn, withoutMark, written } from "./writing.ts";

describe("words of one utterance", () => {
  test("a sentence begins with a capital after a full stop, not after a title or what breaks off", () => {
    expect(written(["it", "was", "him.", "then", "mr.", "jones", "came..."], true).join(" ")).toBe(
      "It was him. Then mr. jones came...",
    );
    expect(written(["like...", "an", "iPhone.", "iPhones", "cost", "money!", '"really"?'], false).join(" ")).toBe(
      'like... an iPhone. iPhones cost money! "Really"?',
    );
  });
  test("a word that is an abbreviation only before a number ends a sentence", () => {
    expect(written(["she", "loves", "art.", "so", "does", "max.", "and", "st.", "john"], true).join(" ")).toBe(
      "She loves art. So does max. And st. john",
    );
  });
  test("no mark stands twice, or beside another", () => {
    expect(written(["In", "short,,", "what? ?", "now.. .", "well,.", "yes!,"], false).join(" ")).toBe(
      "In short, what? Now. Well. Yes!",
    );
    expect(written(["3:30", "1,000.5", "wait..."], false)).toEqual(["3:30", "1,000.5", "wait..."]);
  });
  test("the full stop of an abbreviation is beside other marks", () => {
    const said = "Apple Inc., which is in Washington, D.C., and the U.S., etc., is big. At three p.m.? etc... no.?";
    expect(written(said.split(" "), true, "en").join(" ")).toBe(
      "Apple Inc., which is in Washington, D.C., and the U.S., etc., is big. At three p.m.? etc... no?",
    );
  });
  test.each([
    ["de", "das gilt bzw. die anderen evtl. auch, inkl. aller Kosten. so ist es."],
    ["nl", "bijv. een huis. dat is zo."],
    ["fr", "env. cinq jours. c'est tout."],
    ["cs", "např. když je. to ano."],
    ["ru", "и т.е. тоже. да."],
  ])("after abbreviations of a language (%s), no sentence begins", (language, said) => {
    const capitals = written(said.split(" "), true, language).filter((word) => /^\p{Lu}/u.test(word));
    expect(capitals.filter((word) => word !== "Kosten.")).toHaveLength(2);
  });
  test("where a segment was cut, an abbreviation and what breaks off keep their stops", () => {
    expect(goingOn("3 p.m.", "and", "en")).toBe("3 p.m.");
    expect(goingOn("Inc.", "and", "en")).toBe("Inc.");
    expect(goingOn("bzw.", "die", "de")).toBe("bzw.");
    expect(goingOn("so...", "and", "en")).toBe("so...");
  });
  test("a full stop is removed where a long segment was cut within a sentence", () => {
    expect(goingOn("beautiful.", "and")).toBe("beautiful");
    expect(goingOn("beautiful.", "And")).toBe("beautiful.");
  });
});

const MARKS = ["", "", "", ",", ".", "?", "!", ";", ":", "...", ",,", "..", "!!", "? ?", ",.", "!,", '."'];
const word = fc
  .tuple(fc.constantFrom("and", "the", "John", "iPhone", "3", "u.s.", "Mr", "été", "don't"), fc.constantFrom(...MARKS))
  .map(([letters, mark]) => letters + mark);
const segment = fc.record({ words: fc.array(word, { maxLength: 6 }), isCut: fc.boolean() });

test("for any recognised pieces, the transcript reads as one text, and no letter changes", () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
      let startSample = 0;
      const recognized = segments.map(({ words, isCut }) => {
        const own = { startSample, endSample: startSample + 16_000 };
        startSample = own.endSample + (isCut ? 0 : 8_000);
        const placed = words.map((text, at) => ({
          text,
          startSeconds: own.startSample / 16_000 + at / 10,
          endSeconds: own.startSample / 16_000 + (at + 1) / 10,
          confidence: 1,
        }));
        return { channel: 0, segment: own, language: "en", words: placed };
      });
      const { full_transcript: text, utterances } = transcriptionOf(recognized);
      expect(writingFaults(text)).toEqual([]);
      const letters = (texts: string[]) => texts.map((one) => one.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase());
      const heard = segments.flatMap(({ words }) => words);
      expect(letters(utterances.flatMap(({ words }) => words.map((one) => one.word)))).toEqual(letters(heard));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["welcome.", "welcome"],
  ["Raum,", "Raum"],
  ["what?!", "what"],
  ["said.”", "said”"],
  ["中等。", "中等"],
  ["बेटी,", "बेटी"],
  ["Mr.", "Mr."],
  ["3.5", "3.5"],
  ["...", "..."],
  ["don't", "don't"],
])("%s with more speech behind it is %s", (word, open) => {
  expect(withoutMark(word)).toBe(open);
});

test("a sentence begins with the capital of its language", () => {
  expect(written(["istanbul"], true, "tr")).toEqual(["İstanbul"]);
  expect(written(["istanbul"], true, "en")).toEqual(["Istanbul"]);
});
