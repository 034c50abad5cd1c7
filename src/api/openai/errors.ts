// Errors as OpenAI's clients read them.
import type { ParlanceError } from "../../errors.ts";
import { publicMessage } from "../../public-message.ts";

const CODES: Record<string, string> = {
  "account.key_missing": "invalid_api_key",
  "account.key_unknown": "invalid_api_key",
  "models.unknown": "model_not_found",
  "models.missing": "model_not_found",
  "file.too_large": "file_too_large",
};

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

export const OPENAI_PREFIX = "/v1/";

export function openAiErrorBody(error: ParlanceError) {
  const sentences = error.fields ?? [];
  return {
    error: {
      message: sentences.length > 0 ? sentences.join("; ") : publicMessage(error),
      type: typeOf(error.status),
      param: /^[a-z_]+/.exec(sentences[0] ?? "")?.[0] ?? (error.code.startsWith("models.") ? "model" : null),
      code: CODES[error.code] ?? (error.status === 429 ? "rate_limit_exceeded" : null),
    },
  };
}
