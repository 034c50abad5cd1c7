// Warnings about speakers that were found without the speaker model, of recordings and live sessions.
import { messageDetails } from "../../contract/messages/message-details.ts";
import type { ResultMetadata } from "../../contract/transcript/transcript.ts";

/** The reason if the model is there. */
export const MODEL_FAILED = "the speaker model failed";

/** @param reason  why the model could not be used */
export const byEncoderInstead = (reason: string): string =>
  `the speakers were distinguished by a less accurate method: ${reason}`;

export const withoutNames = (reason: string): string => `speakers have no names: ${reason}`;

/** Codes of warnings about speakers that a later diarization replaces. */
const REPLACED = new Set<string>(["live.speakers.encoder", "live.speakers.none", "live.speakers.whole"]);

/** Removes the warnings about the former speakers of a result. */
export function endSpeakerWarnings(metadata: ResultMetadata): void {
  const warnings = metadata.warnings?.filter((warning) => !REPLACED.has(messageDetails(warning).code)) ?? [];
  if (warnings.length === metadata.warnings?.length) return;
  delete metadata.warnings;
  delete metadata.warning_details;
  if (warnings.length > 0) Object.assign(metadata, { warnings, warning_details: warnings.map(messageDetails) });
}
