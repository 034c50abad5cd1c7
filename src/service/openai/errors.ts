// Errors as OpenAI's clients read them.
import type { OpenAiError } from "../../contract/openai.ts";
import type { ErrorCode, ParlanceError } from "../../platform/errors.ts";
import { withFieldNames } from "../../platform/field-names.ts";
import { publicMessage } from "../../platform/public-message.ts";

const CODES: Partial<Record<ErrorCode, string>> = {
  "account.key_missing": "invalid_api_key",
  "account.key_unknown": "invalid_api_key",
  "models.unknown": "model_not_found",
  "models.missing": "model_not_found",
  "file.too_large": "file_too_large",
};

/** Messages whose wording differs in this interface. */
const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  "account.key_missing":
    "You did not provide an API key. Send a key of this service in the header authorization, as Bearer KEY",
  "account.key_unknown": "Incorrect API key provided: this service has no such key, or it was revoked",
};

const FIELDS = { language: "language", vocabulary: "keywords" };

function messageOf(error: ParlanceError): string {
  const sentences = error.fields ?? [];
  const message = MESSAGES[error.code] ?? (sentences.length > 0 ? sentences.join("; ") : publicMessage(error));
  return withFieldNames(message, FIELDS);
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

export const OPENAI_PREFIX = "/v1/";

export function openAiErrorBody(error: ParlanceError): OpenAiError {
  const sentences = error.fields ?? [];
  return {
    error: {
      message: messageOf(error),
      type: typeOf(error.status),
      param: /^[a-z_]+/.exec(sentences[0] ?? "")?.[0] ?? (error.code.startsWith("models.") ? "model" : null),
      code: CODES[error.code] ?? (error.status === 429 ? "rate_limit_exceeded" : null),
    },
  };
}
