import { expect, test } from "vitest";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { type OpenAiAnswerRequest, openAiAnswer } from "./openai-answer.ts";
import { detectedLanguageAnswer } from "./whisper-asr-answer.ts";

const resultIn = (language: string): TranscriptionResult => ({
  metadata: { audio_duration: 1, number_of_distinct_channels: 1, billing_time: 1, transcription_time: 1 },
  transcription: { full_transcript: "", languages: [language], utterances: [] },
});
const REQUEST: OpenAiAnswerRequest = {
  task: "transcribe",
  format: "verbose_json",
  granularities: ["segment"],
  withLogprobs: false,
  withLanguages: false,
  isStreamed: false,
  sent: [],
};

test.each([
  ["mi", "maori"],
  ["bn", "bengali"],
  ["my", "myanmar"],
  ["tl", "tagalog"],
  ["nn", "nynorsk"],
])("the language %s has the same name of Whisper in both of its interfaces", (code, name) => {
  expect(JSON.parse(openAiAnswer(REQUEST, resultIn(code)).body).language).toBe(name);
  expect(JSON.parse(detectedLanguageAnswer(resultIn(code)).body).detected_language).toBe(name);
});
