import { describe, expect, test } from "vitest";
import { utterance } from "../../test/fixtures/utterances.ts";
import type { VocabularyTerm } from "../recognition/vocabulary.ts";
import { repaired, vocabularyTargets } from "./vocabulary.ts";

const term = (value: string, more: Partial<VocabularyTerm> = {}): VocabularyTerm => ({
  value,
  intensity: 0.5,
  pronunciations: [],
  ...more,
});

/** The repaired text, from words with this confidence. */
function repairedText(text: string, terms: VocabularyTerm[], confidence = 0.4) {
  const said = utterance(text);
  return repaired({ ...said, words: said.words.map((word) => ({ ...word, confidence })) }, vocabularyTargets(terms));
}

describe("custom_vocabulary by sound", () => {
  test("similar-sounding words become the term, across word borders; marks and times are kept", () => {
    const { text, words } = repairedText("we run it on kuber netties, mostly.", [term("Kubernetes")]);
    expect(text).toBe("we run it on Kubernetes, mostly.");
    const word = words.find((one) => one.word.includes("Kubernetes"));
    expect([word?.start, word?.end]).toEqual([1.2, 1.8]);
    expect(words.map((one) => one.word).join("")).toBe(text);
  });
  test("confident words stay, and so do words that sound different", () => {
    expect(repairedText("two cordados", [term("cortado")], 0.95).text).toBe("two cordados");
    expect(repairedText("we took the train to London", [term("macchiato"), term("cortado")]).text).toBe(
      "we took the train to London",
    );
  });
  test("none of its intensity and other languages do nothing; pronunciations count", () => {
    const said = "ask nicky la about it";
    const terms = (more: Partial<VocabularyTerm>) => [
      term("Nikolaj Coster", { pronunciations: ["nicky lacoste"], ...more }),
    ];
    expect(repairedText("ask nicky lacost about it", terms({})).text).toBe("ask Nikolaj Coster about it");
    expect(repairedText("ask nicky lacost about it", terms({ intensity: 0 })).text).toBe("ask nicky lacost about it");
    expect(repairedText("ask nicky lacost about it", terms({ language: "de" })).text).toBe("ask nicky lacost about it");
    expect(repairedText(said, terms({})).text).toBe(said);
  });
  test("short terms are left to the decoder", () => {
    expect(repairedText("the bus is late", [term("Bo")]).text).toBe("the bus is late");
  });
});
