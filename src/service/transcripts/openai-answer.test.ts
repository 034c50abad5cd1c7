import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
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

test("add-ons that failed and speech that was not translated are named in warnings", () => {
  const failure = { success: false, error: { message: "no model" }, results: null };
  const results = [{ ...resultIn("en").transcription, warnings: ["Speech in Welsh was not translated: no model"] }];
  const given = {
    ...resultIn("cy"),
    diarization: failure,
    custom_vocabulary: failure,
    translation: { success: true, error: null, results },
  };
  const { body, warnings } = openAiAnswer({ ...REQUEST, task: "translate", format: "json" }, given);
  expect(warnings).toEqual([
    "prompt and keywords failed: no model",
    "diarization failed: no model",
    "Speech in Welsh was not translated: no model",
  ]);
  expect(JSON.parse(body).warnings).toEqual(warnings);
});

test.each([
  ["ja", ["今日は", "公園へ", "行きます。"], "今日は公園へ行きます。"],
  ["en", ["We go", "to the", "park."], "We go to the park."],
])("the deltas of a stream add up to the text in %s", (language, texts, whole) => {
  const utterances = texts.map((text, at) => ({ ...utterance(text, at), language }));
  const result = resultIn(language);
  result.transcription = { ...result.transcription, full_transcript: joinedTexts(utterances), utterances };
  for (const count of [0, 1, 2, 3]) {
    const sent = utterances.slice(0, count);
    const { body } = openAiAnswer({ ...REQUEST, format: "json", isStreamed: true, sent }, result);
    const events = body
      .trim()
      .split("\n\n")
      .map((one) => JSON.parse(one.slice("data: ".length)));
    const deltas = events.flatMap(({ delta = "" }) => delta);
    expect(joinedTexts(sent) + deltas.join("")).toBe(whole);
    expect(events.at(-1).text).toBe(whole);
  }
});
