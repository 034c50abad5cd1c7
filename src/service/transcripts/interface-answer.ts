// Answers of the interfaces that keep no job, by the interface.
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import type { Answer } from "./answer-parts.ts";
import { deepgramAnswer, type ListenAnswerRequest } from "./deepgram-answer.ts";
import { type OpenAiAnswerRequest, openAiAnswer } from "./openai-answer.ts";
import { type AsrAnswerRequest, detectedLanguageAnswer, whisperAsrAnswer } from "./whisper-asr-answer.ts";

export type AnswerRequest =
  | ({ of: "openai" } & OpenAiAnswerRequest)
  | ({ of: "whisper-asr" } & AsrAnswerRequest)
  | { of: "detect-language" }
  | ({ of: "deepgram" } & ListenAnswerRequest);

/** @throws Error where a translation failed; errors of the catalogue for what the result does not have */
export function answerOf(request: AnswerRequest, result: TranscriptionResult): Answer {
  switch (request.of) {
    case "openai":
      return openAiAnswer(request, result);
    case "whisper-asr":
      return whisperAsrAnswer(request, result);
    case "detect-language":
      return detectedLanguageAnswer(result);
    case "deepgram":
      return deepgramAnswer(request, result);
  }
}
