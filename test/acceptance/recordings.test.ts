// Every shared recording through the service, where they exist.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captionFaults } from "../fixtures/caption-rules.ts";
import { hasShared, references } from "../fixtures/recordings.ts";
import { readWebVtt } from "../fixtures/webvtt.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

/** Percent; what the bench measures is a fifth lower. */
const MOST_ERRORS = 4.2;

describe.skipIf(!hasShared)("the shared recordings (needs ../shared)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("English ones read as their references, times lie inside the recording; others are refused with their language", async () => {
    let errors = 0;
    let words = 0;
    const recordings = references();
    const ids: string[] = [];
    for (const { path } of recordings) ids.push(await submit(service, readFileSync(path)));
    for (const [index, reference] of recordings.entries()) {
      const job = await finished(service, ids[index] as string, 300_000);
      // A service without a multilingual model that may not fetch one.
      if (reference.language !== "en") {
        expect([job.status, job.error_code], reference.file).toEqual(["error", 422]);
        expect(job.error_message).toMatch(/not in English/);
        continue;
      }
      expect(job.status, reference.file).toBe("done");
      const { transcription, metadata } = job.result;
      let last = 0;
      for (const utterance of transcription.utterances) {
        expect(utterance.words.map(({ word }: { word: string }) => word).join("")).toBe(utterance.text);
        for (const { start, end } of utterance.words) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          last = start;
        }
        expect(utterance.end).toBeLessThanOrEqual(metadata.audio_duration + 0.1);
      }
      const captions = await call(service, "GET", `/v2/transcription/${ids[index]}/transcript?format=srt`);
      expect(captionFaults(captions.text, metadata.audio_duration), reference.file).toEqual([]);
      const webVtt = await call(service, "GET", `/v2/transcription/${ids[index]}/transcript?format=vtt`);
      expect(readWebVtt(webVtt.text).faults, reference.file).toEqual([]);
      if (!reference.transcript) continue;
      const expected = normalizedWords(reference.transcript);
      words += expected.length;
      errors += wordErrors(expected, normalizedWords(transcription.full_transcript));
    }
    expect((100 * errors) / words).toBeLessThanOrEqual(MOST_ERRORS);
  }, 400_000);
});
