import fc from "fast-check";
import { expect, test } from "vitest";
import { alignCorrection } from "./correction-alignment.ts";
import { corrected } from "./corrections.ts";

const utterance = (text: string) => {
  const words = text.split(" ").map((word, index) => ({
    word: index === 0 ? word : ` ${word}`,
    start: index,
    end: index + 0.5,
    confidence: 0.5,
  }));
  const end = words.at(-1)?.end ?? 0;
  return { text, words, start: 0, end, language: "en", confidence: 0.5, channel: 0 };
};

test("unchanged words keep their times, a replaced word gets those of the old one", () => {
  const words = alignCorrection(utterance("painting in the only sense"), "Printing in the only sense");
  expect(words.map(({ word }) => word)).toEqual(["Printing", " in", " the", " only", " sense"]);
  expect(words[0]).toMatchObject({ start: 0, end: 0.5, confidence: 1 });
  expect(words[4]).toMatchObject({ start: 4, end: 4.5, confidence: 0.5 });
});

test("an inserted word is placed in the gap, several words share the time of those they replace", () => {
  const between = alignCorrection(utterance("to be"), "to not be");
  expect(between[1]).toMatchObject({ word: " not", start: 0.5, end: 1 });
  const two = alignCorrection(utterance("a woodcutters house"), "a wood cutters house");
  expect(two[1]?.start).toBe(1);
  expect(two[2]?.end).toBe(1.5);
});

test("for any text, it is kept exactly and times never decrease", () => {
  const word = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme-ascii" }).filter((text) => /^\S+$/.test(text));
  const said = fc.array(word, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(said, said, (before, after) => {
      const text = after.join(" ");
      const old = utterance(before.join(" "));
      const words = alignCorrection(old, text);
      expect(words.map((one) => one.word).join("")).toBe(text);
      let last = old.start;
      for (const one of words) {
        expect(one.start).toBeGreaterThanOrEqual(last);
        expect(one.end).toBeGreaterThanOrEqual(one.start);
        expect(one.end).toBeLessThanOrEqual(old.end);
        last = one.start;
      }
    }),
  );
});

test.each([
  ["zh", "今天天气很好，我们一起去公园散步。"],
  ["ja", "今日は天気がいいので、公園を散歩しましょう。"],
  ["th", "วันนี้อากาศดีมากเราไปเดินเล่นในสวนกัน"],
])("a corrected text without spaces has words (%s)", (language, text) => {
  const words = alignCorrection({ ...utterance("what was recognised"), language }, text);
  expect(words.length).toBeGreaterThan(4);
  expect(words.map(({ word }) => word).join("")).toBe(text);
});

test("later corrections take precedence, undone ones are ignored, and the recognised transcript is unchanged", () => {
  const transcription = {
    full_transcript: "hallo world",
    languages: ["en"],
    utterances: [{ ...utterance("hallo world"), speaker: 0 }],
  };
  const before = JSON.stringify(transcription);
  const fixed = corrected(transcription, [
    { utterances: [{ index: 0, text: "Hullo world" }], undone_at: null },
    { utterances: [{ index: 0, text: "Hello world", speaker: 1 }], undone_at: null },
    { utterances: [{ index: 0, text: "nonsense" }], undone_at: "2026-01-01T00:00:00Z" },
    { speakers: [{ speaker: 1, name: "Anna" }], undone_at: null },
  ]);
  expect(fixed.full_transcript).toBe("Hello world");
  expect(fixed.utterances[0]).toMatchObject({ text: "Hello world", speaker: 1 });
  expect(fixed.speaker_names).toEqual({ 1: "Anna" });
  expect(fixed.corrected_utterances).toEqual([0]);
  expect(JSON.stringify(transcription)).toBe(before);
});
