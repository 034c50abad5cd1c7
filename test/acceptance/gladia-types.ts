// What the service sends is assignable to what the types of the reference client promise. The compiler checks it.
import type { PreRecordedV2Response } from "@gladiaio/sdk";
import type { TranscriptionResult, Utterance } from "../../src/contract/transcript/transcript.ts";

type Result = NonNullable<PreRecordedV2Response["result"]>;
type TheirUtterance = NonNullable<NonNullable<Result["transcription"]>["utterances"]>[number];

/** Fails to compile unless `Ours` is assignable to `Theirs`. */
type Assignable<Ours extends Theirs, Theirs> = Ours;

export type Checked = [
  Assignable<TranscriptionResult["metadata"], Result["metadata"]>,
  // Their languages are an enumeration, ours are tags.
  Assignable<Omit<Utterance, "language">, Omit<TheirUtterance, "language">>,
];
