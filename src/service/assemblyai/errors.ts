// Errors as AssemblyAI's clients read them.
import type { ParlanceError } from "../../platform/errors.ts";
import { type FieldNames, withFieldNames } from "../../platform/field-names.ts";
import { publicMessage } from "../../platform/public-message.ts";

export const isStreamingPath = (path: string) => /^\/v3\/ws\/?$/.test(path);
/** Of the interface for recordings. */
export const isTranscriptPath = (path: string) => /^\/v2\/transcript(\/|$)/.test(path);
/** Of the interface for dictation, which is not offered. */
export const isDictationPath = (path: string) => /^\/v1\/transcribe\/live\/?$/.test(path);
export const isTokenPath = (path: string) => /^\/v3\/token\/?$/.test(path);

const STREAMING_FIELDS = { language: "language_codes", vocabulary: "keyterms_prompt" };
const TRANSCRIPT_FIELDS = { language: "language_code", vocabulary: "keyterms_prompt" };

function withFields(error: ParlanceError, fields: FieldNames): { error: string } {
  const sentences = error.fields ?? [];
  const message = sentences.length > 0 ? sentences.join("; ") : publicMessage(error);
  return { error: withFieldNames(message, fields) };
}

export const streamingError = (error: ParlanceError) => withFields(error, STREAMING_FIELDS);
export const transcriptError = (error: ParlanceError) => withFields(error, TRANSCRIPT_FIELDS);
