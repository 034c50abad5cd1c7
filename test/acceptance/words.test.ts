// Words of real recordings: each number is a word, words of a channel never overlap, nothing ends after the recording.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Word } from "../../src/transcript/transcript.ts";
import { HELLO_MP3, references } from "../fixtures/recordings.ts";
import { finished, type RunningService, ready, startService, submit } from "../service.ts";

const NUMBERS = path.resolve("../shared/cases/numbers-synthetic.flac");
const english = references().filter(({ language }) => language === "en");
const recordings = [HELLO_MP3, ...english.map((reference) => reference.path)].slice(0, 15);

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await ready(service);
});
afterAll(() => service.remove());

async function wordsOf(file: string, params: object = {}): Promise<{ words: Word[]; duration: number; text: string }> {
  const job = await finished(service, await submit(service, readFileSync(file), params));
  expect(job.status).toBe("done");
  const { transcription, metadata } = job.result;
  const words = transcription.utterances.flatMap((utterance: { words: Word[] }) => utterance.words);
  return { words, duration: metadata.audio_duration, text: transcription.full_transcript };
}

test.skipIf(!existsSync(NUMBERS))("numbers are words with times (needs ../shared/cases)", async () => {
  const { words } = await wordsOf(NUMBERS);
  const plain = words.map(({ word }) => word.trim().toLowerCase().replace(/[.,]$/, ""));
  expect(plain.slice(0, 4)).toEqual(["we", "sold", "150", "units"]);
  expect(plain).toContain("march");
  expect(plain).toContain("1982");
  expect(plain.at(-1)).toBe("2,600");
});

test.skipIf(!existsSync(NUMBERS))("a number is replaced without its neighbours (needs ../shared/cases)", async () => {
  const { text } = await wordsOf(NUMBERS, {
    custom_spelling: true,
    custom_spelling_config: { spelling_dictionary: { "one hundred and fifty": ["150"], Sold: ["sold"] } },
  });
  expect(text).toContain("Sold one hundred and fifty units");
});

test("words of a channel never overlap and none ends after the recording", async () => {
  let pairs = 0;
  for (const file of recordings) {
    const { words, duration } = await wordsOf(file);
    for (const [index, { word, start, end }] of words.entries()) {
      expect(end, `${path.basename(file)}: ${word}`).toBeGreaterThanOrEqual(start);
      expect(end, `${path.basename(file)}: ${word}`).toBeLessThanOrEqual(duration);
      const next = words[index + 1];
      if (!next) continue;
      expect(next.start, `${path.basename(file)}: ${word}${next.word}`).toBeGreaterThanOrEqual(end);
      pairs++;
    }
  }
  expect(pairs).toBeGreaterThan(0);
});
