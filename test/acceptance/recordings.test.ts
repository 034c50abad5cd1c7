// Every shared recording through the service, where they exist.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasShared, references } from "../fixtures/recordings.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

/** Percent; what the bench measures is a fifth lower. */
const MOST_ERRORS = 4.2;

describe.skipIf(!hasShared)("the shared recordings (skipped where they are missing)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("each is done; English ones read as their references; times lie inside the recording", async () => {
    let errors = 0;
    let words = 0;
    const recordings = references();
    const ids: string[] = [];
    for (const { path } of recordings) ids.push(await submit(service, readFileSync(path)));
    for (const [index, reference] of recordings.entries()) {
      const job = await finished(service, ids[index] as string, 300_000);
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
      if (reference.language !== "en" || !reference.transcript) continue;
      const expected = normalizedWords(reference.transcript);
      words += expected.length;
      errors += wordErrors(expected, normalizedWords(transcription.full_transcript));
    }
    expect((100 * errors) / words).toBeLessThanOrEqual(MOST_ERRORS);
  }, 400_000);
});
