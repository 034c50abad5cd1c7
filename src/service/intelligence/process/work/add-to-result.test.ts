import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { transcription } from "../../../../../test/fixtures/utterances.ts";
import { messageDetails } from "../../../../contract/messages/message-details.ts";
import { byEncoderInstead } from "../../speaker-warnings.ts";
import { addToResult } from "./add-to-result.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "add-to-result-"));
});
afterAll(() => rm(folder, { recursive: true }));

const ENCODER = byEncoderInstead(
  "the speaker model x is not installed; the operator can add it: parlance models add x",
);
const OTHER = "custom_metadata has no effect: it is empty";

/** Metadata of a result with these warnings after add-ons were made for it. */
async function metadataAfter(addons: readonly string[], warnings: readonly string[]) {
  const [stored, result] = [path.join(folder, "stored"), path.join(folder, "result")];
  const metadata = { audio_duration: 9, number_of_distinct_channels: 1, billing_time: 9, transcription_time: 1 };
  const content = { metadata: { ...metadata, warnings, warning_details: warnings.map(messageDetails) } };
  await writeFile(stored, JSON.stringify({ ...content, transcription: transcription("Hello there.", "Good bye.") }));
  const request = {
    ...{ stored, storedHash: null, result, corrections: [], addons, readAt: "2026-11-30T10:00:00.000Z" },
    ...{ params: { diarization: true, sentences: true }, voices: { speakerModel: "x" }, providers: {} },
  };
  await addToResult(request as never, new AbortController().signal);
  return JSON.parse(await readFile(result, "utf8")).metadata;
}

test("speakers that the model finds later end the warning about the less accurate method", async () => {
  const { diarization, warnings, warning_details: details } = await metadataAfter(["diarization"], [ENCODER, OTHER]);
  expect(diarization).toEqual({ method: "networks", model: "x" });
  expect([warnings, details]).toEqual([[OTHER], [messageDetails(OTHER)]]);
  const alone = await metadataAfter(["diarization"], [ENCODER]);
  expect("warnings" in alone || "warning_details" in alone).toBe(false);
});

test("another add-on leaves the warnings", async () => {
  expect((await metadataAfter(["sentences"], [ENCODER])).warnings).toEqual([ENCODER]);
});
