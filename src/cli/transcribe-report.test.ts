import { expect, test } from "vitest";
import type { TranscriptionResult } from "../contract/transcript/transcript.ts";
import { warningsOf } from "./transcribe-report.ts";

test("an option that failed is named beside the warnings of the recording", () => {
  const transcription = { full_transcript: "", languages: ["de"], utterances: [] };
  const result = { metadata: { warnings: ["a part is damaged"] }, transcription } as unknown as TranscriptionResult;
  expect(warningsOf(result)).toEqual(["a part is damaged"]);
  const translation = { success: true, error: null, results: [{ warnings: ["Speech in Welsh was not translated"] }] };
  expect(warningsOf({ ...result, translation })).toEqual(["a part is damaged", "Speech in Welsh was not translated"]);
  const failed = { success: false, error: { message: "profanity_filter works in en here, and this is de" } };
  expect(warningsOf({ ...result, profanity_filter: failed })).toEqual([
    "a part is damaged",
    "--mask-profanity has no effect: profanity_filter works in en here, and this is de",
  ]);
});
