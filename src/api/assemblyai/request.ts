// Parses a request of AssemblyAI's interface for recordings. Every field is used, named in a warning, or refused by its name.
import type { TranscriptJob, TranscriptRequest } from "../../contract/assemblyai-request.ts";
import type { PreRecordedBody } from "../../contract/pre-recorded.ts";
import { PII_POLICIES, typesOfPolicy } from "../../service/assemblyai/entity-names.ts";
import { redactionProblems } from "../../service/intelligence/redaction-types.ts";
import { translatesIntoEnglish } from "../../service/intelligence/translation-targets.ts";
import { maskingProblem } from "../../speech/text/language-choice.ts";
import { shownPath } from "../validation/text.ts";

/** What this service does not compute, with what to do instead. */
const REFUSED: Readonly<Partial<Record<keyof TranscriptRequest, string>>> = {
  speech_threshold: "a recording without speech has an empty transcript",
  auto_highlights: "use auto_chapters, or structured_data_extraction of POST /v2/pre-recorded",
  content_safety: "use moderation of POST /v2/pre-recorded",
  custom_topics: "use structured_data_extraction of POST /v2/pre-recorded",
  iab_categories: "use auto_chapters, or structured_data_extraction of POST /v2/pre-recorded",
  redact_pii_audio: "the audio is not changed; redact_pii redacts the text",
  redact_pii_return_unredacted: "a redacted transcript keeps no other text",
};

const WITHOUT_EFFECT = [
  "boost_param",
  "content_safety_confidence",
  "domain",
  "keyterms_prompt_options",
  "language_confidence_threshold",
  "prompt",
  "redact_pii_audio_options",
  "redact_pii_audio_quality",
  "remove_audio_tags",
  "summary_model",
  "temperature",
  "topics",
] as const satisfies (keyof TranscriptRequest)[];

const SPEAKER_OPTIONS_WITHOUT_EFFECT = [
  "use_two_stage_clustering",
  "short_file_diarization_method",
  "long_file_diarization_method",
] as const;

const LANGUAGE_OPTIONS_WITHOUT_EFFECT = [
  "fallback_language",
  "code_switching_confidence_threshold",
  "on_low_language_confidence",
  "swiss_german",
  "language_detection_model",
  "localization",
] as const;

/** Fields without effect, unless the second field is true. */
const EFFECTIVE_WITH: readonly (readonly [keyof TranscriptRequest, keyof TranscriptRequest])[] = [
  ["language_detection_options", "language_detection"],
  ["redact_pii_policies", "redact_pii"],
  ["redact_pii_sub", "redact_pii"],
  ["summary_type", "summarization"],
  ["speakers_expected", "speaker_labels"],
  ["speaker_options", "speaker_labels"],
];

const UNDERSTANDING_REFUSED = {
  speaker_identification: "use diarization_config.identify_speakers of POST /v2/pre-recorded",
  custom_formatting: "use custom_spelling",
  summarization: "use summarization",
} as const;

/** Headers that the service or the protocol sets in every request to a webhook: a caller cannot name them. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|http2-settings|accept-encoding|webhook-.*|traceparent|tracestate|user-agent|expect|upgrade)$/i;

const SUMMARIES = {
  bullets: "bullet_points",
  bullets_verbose: "bullet_points",
  gist: "concise",
  headline: "concise",
  paragraph: "general",
} as const;

const MASKS = { hash: "MASK", entity_name: "MARKER" } as const;

const isSet = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0);

export interface ParsedTranscript {
  body: PreRecordedBody;
  job: Omit<TranscriptJob, "webhook"> & { webhook?: { name: string; value: string } };
  /** Sentences for what is not right; nothing may be accepted then. */
  problems: string[];
  warnings: string[];
}

function languagesOf(request: TranscriptRequest) {
  const { language_code, language_codes, language_detection, language_detection_options: options } = request;
  if (language_codes && language_codes.length > 0)
    return { languages: language_codes, code_switching: language_codes.length > 1 };
  if (language_code !== undefined) return { languages: [language_code], code_switching: false };
  const code_switching = options?.code_switching ?? false;
  if (language_detection) return { languages: options?.expected_languages ?? [], code_switching };
  return { languages: ["en"], code_switching: false };
}

/** Found forms by their replacement. */
function spellingsOf(entries: NonNullable<TranscriptRequest["custom_spelling"]>): Record<string, string[]> {
  const spellings = new Map<string, string[]>();
  for (const { from, to } of entries) {
    const forms = spellings.get(to) ?? [];
    forms.push(...[from].flat());
    spellings.set(to, forms);
  }
  return Object.fromEntries(spellings);
}

function redactionOf(
  { redact_pii, redact_pii_policies: policies = [], redact_pii_sub = "hash" }: TranscriptRequest,
  languages: readonly string[],
  hasLanguageModel: boolean,
  problems: string[],
): Partial<PreRecordedBody> {
  if (!redact_pii) return {};
  const name = "redact_pii_policies";
  if (policies.length === 0) problems.push(`${name} is required when redact_pii is true`);
  const unknown = policies.filter((policy) => typesOfPolicy(policy).length === 0);
  if (unknown.length > 0)
    problems.push(
      `${name} has ${unknown.map((policy) => shownPath([policy])).join(", ")}, but must only contain the following values: ${PII_POLICIES.join(", ")}`,
    );
  const entity_types = [...new Set(policies.flatMap(typesOfPolicy))];
  if (unknown.length === 0 && policies.length > 0) {
    const found = redactionProblems(entity_types, languages, hasLanguageModel);
    problems.push(...found.map((problem) => problem.replaceAll("pii_redaction_config.entity_types", name)));
  }
  return { pii_redaction: true, pii_redaction_config: { entity_types, processed_text_type: MASKS[redact_pii_sub] } };
}

function speakersOf(request: TranscriptRequest, problems: string[], warnings: string[]): Partial<PreRecordedBody> {
  const { speaker_labels, speakers_expected, speaker_options: options = {} } = request;
  const { min_speakers_expected: least, max_speakers_expected: most } = options;
  for (const name of SPEAKER_OPTIONS_WITHOUT_EFFECT)
    if (options[name] !== undefined) warnings.push(`speaker_options.${name} has no effect`);
  if (speakers_expected !== undefined && (speakers_expected < (least ?? 0) || speakers_expected > (most ?? Infinity)))
    problems.push("speakers_expected must lie within speaker_options.min_speakers_expected and max_speakers_expected");
  if (least !== undefined && most !== undefined && least > most)
    problems.push("speaker_options.min_speakers_expected must not be greater than max_speakers_expected");
  if (!speaker_labels) return {};
  const config = {
    ...(speakers_expected === undefined ? {} : { number_of_speakers: speakers_expected }),
    ...(least === undefined ? {} : { min_speakers: least }),
    ...(most === undefined ? {} : { max_speakers: most }),
  };
  return { diarization: true, ...(Object.keys(config).length > 0 ? { diarization_config: config } : {}) };
}

function webhookOf(request: TranscriptRequest, problems: string[], warnings: string[]) {
  const { webhook_url, webhook_auth_header_name: name, webhook_auth_header_value: value } = request;
  if ((name === undefined) !== (value === undefined))
    problems.push("webhook_auth_header_name and webhook_auth_header_value must be sent together");
  if (name !== undefined && OWN_HEADERS.test(name))
    problems.push(`webhook_auth_header_name must not be ${name}: the service sets this header`);
  if (name !== undefined && webhook_url === undefined)
    warnings.push("webhook_auth_header_name has no effect without webhook_url");
  return webhook_url !== undefined && name !== undefined && value !== undefined ? { webhook: { name, value } } : {};
}

const isMultichannel = (request: TranscriptRequest) => request.multichannel === true || request.dual_channel === true;

function translationOf(request: TranscriptRequest, problems: string[], warnings: string[]): Partial<PreRecordedBody> {
  const understanding = request.speech_understanding?.request ?? {};
  for (const [name, instead] of Object.entries(UNDERSTANDING_REFUSED) as [keyof typeof UNDERSTANDING_REFUSED, string][])
    if (isSet(understanding[name])) problems.push(`speech_understanding.request.${name} is not available: ${instead}`);
  const { translation } = understanding;
  if (!translation) return {};
  if (translation.formal === false)
    warnings.push("speech_understanding.request.translation.formal has no effect: translations are formal");
  const { target_languages, match_original_utterance = false } = translation;
  if (match_original_utterance && !request.speaker_labels && !isMultichannel(request))
    warnings.push(
      "speech_understanding.request.translation.match_original_utterance has no effect without speaker_labels or multichannel: there are no utterances",
    );
  return {
    translation: true,
    translation_config: { target_languages, match_original_utterances: match_original_utterance },
  };
}

function rangeOf(
  { audio_start_from: from = 0, audio_end_at: to = 0 }: TranscriptRequest,
  problems: string[],
): Partial<PreRecordedBody> {
  if (from === 0 && to === 0) return {};
  if (to > 0 && from >= to) problems.push("audio_start_from must be less than audio_end_at");
  return { audio_range: { start: from / 1000, ...(to === 0 ? {} : { end: to / 1000 }) } };
}

function styleOf(
  { disfluencies, filter_profanity }: TranscriptRequest,
  languages: readonly string[],
  translation: Partial<PreRecordedBody>,
  warnings: string[],
) {
  const problem = filter_profanity && !translatesIntoEnglish(translation) ? maskingProblem(languages) : undefined;
  if (problem !== undefined) warnings.push(`filter_profanity has no effect: ${problem}`);
  return {
    ...(disfluencies === undefined ? {} : { filler_words: disfluencies ? ("keep" as const) : ("drop" as const) }),
    ...(filter_profanity ? { profanity_filter: true } : {}),
  };
}

/** Fields of the request that the record of a transcript repeats. Long ones would be stored twice, and read with every list. */
const REPEATED = [
  ...(["speech_model", "speech_models", "language_code", "language_codes", "language_detection"] as const),
  ...([
    "audio_start_from",
    "audio_end_at",
    "multichannel",
    "dual_channel",
    "speaker_labels",
    "speakers_expected",
  ] as const),
  ...(["redact_pii", "redact_pii_policies", "redact_pii_sub", "sentiment_analysis", "entity_detection"] as const),
  ...(["auto_chapters", "summarization", "summary_type", "webhook_url", "webhook_auth_header_name"] as const),
] satisfies (keyof TranscriptRequest)[];

function shownFields(request: TranscriptRequest): Record<string, unknown> {
  const isDefault = !request.language_detection && (request.language_codes ?? []).length === 0;
  const repeated = REPEATED.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]] as const]));
  return {
    ...(isDefault ? { language_code: "en_us" } : {}),
    ...Object.fromEntries(repeated),
    punctuate: request.punctuate ?? true,
    format_text: request.format_text ?? true,
    webhook_auth: request.webhook_auth_header_name !== undefined,
  };
}

/**
 * @param request  after defaults
 * @param model    id, as assemblyAiModel returns it
 */
export function parseTranscript(
  request: TranscriptRequest,
  model: string,
  hasLanguageModel: boolean,
): ParsedTranscript {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const [name, instead] of Object.entries(REFUSED))
    if (isSet(request[name as keyof TranscriptRequest])) problems.push(`${name} is not available: ${instead}`);
  for (const name of WITHOUT_EFFECT) if (isSet(request[name])) warnings.push(`${name} has no effect`);
  for (const [name, needed] of EFFECTIVE_WITH)
    if (request[name] !== undefined && !request[needed]) warnings.push(`${name} has no effect without ${needed}: true`);
  const { language_detection_options: options = {} } = request;
  for (const name of LANGUAGE_OPTIONS_WITHOUT_EFFECT)
    if (isSet(options[name])) warnings.push(`language_detection_options.${name} has no effect`);
  const named = (request.language_codes ?? []).length > 0 ? "language_codes" : "language_code";
  if (request[named] !== undefined && request.language_detection)
    warnings.push(`language_detection has no effect beside ${named}`);
  if (request.language_code !== undefined && named === "language_codes")
    warnings.push("language_code has no effect beside language_codes");
  const language_config = languagesOf(request);
  const vocabulary = [...new Set([...(request.keyterms_prompt ?? []), ...(request.word_boost ?? [])])];
  const spellings = spellingsOf(request.custom_spelling ?? []);
  const translation = translationOf(request, problems, warnings);
  const { webhook_url, format_text = true, punctuate = true, summary_type = "bullets" } = request;
  const body: PreRecordedBody = {
    audio_url: request.audio_url,
    model,
    language_config,
    ...rangeOf(request, problems),
    ...(format_text ? {} : { numerals: false }),
    ...styleOf(request, language_config.languages, translation, warnings),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(Object.keys(spellings).length > 0
      ? { custom_spelling: true, custom_spelling_config: { spelling_dictionary: spellings } }
      : {}),
    ...speakersOf(request, problems, warnings),
    ...redactionOf(request, language_config.languages, hasLanguageModel, problems),
    ...translation,
    ...(request.sentiment_analysis ? { sentiment_analysis: true } : {}),
    ...(request.entity_detection ? { named_entity_recognition: true } : {}),
    ...(request.auto_chapters ? { chapterization: true } : {}),
    ...(request.summarization ? { summarization: true, summarization_config: { type: SUMMARIES[summary_type] } } : {}),
    ...(webhook_url === undefined ? {} : { callback: true, callback_config: { url: webhook_url } }),
  };
  const form = {
    punctuates: punctuate,
    formats: format_text,
    multichannel: isMultichannel(request),
    ...(translation.translation_config?.match_original_utterances ? { translates: true } : {}),
  };
  return {
    body,
    job: { form, shown: shownFields(request), ...webhookOf(request, problems, warnings) },
    problems,
    warnings,
  };
}
