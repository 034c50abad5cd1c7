import { expect, test } from "vitest";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { withFillerWords } from "./filler-words.ts";

function utterance(text: string, language = "en"): Utterance {
  const words = text.split(/(?=\s)/).map((word, at) => ({ word, start: at, end: at + 0.5, confidence: 0.9 }));
  return { text, words, start: 0, end: words.length, language, confidence: 0.9, channel: 0 };
}

const dropped = (text: string, language?: string) => withFillerWords(utterance(text, language), "drop").text;

test.each([
  ["I, um, think so.", "I think so."],
  ["Um, I think so.", "I think so."],
  ["Uh the thing is, uh, broken.", "The thing is broken."],
  ["Well, um we should go.", "Well, we should go."],
  ["We should go, um.", "We should go."],
  ["Um. Uh, hmm. Yes.", "Yes."],
  ["To err is human, er, I think.", "To err is human, I think."],
  ["If it rains, um, we stay.", "If it rains, we stay."],
  ["Yes, um, no.", "Yes, no."],
  ["Yes, um, uh, no.", "Yes, no."],
  ["And, uh, then it was, er, gone.", "And then it was gone."],
  ["The ER is open, uh-huh.", "The ER is open, uh-huh."],
  ["Uh huh.", "Uh huh."],
  ["Mm hmm. Yes.", "Mm hmm. Yes."],
  ["Um, uh huh, hmm.", "Uh huh."],
  ["Uh, huh, hmm, no.", "Huh, no."],
  ["It has an umbrella and an hum.", "It has an umbrella and an hum."],
  [" Um, live finals begin with a space.", " Live finals begin with a space."],
])("%s", (text, expected) => {
  expect(dropped(text)).toBe(expected);
});

test("of other languages", () => {
  expect(dropped("Das ist, ähm, um acht.", "de")).toBe("Das ist um acht.");
  expect(dropped("Euh, je ne sais pas.", "fr")).toBe("Je ne sais pas.");
  expect(dropped("Um dia, ehm, bonito.", "pt")).toBe("Um dia, bonito.");
  expect(dropped("um", "ja")).toBe("um");
});

test("words keep their times, and are marked on request", () => {
  const { words } = withFillerWords(utterance("I, um, think so."), "drop");
  expect(words.map(({ start }) => start)).toEqual([0, 2, 3]);
  const marked = withFillerWords(utterance("I, um, think so."), "mark");
  expect(marked.text).toBe("I, um, think so.");
  expect(marked.words.map(({ is_filler }) => is_filler)).toEqual([undefined, true, undefined, undefined]);
  const answer = withFillerWords(utterance("Um, mm hmm."), "mark");
  expect(answer.words.map(({ is_filler }) => is_filler)).toEqual([true, undefined, undefined]);
  const same = utterance("I, um, think so.");
  expect(withFillerWords(same, "keep")).toBe(same);
});
