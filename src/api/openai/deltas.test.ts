import { expect, test } from "vitest";
import type { JobParameters } from "../../contract/job-parameters.ts";
import { changesText } from "./deltas.ts";

test.each<[boolean, Partial<JobParameters>]>([
  [false, {}],
  [true, { diarization: true }],
  [true, { translation: true }],
  [true, { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Vercel"] } }],
  [true, { custom_vocabulary: ["Vercel"] }],
  [true, { account_words: [{ value: "Vercel" }] }],
])("whether the text changes after it is complete: %s for %j", (changes, parameters) => {
  expect(changesText(parameters as JobParameters)).toBe(changes);
});
