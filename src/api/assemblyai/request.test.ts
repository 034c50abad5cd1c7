import { expect, test } from "vitest";
import type { TranscriptRequest } from "../../contract/assemblyai-request.ts";
import { TranscriptRequest as Schema } from "../../contract/assemblyai-request.ts";
import { prepare } from "../validation/prepare.ts";
import { parseTranscript } from "./request.ts";

const parsed = (fields: object, hasLanguageModel = false) =>
  parseTranscript(
    prepare(Schema, { audio_url: "https://example.com/a.mp3", ...fields }) as TranscriptRequest,
    "default",
    hasLanguageModel,
  );

test("a request without fields is English with punctuation, capitals and digits", () => {
  const { body, job, problems, warnings } = parsed({});
  expect(body).toEqual({
    audio_url: "https://example.com/a.mp3",
    model: "default",
    language_config: { languages: ["en"], code_switching: false },
  });
  expect(job).toEqual({
    form: { punctuates: true, formats: true, multichannel: false },
    shown: { language_code: "en_us", punctuate: true, format_text: true, webhook_auth: false },
  });
  expect([...problems, ...warnings]).toEqual([]);
});

test.each<[object, object]>([
  [{ language_code: "en_us" }, { languages: ["en"], code_switching: false }],
  [{ language_code: "pt" }, { languages: ["pt"], code_switching: false }],
  [{ language_codes: ["en", "es"] }, { languages: ["en", "es"], code_switching: true }],
  [{ language_detection: true }, { languages: [], code_switching: false }],
  [
    {
      language_detection: true,
      language_detection_options: { expected_languages: ["de", "fr"], code_switching: true },
    },
    { languages: ["de", "fr"], code_switching: true },
  ],
])("languages of %j", (fields, expected) => {
  expect(parsed(fields).body.language_config).toEqual(expected);
});

test("speakers, vocabulary, spellings, add-ons and a webhook have their switches", () => {
  const { body, job, problems } = parsed({
    speaker_labels: true,
    speakers_expected: 2,
    speaker_options: { min_speakers_expected: 1, max_speakers_expected: 3 },
    keyterms_prompt: ["Ada", "ENIAC"],
    word_boost: ["Ada"],
    custom_spelling: [
      { from: ["gettleman", "gettelman"], to: "Gettleman" },
      { from: "SQL", to: "Gettleman" },
    ],
    sentiment_analysis: true,
    entity_detection: true,
    auto_chapters: true,
    summarization: true,
    summary_type: "paragraph",
    speech_understanding: { request: { translation: { target_languages: ["es"] } } },
    format_text: false,
    webhook_url: "https://example.com/hook",
    webhook_auth_header_name: "X-Secret",
    webhook_auth_header_value: "hidden",
  });
  expect(problems).toEqual([]);
  expect(body).toMatchObject({
    numerals: false,
    diarization: true,
    diarization_config: { number_of_speakers: 2, min_speakers: 1, max_speakers: 3 },
    custom_vocabulary_config: { vocabulary: ["Ada", "ENIAC"] },
    custom_spelling_config: { spelling_dictionary: { Gettleman: ["gettleman", "gettelman", "SQL"] } },
    ...{ sentiment_analysis: true, named_entity_recognition: true, chapterization: true, summarization: true },
    summarization_config: { type: "general" },
    translation_config: { target_languages: ["es"], match_original_utterances: false },
    ...{ callback: true, callback_config: { url: "https://example.com/hook" } },
  });
  expect(job.webhook).toEqual({ name: "X-Secret", value: "hidden" });
  expect(job.shown).toMatchObject({
    webhook_url: "https://example.com/hook",
    webhook_auth: true,
    speaker_labels: true,
  });
  expect(JSON.stringify(job.shown)).not.toContain("hidden");
});

test("policies of redaction become types; unknown ones, and what needs a language model, are refused by name", () => {
  const { body, problems } = parsed({ redact_pii: true, redact_pii_policies: ["person_name", "banking_information"] });
  expect(problems).toEqual([]);
  expect(body.pii_redaction_config).toEqual({
    entity_types: ["NAME", "NAME_FAMILY", "NAME_GIVEN", "NAME_MEDICAL_PROFESSIONAL", "BANK_ACCOUNT", "ROUTING_NUMBER"],
    processed_text_type: "MASK",
  });
  const named = parsed({ redact_pii: true, redact_pii_policies: ["url"], redact_pii_sub: "entity_name" });
  expect(named.body.pii_redaction_config).toMatchObject({ processed_text_type: "MARKER" });
  expect(parsed({ redact_pii: true }).problems).toEqual(["redact_pii_policies is required when redact_pii is true"]);
  const [unknown] = parsed({ redact_pii: true, redact_pii_policies: ["shoe_size"] }).problems;
  expect(unknown).toMatch(/^redact_pii_policies has shoe_size, but must only contain/);
  const [several] = parsed({ redact_pii: true, redact_pii_policies: ["day", "location_city", "project"] }).problems;
  expect(several).toMatch(/^redact_pii_policies has day, project, but must only contain/);
  const city = parsed({ redact_pii: true, redact_pii_policies: ["location_city"] });
  expect(city.problems).toEqual([]);
  expect(city.body.pii_redaction_config).toMatchObject({ entity_types: ["LOCATION_CITY"] });
  const [needsModel] = parsed({ redact_pii: true, redact_pii_policies: ["religion"] }).problems;
  expect(needsModel).toMatch(/^redact_pii_policies has RELIGION.*language model/);
  expect(parsed({ redact_pii: true, redact_pii_policies: ["religion"] }, true).problems).toEqual([]);
});

test("what is not available is refused by its name, unless it is false", () => {
  const unavailable = {
    ...{ auto_highlights: true, content_safety: true },
    ...{ iab_categories: true, redact_pii_audio: true, redact_pii_return_unredacted: true },
    ...{ speech_threshold: 0.5, custom_topics: true },
    speech_understanding: { request: { speaker_identification: { speaker_type: "name" } } },
  };
  const { problems } = parsed(unavailable);
  const names = Object.keys(unavailable).filter((name) => name !== "speech_understanding");
  for (const name of [...names, "speech_understanding.request.speaker_identification"])
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} is not available: `)));
  expect(problems).toHaveLength(names.length + 1);
  const off = {
    auto_highlights: false,
    filter_profanity: null,
    speech_threshold: 0,
    iab_categories: false,
  };
  expect(parsed(off).problems).toEqual([]);
});

test.each<[object, object | undefined]>([
  [{ audio_start_from: 1_500 }, { start: 1.5 }],
  [{ audio_end_at: 2_000 }, { start: 0, end: 2 }],
  [
    { audio_start_from: 1_500, audio_end_at: 2_000 },
    { start: 1.5, end: 2 },
  ],
  [{ audio_start_from: 0, audio_end_at: 0 }, undefined],
])("the part of %j", (fields, expected) => {
  const { body, problems } = parsed(fields);
  expect([body.audio_range, problems]).toEqual([expected, []]);
});

test("a part that ends before it starts is refused", () => {
  const { problems } = parsed({ audio_start_from: 2_000, audio_end_at: 1_000 });
  expect(problems).toEqual(["audio_start_from must be less than audio_end_at"]);
});

test("what has no effect is named", () => {
  const { warnings } = parsed({
    ...{ boost_param: "high", prompt: "A meeting", temperature: 0.1, domain: "medical-v1" },
    ...{ speakers_expected: 2, language_detection_options: { fallback_language: "en" } },
    ...{ language_code: "en", language_codes: ["en", "de"], redact_pii_policies: ["url"] },
    speech_understanding: { request: { translation: { target_languages: ["es"], formal: false } } },
  });
  expect(warnings.toSorted()).toEqual([
    "boost_param has no effect",
    "domain has no effect",
    "language_code has no effect beside language_codes",
    "language_detection_options has no effect without language_detection: true",
    "language_detection_options.fallback_language has no effect",
    "prompt has no effect",
    "redact_pii_policies has no effect without redact_pii: true",
    "speakers_expected has no effect without speaker_labels: true",
    "speech_understanding.request.translation.formal has no effect: translations are formal",
    "temperature has no effect",
  ]);
  expect(parsed({ disfluencies: false, summary_model: null }).warnings).toEqual([]);
});

test("fillers are removed on request, profanity is masked, and neither without a request", () => {
  expect(parsed({ disfluencies: false, filter_profanity: true }).body).toMatchObject({
    filler_words: "drop",
    profanity_filter: true,
  });
  expect(parsed({ disfluencies: true }).body).toMatchObject({ filler_words: "keep" });
  expect(Object.keys(parsed({}).body)).not.toContain("filler_words");
  expect(parsed({ filter_profanity: true, language_code: "de" }).warnings).toEqual([
    "filter_profanity has no effect: it masks English words only",
  ]);
  const translated = { speech_understanding: { request: { translation: { target_languages: ["en"] } } } };
  expect(parsed({ filter_profanity: true, language_code: "de", ...translated }).warnings).toEqual([]);
});

test("a header of a webhook needs its value, and is none of the service's own", () => {
  const hook = { webhook_url: "https://example.com/hook" };
  expect(parsed({ ...hook, webhook_auth_header_name: "X" }).problems).toEqual([
    "webhook_auth_header_name and webhook_auth_header_value must be sent together",
  ]);
  for (const name of ["Host", "content-length", "webhook-signature", "Transfer-Encoding", "keep-alive", "TE"])
    expect(parsed({ ...hook, webhook_auth_header_name: name, webhook_auth_header_value: "1" }).problems).toEqual([
      `webhook_auth_header_name must not be ${name}: the service sets this header`,
    ]);
});

test("what has no use is not repeated in the record, and numbers of speakers that contradict each other are refused", () => {
  const { job, warnings, problems } = parsed({
    ...{
      topics: ["x".repeat(100)],
      domain: "y",
      keyterms_prompt: ["Ada"],
      summary_type: "gist",
      redact_pii_sub: "hash",
    },
    ...{ speaker_labels: true, speakers_expected: 2, speaker_options: { min_speakers_expected: 5 } },
  });
  expect(Object.keys(job.shown)).not.toEqual(expect.arrayContaining(["topics"]));
  expect(JSON.stringify(job.shown)).not.toContain("Ada");
  expect(warnings).toEqual(
    expect.arrayContaining([
      "redact_pii_sub has no effect without redact_pii: true",
      "summary_type has no effect without summarization: true",
    ]),
  );
  expect(problems).toEqual([expect.stringContaining("speakers_expected must lie within")]);
});

test("match_original_utterance prints translations of utterances, and has a warning without them", () => {
  const speech_understanding = {
    request: { translation: { target_languages: ["es"], match_original_utterance: true } },
  };
  const { job, body, warnings } = parsed({ speaker_labels: true, speech_understanding });
  expect(body.translation_config).toEqual({ target_languages: ["es"], match_original_utterances: true });
  expect([job.form.translates, warnings]).toEqual([true, []]);
  expect(parsed({ speech_understanding }).warnings).toEqual([
    expect.stringMatching(/match_original_utterance has no effect without speaker_labels/),
  ]);
});
