// What we send is assignable to what the reference client's types promise. Checked by the compiler; the test only
// makes the file part of the run.
import type { PreRecordedV2Response } from "@gladiaio/sdk";
import { expect, test } from "vitest";
import type { TranscriptionResult, Utterance } from "../../src/transcript/transcript.ts";

type Result = NonNullable<PreRecordedV2Response["result"]>;
type TheirUtterance = NonNullable<NonNullable<Result["transcription"]>["utterances"]>[number];

const utterance: Utterance = {
  text: "Hello",
  language: "en",
  start: 0,
  end: 1,
  confidence: 1,
  channel: 0,
  words: [{ word: "Hello", start: 0, end: 1, confidence: 1 }],
};
const metadata: TranscriptionResult["metadata"] = {
  audio_duration: 1,
  number_of_distinct_channels: 1,
  billing_time: 1,
  transcription_time: 1,
};

test("our payloads are assignable to the client's types", () => {
  const theirMetadata: Result["metadata"] = metadata;
  const theirs: Omit<TheirUtterance, "language"> = utterance;
  expect([theirMetadata, theirs]).toHaveLength(2);
});
