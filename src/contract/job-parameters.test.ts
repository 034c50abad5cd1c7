import { expect, test } from "vitest";
import { parseJobParameters, parseLiveParameters, shownParameters } from "./job-parameters.ts";

test("parameters of an empty stored request have the schema's defaults", () => {
  expect(parseJobParameters({})).toMatchObject({
    language_config: { languages: [], code_switching: false },
    diarization: false,
    custom_vocabulary: false,
  });
  expect(parseLiveParameters({})).toMatchObject({
    encoding: "wav/pcm",
    bit_depth: 16,
    sample_rate: 16_000,
    channels: 1,
    endpointing: 0.05,
    language_config: { languages: [], code_switching: false },
    pre_processing: { audio_enhancer: false, speech_threshold: 0.6 },
    realtime_processing: { translation: false, sentiment_analysis: false },
    post_processing: { summarization: false, chapterization: false },
    messages_config: { receive_final_transcripts: true, receive_partial_transcripts: false },
  });
});

test("stored parameters are kept, those without a place in the schema included", () => {
  const stored = {
    audio_track: 2,
    diarization: true,
    diarization_config: { min_speakers: 2, max_speakers: 4 },
    warnings: ["speakers is unknown"],
    removed_in_this_version: { deep: [1] },
  };
  expect(parseJobParameters(stored)).toMatchObject(stored);
});

test("the stored object is not changed", () => {
  const stored = { language_config: {}, custom_vocabulary_config: { vocabulary: ["Parlance"] }, audio_track: "first" };
  const before = structuredClone(stored);
  parseJobParameters(stored);
  expect(stored).toEqual(before);
});

test("warnings name what could not be read; null is the same as nothing", () => {
  const stored = {
    warnings: ["speakers is unknown"],
    callback_config: { url: "http://a.b/", method: 5 },
    diarization: null,
  };
  expect(parseJobParameters(stored).warnings).toEqual([
    "speakers is unknown",
    "The stored value of callback_config.method could not be read and was not used",
  ]);
  expect(parseLiveParameters([]).warnings).toEqual(["The stored request could not be read; the defaults were used"]);
  expect(parseLiveParameters({}).warnings).toBeUndefined();
});

test("a request of before language_config is read by its deprecated fields", () => {
  expect(parseJobParameters({ language: "de" }).language_config).toEqual({ languages: ["de"], code_switching: false });
  const switching = { enable_code_switching: true, code_switching_config: { languages: ["en", "fr"] } };
  expect(parseJobParameters(switching).language_config).toEqual({ languages: ["en", "fr"], code_switching: true });
});

test("a value of another type is left out, and everything beside it is kept", () => {
  const stored = {
    audio_track: "first",
    custom_vocabulary: "Parlance",
    subtitles_config: { formats: ["vtt"], style: 3 },
    translation_config: { target_languages: ["de", 7, "fr"], lipsync: false },
    callback_config: "https://receiver.example",
  };
  const parameters = parseJobParameters(stored);
  expect(parameters).not.toHaveProperty("audio_track");
  expect(parameters).not.toHaveProperty("callback_config");
  expect(parameters.custom_vocabulary).toBe(false);
  expect(parameters.subtitles_config).toEqual({ formats: ["vtt"], style: "default" });
  expect(parameters.translation_config).toMatchObject({ target_languages: ["de", "fr"], lipsync: false });
});

test("limits of this version do not apply to requests that were accepted before", () => {
  const vocabulary = Array.from({ length: 6_000 }, (_, index) => `term ${index}`);
  const stored = { custom_vocabulary: true, custom_vocabulary_config: { vocabulary }, audio_track: 5_000 };
  const parameters = parseJobParameters(stored);
  expect(parameters.custom_vocabulary_config?.vocabulary).toHaveLength(6_000);
  expect(parameters.audio_track).toBe(5_000);
  expect(parseLiveParameters({ endpointing: 30 }).endpointing).toBe(30);
});

test.each([null, undefined, "text", 3, []])("%s as stored parameters is read as an empty request", (stored) => {
  const { warnings: _, ...recorded } = parseJobParameters(stored);
  const { warnings: __, ...live } = parseLiveParameters(stored);
  expect(recorded).toEqual(parseJobParameters({}));
  expect(live).toEqual(parseLiveParameters({}));
});

test("a live session's callback address is read with the flags of its version", () => {
  const stored = {
    callback: true,
    callback_config: { url: "https://receiver.example", receive_partial_transcripts: true },
  };
  expect(parseLiveParameters(stored).callback_config).toMatchObject({
    url: "https://receiver.example",
    receive_partial_transcripts: true,
    receive_final_transcripts: true,
    receive_lifecycle_events: true,
  });
});

test("the voice prints of a request are not shown", () => {
  const stored = { diarization: true, known_voices: [{ name: "Ann", print: [0.6, 0.8], seconds: 2 }] };
  expect(shownParameters(stored)).toEqual({ diarization: true });
  expect(shownParameters({ diarization: true, sealed_voices: "sealed:v1:AAAA" })).toEqual({ diarization: true });
});

test("a live session of a version without live speakers has none", () => {
  expect(parseLiveParameters({ endpointing: 0.3 })).toMatchObject({ diarization: false, endpointing: 0.3 });
  expect(parseLiveParameters({}).diarization_config).toBeUndefined();
});
