import { expect, test } from "vitest";
import { vocabularyOf } from "./vocabulary.ts";

test("terms of a request have no spaces at their ends and no line breaks, as those of an account", () => {
  const terms = vocabularyOf({
    custom_vocabulary: true,
    custom_vocabulary_config: {
      vocabulary: [
        "Parlance ",
        " \t",
        { value: "New\r\nYork  City\n", pronunciations: [" new yawk ", " "], intensity: 0.9, language: "en" },
      ],
    },
    account_words: [{ value: "Parlance" }, { value: "Gorisch" }],
  });
  expect(terms).toEqual([
    { value: "Parlance", intensity: 0.5, pronunciations: [] },
    { value: "New York City", intensity: 0.9, pronunciations: ["new yawk"], language: "en" },
    { value: "Gorisch", intensity: 0.5, pronunciations: [] },
  ]);
});
