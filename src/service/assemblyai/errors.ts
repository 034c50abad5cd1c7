// Errors as AssemblyAI's clients read them.
import type { ParlanceError } from "../../platform/errors.ts";
import { withFieldNames } from "../../platform/field-names.ts";
import { publicMessage } from "../../platform/public-message.ts";

export const isStreamingPath = (path: string) => /^\/v3\/ws\/?$/.test(path);
export const isTokenPath = (path: string) => /^\/v3\/token\/?$/.test(path);

const FIELDS = { language: "language_codes", vocabulary: "keyterms_prompt" };

export function streamingError(error: ParlanceError): { error: string } {
  const sentences = error.fields ?? [];
  const message = sentences.length > 0 ? sentences.join("; ") : publicMessage(error);
  return { error: withFieldNames(message, FIELDS) };
}
