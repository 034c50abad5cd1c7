import { expect, test } from "vitest";
import type { Citation } from "../../../contract/questions.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { CitationChecker } from "./cited-answer.ts";

const LINES = [
  "Good morning, this is Anna Berger from the harbour office.",
  "The new printer costs 300 dollars and comes on Tuesday.",
  "Please send the invoice to Lisbon.",
];
const utterances = LINES.map(
  (text, at): Utterance => ({
    text,
    language: "en",
    start: at * 10,
    end: at * 10 + 5,
    confidence: 1,
    channel: 0,
    speaker: at % 2,
    words: [],
  }),
);

/** @param size  characters of a piece */
function checked(answer: string, size = 3, lines = utterances) {
  const pieces: string[] = [];
  const events: (string | number)[] = [];
  const onText = (piece: string) => {
    pieces.push(piece);
    events.push(piece);
  };
  const checker = new CitationChecker(lines, onText, ({ index }: Citation) => void events.push(index));
  for (let at = 0; at < answer.length; at += size) checker.push(answer.slice(at, at + size));
  return { ...checker.end("What does it cost?", "en"), streamed: pieces.join(""), events };
}

test("a marker becomes a citation with its moment, however the answer is divided", () => {
  for (const size of [1, 2, 5, 1000]) {
    const { answer, citations, streamed } = checked("The printer costs 300 dollars [1]. Anna asked [0].", size);
    expect(answer).toBe("The printer costs 300 dollars [1]. Anna asked [0].");
    expect(streamed.trim()).toBe(answer);
    expect(citations).toEqual([
      { index: 0, start: 0, end: 5, channel: 0, speaker: 0, text: LINES[0], verified: true },
      { index: 1, start: 10, end: 15, channel: 0, speaker: 1, text: LINES[1], verified: true },
    ]);
  }
});

test("markers of lines that do not exist are left out; other brackets stay", () => {
  const { answer, citations } = checked("It costs 300 dollars [99]. They laughed [sic] at the invoice [2, 44].");
  expect(answer).toBe("It costs 300 dollars. They laughed [sic] at the invoice [2].");
  expect(citations.map(({ index }) => index)).toEqual([2]);
});

test("a citation comes before its marker, and once", () => {
  const { events } = checked("Printer [1] and printer [1].", 1000);
  expect(events.filter((event) => event === 1)).toHaveLength(1);
  expect(events.indexOf(1)).toBeLessThan(events.findIndex((event) => String(event).includes("[1]")));
});

test("a statement that shares no word with its line is marked", () => {
  expect(checked("Der Drucker ist teuer [2].").citations).toMatchObject([{ index: 2, verified: false }]);
});

test("names and numbers that the transcript does not have are named", () => {
  expect(checked("Peter Novak pays 900 dollars [1].").unverified).toEqual(expect.arrayContaining(["900", "Novak"]));
  expect(checked("The printer costs 300 dollars [1].").unverified).toEqual([]);
});

test("an answer without markers is given the utterances that share its words", () => {
  const { citations, answer } = checked("The printer costs 300 dollars.");
  expect(answer).toBe("The printer costs 300 dollars.");
  expect(citations).toMatchObject([{ index: 1, start: 10, verified: true }]);
  expect(checked("Nobody laughs.").citations).toEqual([]);
});

test("an open bracket at the end is a part of the answer", () => {
  expect(checked("The invoice [2").answer).toBe("The invoice [2");
});
