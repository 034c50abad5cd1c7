import { expect, test } from "vitest";
import { asrOptions, asrParameters, detectsRaw } from "./query.ts";

const problemsOf = (query: object): string[] => {
  try {
    asrOptions(query);
    return [];
  } catch (error) {
    return (error as { fields: string[] }).fields;
  }
};

test("without parameters a media file is transcribed as text", () => {
  const options = asrOptions({});
  expect(options).toMatchObject({ isRaw: false, task: "transcribe", output: "txt", withWords: false, warnings: [] });
  expect(asrParameters(options)).toEqual({ language_config: { languages: [], code_switching: false } });
});

test.each(["false", "False", "0", "off", "no", "n", "F"])("encode=%s means raw samples", (encode) => {
  expect(asrOptions({ encode }).isRaw).toBe(true);
  expect(detectsRaw({ encode })).toBe(true);
});

test.each(["true", "True", "1", "on", "yes", "Y", ""])("encode=%s means a media file", (encode) => {
  expect(asrOptions({ encode }).isRaw).toBe(false);
});

test("every parameter becomes one of the job", () => {
  const query = {
    ...{ task: "translate", language: "German", initial_prompt: "Ada Lovelace, ENIAC", output: "JSON" },
    ...{ diarize: "true", min_speakers: "2", max_speakers: "3", word_timestamps: "true", vad_filter: "true" },
  };
  const options = asrOptions(query);
  expect(options).toMatchObject({ output: "json", withWords: true, language: "de", warnings: [] });
  expect(asrParameters(options)).toEqual({
    language_config: { languages: ["de"], code_switching: false },
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: ["Ada Lovelace", "ENIAC"] },
    translation: true,
    translation_config: { target_languages: ["en"] },
    diarization: true,
    diarization_config: { min_speakers: 2, max_speakers: 3 },
  });
});

test("the language auto is detected", () => {
  expect(asrOptions({ language: "auto" }).language).toBeUndefined();
});

test("names of a prompt beyond those that are used are a warning", () => {
  const initial_prompt = Array.from({ length: 201 }, (_, at) => `Name${at}`).join(", ");
  expect(asrOptions({ initial_prompt }).warnings).toEqual([
    "initial_prompt has 201 names and terms; the first 200 are used",
  ]);
});

test("what has no effect is a warning", () => {
  const query = { vad_filter: "false", word_timestamps: "true", initial_prompt: "as it was before", max_speakers: "2" };
  expect(asrOptions(query).warnings.map((sentence) => sentence.split(" ")[0])).toEqual([
    "vad_filter",
    "word_timestamps",
    "initial_prompt",
    "min_speakers",
  ]);
});

test.each([
  [{ task: "sing" }, /^task must be one of .* transcribe, translate; it is "sing"/],
  [{ output: "strt" }, /^output must be one of/],
  [{ language: "jp" }, /^language .*similar: ja \(Japanese\)/],
  [{ encode: "maybe" }, /^encode must be true or false; it is "maybe"/],
  [{ min_speakers: "-1" }, /^min_speakers must be a whole number/],
  [{ max_speakers: "1e3" }, /^max_speakers must be a whole number/],
  [{ diarize: "1", min_speakers: "3", max_speakers: "2" }, /^min_speakers must not be greater/],
])("%j is refused by its name", (query, sentence) => {
  expect(problemsOf(query)).toEqual([expect.stringMatching(sentence)]);
});

test("parameters of other servers: hotwords, a model and another name of diarize", () => {
  const options = asrOptions({ hotwords: "Ada Lovelace, ENIAC,", model: "large-v3", enable_diarization: "true" });
  expect(options).toMatchObject({
    ...{ vocabulary: ["Ada Lovelace", "ENIAC"], model: "large-v3", diarizes: true, warnings: [] },
  });
  expect(problemsOf({ hotwords: "x".repeat(300) })).toEqual([
    expect.stringMatching(/^hotwords must not have terms of/),
  ]);
});
