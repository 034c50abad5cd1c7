import { expect, test } from "vitest";
import type { Utterance } from "../jobs/transcript.ts";
import { COMPLIANCE, layoutCaptions } from "./layout.ts";
import { writeSrt, writeVtt } from "./write.ts";

/** An utterance of half a second a word. */
function utterance(text: string, start = 0): Utterance {
  const words = text.split(" ").map((word, index) => ({
    word: index === 0 ? word : ` ${word}`,
    start: start + index / 2,
    end: start + index / 2 + 0.4,
    confidence: 1,
  }));
  const end = words.at(-1)?.end ?? start;
  return { text, language: "en", start, end, confidence: 1, channel: 0, words };
}

const LONG =
  "It was the best of times, it was the worst of times, it was the age of wisdom. It was the age of foolishness, " +
  "it was the epoch of belief, it was the epoch of incredulity.";

test("without limits one caption is one utterance", () => {
  const captions = layoutCaptions([utterance("Split infinity"), utterance("in a time", 3)]);
  expect(writeSrt(captions)).toBe(
    "1\n00:00:00,000 --> 00:00:00,900\nSplit infinity\n\n2\n00:00:03,000 --> 00:00:04,400\nin a time\n",
  );
});

test("limits hold: characters, rows, duration; no word is lost", () => {
  const captions = layoutCaptions([utterance(LONG)], COMPLIANCE);
  for (const caption of captions) {
    expect(caption.rows.length).toBeLessThanOrEqual(2);
    for (const row of caption.rows) expect(row.length).toBeLessThanOrEqual(42);
    expect(caption.end - caption.start).toBeLessThanOrEqual(7);
  }
  expect(captions.flatMap((caption) => caption.rows).join(" ")).toBe(LONG);
});

test("captions break at the ends of sentences and phrases where they can", () => {
  const captions = layoutCaptions([utterance(LONG)], COMPLIANCE);
  const ends = captions.map((caption) => caption.rows.at(-1)?.at(-1));
  expect(ends.every((end) => end === "," || end === ".")).toBe(true);
});

test("short captions are held, but never into the next one", () => {
  const captions = layoutCaptions([utterance("Yes.", 0), utterance("No.", 0.8)], { minimumDuration: 2 });
  expect(captions.map((caption) => caption.end)).toEqual([0.8, 2.8]);
});

test("a word longer than a row stands alone", () => {
  const captions = layoutCaptions([utterance("a Donaudampfschifffahrt b")], { maximumCharactersPerRow: 10 });
  expect(captions.flatMap((caption) => caption.rows)).toEqual(["a", "Donaudampfschifffahrt", "b"]);
});

test("wide characters count twice, words keep together without spaces, captions stay as long as they take to read", () => {
  const words = ["今天", "天气", "很好，", "我们", "一起", "去", "公园", "散步，", "然后", "回家", "吃饭。"].map(
    (word, index) => ({
      word,
      start: index * 0.2,
      end: index * 0.2 + 0.2,
      confidence: 1,
    }),
  );
  const said: Utterance = {
    text: words.map(({ word }) => word).join(""),
    language: "zh",
    start: 0,
    end: 2.2,
    confidence: 1,
    channel: 0,
    words,
  };
  const captions = layoutCaptions([said], { ...COMPLIANCE, maximumCharactersPerRow: 20 });
  expect(captions.flatMap(({ rows }) => rows).join("")).toBe(said.text);
  for (const { rows } of captions) for (const row of rows) expect([...row].length).toBeLessThanOrEqual(10);
  const last = captions.at(-1);
  const columns = (last?.rows ?? []).reduce((sum, row) => sum + 2 * [...row].length, 0);
  expect((last?.end ?? 0) - (last?.start ?? 0)).toBeGreaterThanOrEqual(Math.min(7, columns / 17) - 1e-9);
});

test("right-to-left text keeps its order", () => {
  const said = { ...utterance("مرحبا بكم في برلين، كيف حالكم؟"), language: "ar" };
  const captions = layoutCaptions([said], COMPLIANCE);
  expect(captions.flatMap(({ rows }) => rows).join(" ")).toBe(said.text);
});

test("WebVTT has its header, voices and escapes; nothing said gives the bare header", () => {
  const said = { ...utterance("Fish & chips <now>"), speaker: 1 };
  expect(writeVtt(layoutCaptions([said]))).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:00:01.900\n<v Speaker 1>Fish &amp; chips &lt;now&gt;\n",
  );
  expect(writeVtt([])).toBe("WEBVTT\n");
  expect(writeSrt([])).toBe("");
});
