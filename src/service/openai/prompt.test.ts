import { expect, test } from "vitest";
import { promptVocabulary, promptWarning, vocabularyOf } from "./prompt.ts";

test("a list is taken item by item", () => {
  expect(vocabularyOf("ZyntriQix, Digique Plus, CynapseFive, VortiQore V8.")).toEqual([
    "ZyntriQix",
    "Digique Plus",
    "CynapseFive",
    "VortiQore V8",
  ]);
  expect(vocabularyOf("Kubernetes")).toEqual(["Kubernetes"]);
});

test("of sentences the names are taken", () => {
  expect(
    vocabularyOf("The following conversation is a lecture by Ada Lovelace about GPT-4 and the Analytical Engine."),
  ).toEqual(["Ada Lovelace", "GPT-4", "Analytical Engine"]);
});

test("a prompt without names has no vocabulary", () => {
  expect(vocabularyOf("Hello, this is what was said before the recording began, and it goes on here.")).toEqual([]);
  expect(vocabularyOf("")).toEqual([]);
});

test("a prompt with more names than are used has a warning", () => {
  const names = Array.from({ length: 201 }, (_, at) => `Name${at}`);
  expect(vocabularyOf(names.join(", "))).toEqual(names.slice(0, 200));
  expect(promptWarning("prompt", promptVocabulary(names.join(", ")))).toBe(
    "prompt has 201 names and terms; the first 200 are used",
  );
  expect(promptWarning("prompt", promptVocabulary(names.slice(1).join(", ")))).toBeUndefined();
});
