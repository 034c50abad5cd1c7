// Answers of the interfaces that have another form than ours, by the interface.
import type { Correction } from "../../contract/transcript/correction.ts";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import type { Answer } from "./answer-parts.ts";
import { type TranscriptAnswerRequest, transcriptAnswer } from "./assemblyai-answer.ts";
import { deepgramAnswer, type ListenAnswerRequest } from "./deepgram-answer.ts";
import { type OpenAiAnswerRequest, openAiAnswer } from "./openai-answer.ts";
import { type AsrAnswerRequest, detectedLanguageAnswer, whisperAsrAnswer } from "./whisper-asr-answer.ts";

export type AnswerRequest =
  | ({ of: "openai" } & OpenAiAnswerRequest)
  | ({ of: "whisper-asr" } & AsrAnswerRequest)
  | { of: "detect-language" }
  | ({ of: "deepgram" } & ListenAnswerRequest)
  | ({ of: "assemblyai" } & TranscriptAnswerRequest);

/**
 * @param corrections  of a stored job; the interfaces that keep no job have none
 * @throws Error where a translation failed; errors of the catalogue for what the result does not have
 */
export function answerOf(
  request: AnswerRequest,
  result: TranscriptionResult,
  corrections: readonly Correction[] = [],
): Answer {
  switch (request.of) {
    case "openai":
      return openAiAnswer(request, result);
    case "whisper-asr":
      return whisperAsrAnswer(request, result);
    case "detect-language":
      return detectedLanguageAnswer(result);
    case "deepgram":
      return deepgramAnswer(request, result);
    case "assemblyai":
      return transcriptAnswer(request, result, corrections);
  }
}
