// Shared recordings through the service, where they exist: every third one; with TEST_THOROUGH=true, all.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkRecording, MOST_ERRORS } from "../fixtures/checked-recording.ts";
import { hasShared, references } from "../fixtures/recordings.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

describe.skipIf(!hasShared)("the shared recordings (needs ../shared)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("English ones read as their references, times lie inside the recording; others are refused or have a warning", async () => {
    let errors = 0;
    let words = 0;
    const recordings = references().filter((_, at) => isThorough || at % 3 === 0);
    const ids: string[] = [];
    for (const { path } of recordings) ids.push(await submit(service, readFileSync(path)));
    for (const [index, reference] of recordings.entries()) {
      const id = ids[index] as string;
      // A service without a multilingual model that may not fetch one.
      if (reference.language !== "en") {
        const job = await finished(service, id, 300_000);
        const message = job.result ? job.result.metadata.warnings?.join() : job.error_message;
        expect(message, reference.file).toMatch(/not (be )?in English/);
        continue;
      }
      const checked = await checkRecording(service, id, reference);
      errors += checked.errors;
      words += checked.words;
    }
    expect((100 * errors) / words).toBeLessThanOrEqual(MOST_ERRORS);
  }, 400_000);
});
