// Errors as whisper-asr-webservice, which FastAPI serves, answers them.
import type { AsrError } from "../../contract/whisper-asr.ts";
import type { ParlanceError } from "../../platform/errors.ts";
import { withFieldNames } from "../../platform/field-names.ts";
import { publicMessage } from "../../platform/public-message.ts";

export const isAsrPath = (path: string) => /^\/(asr|detect-language)\/?$/.test(path);

/** FastAPI's status for a parameter or field that is not valid. */
const INVALID = 422;

const FIELDS = { language: "language", vocabulary: "initial_prompt" };

export function asrError(error: ParlanceError): { status: number; body: AsrError } {
  if (error.code !== "request.invalid") {
    return { status: error.status, body: { detail: withFieldNames(publicMessage(error), FIELDS) } };
  }
  const detail = (error.fields ?? []).map((sentence) => {
    const name = /^[a-z_]+/.exec(sentence)?.[0] ?? "";
    const loc = name === "audio_file" ? ["body", name] : ["query", name];
    return { type: "value_error" as const, loc, msg: withFieldNames(sentence, FIELDS) };
  });
  return { status: INVALID, body: { detail } };
}
