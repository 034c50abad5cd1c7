import fc from "fast-check";
import { expect, test } from "vitest";
import { wordSegments } from "./word-segments.ts";

const whole = (text: string, language: string) =>
  [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)].map(({ segment }) => segment);
const pieced = (text: string, language: string) => [...wordSegments(text, language)].map(({ segment }) => segment);

test.each([
  ["en", "The quick brown fox's 1,000.50 jumps over e-mail, and so on. "],
  ["zh", "我们今天讨论天气，明天再说。"],
  ["th", "สวัสดีครับ วันนี้อากาศดีมาก"],
  ["ja", "今日は天気がいいですね。東京タワーへ行きました。"],
])("a long text in %s has the words of the whole", (language, text) => {
  const long = text.repeat(200);
  expect(pieced(long, language)).toEqual(whole(long, language));
});

test("whatever the text, the segments are the text, at their places", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 200 }), (unit, times) => {
      const text = unit.repeat(times);
      let at = 0;
      for (const { segment, index } of wordSegments(text, "")) {
        expect(index).toBe(at);
        at += segment.length;
      }
      expect(at).toBe(text.length);
      expect(pieced(text, "").join("")).toBe(text);
    }),
  );
});

test("a word of any length is one segment", () => {
  expect(pieced(`${"a".repeat(50_000)} b`, "en").map(({ length }) => length)).toEqual([50_000, 1, 1]);
});

test("a text of half a million characters takes a short time", () => {
  const before = performance.now();
  let count = 0;
  for (const _ of wordSegments("我们今天讨论天气".repeat(60_000), "zh")) count++;
  expect(count).toBeGreaterThan(100_000);
  expect(performance.now() - before).toBeLessThan(20_000);
});
