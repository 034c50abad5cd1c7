import { expect, test } from "vitest";
import { vocabularyOf } from "./prompt.ts";

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
