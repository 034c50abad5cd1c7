import { describe, expect, test } from "vitest";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { paragraphsOf } from "./paragraphs.ts";

const paragraphs = (...utterances: Utterance[]) =>
  paragraphsOf({
    full_transcript: "",
    languages: ["en"],
    utterances,
    speaker_names: { 1: "Anna" },
    corrected_utterances: [],
    source_utterances: utterances.map((_, at) => at),
    paragraph_starts: [],
  });
const BUDGET = "The budget for the new offices grows and the rent of the offices is part of that budget.";
const GARDEN = "Roses in the garden need water, so the gardener brings a hose for the roses and tulips.";

describe("paragraphs", () => {
  test("short utterances of one voice are one paragraph", () => {
    expect(paragraphs(utterance("Hello there."), utterance("How are you?", 1)).map(({ text }) => text)).toEqual([
      "Hello there. How are you?",
    ]);
  });
  test("a long pause and another speaker begin a new one", () => {
    const [first, second, third] = [utterance("Hello."), utterance("Hi.", 5), utterance("Bye.", 5.5)];
    const found = paragraphs(first, second, { ...third, speaker: 1 });
    expect(found.map(({ text, speaker }) => [text, speaker])).toEqual([
      ["Hello.", undefined],
      ["Hi.", undefined],
      ["Bye.", "Anna"],
    ]);
  });
  test("a long turn is divided where the subject changes, between whole sentences", () => {
    const texts = [BUDGET, BUDGET, BUDGET, BUDGET, GARDEN, GARDEN, GARDEN, GARDEN];
    const found = paragraphs(utterance(texts.join(" ")));
    expect(found.map(({ text }) => text)).toEqual([texts.slice(0, 4).join(" "), texts.slice(4).join(" ")]);
  });
  test("speech without full stops still has paragraphs", () => {
    const spoken = Array.from({ length: 30 }, (_, at) => utterance("and so we went on and on and on", at * 2.5));
    expect(paragraphs(...spoken).length).toBeGreaterThan(1);
  });
});
