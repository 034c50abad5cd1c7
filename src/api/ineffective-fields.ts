// Known fields of an accepted request that change nothing: a configuration without its switch, a deprecated field beside the one that
// replaced it. Clients send them, so that they are no error; the answer names them.
import { isSamples, type LiveBody } from "../contract/live.ts";
import { effectiveLanguages, type PreRecordedBody } from "../contract/pre-recorded.ts";
import { translatesIntoEnglish } from "../service/intelligence/translation-targets.ts";
import { maskingProblem, numeralsProblem } from "../speech/text/language-choice.ts";

type Values = Readonly<Record<string, unknown>>;

/** A sentence for each `NAME_config` without `NAME`. @param path  of the object, with a dot at its end */
function configsWithoutSwitch(values: Values, path = ""): string[] {
  const sentences: string[] = [];
  for (const [name, config] of Object.entries(values)) {
    const switchName = /^(.+)_config$/.exec(name)?.[1];
    if (config === undefined || switchName === undefined || !WITH_SWITCH.has(switchName)) continue;
    if (values[switchName] === true) continue;
    sentences.push(`${path}${name} has no effect without ${path}${switchName}: true`);
  }
  return sentences;
}

/** Switches that have a configuration of their name. */
const WITH_SWITCH = new Set([
  "audio_to_llm",
  "callback",
  "custom_spelling",
  "custom_vocabulary",
  "diarization",
  "pii_redaction",
  "structured_data_extraction",
  "subtitles",
  "summarization",
  "translation",
]);

interface LanguageChoice {
  languages?: readonly string[];
  code_switching?: boolean;
}

function switchingWithoutChoice({ languages = [], code_switching }: LanguageChoice): string[] {
  if (code_switching !== true || languages.length !== 1) return [];
  return ["language_config.code_switching has no effect where language_config.languages names a single language"];
}

/** Deprecated fields that language_config replaced; it holds where both are sent. */
const REPLACED = ["language", "enable_code_switching", "code_switching_config"] as const;

/** @param body  after defaults */
export function ineffectiveFields(body: PreRecordedBody): string[] {
  const sentences = configsWithoutSwitch(body);
  if (body.callback && body.callback_config && body.callback_url) {
    sentences.push("callback_url has no effect beside callback_config");
  }
  if (Array.isArray(body.custom_vocabulary) && body.custom_vocabulary_config?.vocabulary) {
    sentences.push("custom_vocabulary_config.vocabulary has no effect beside a custom_vocabulary that is a list");
  }
  const { language_config } = body;
  for (const name of REPLACED) {
    const given = body[name];
    if (language_config && given !== undefined && given !== false) {
      sentences.push(`${name} has no effect beside language_config`);
    }
  }
  if (!language_config && body.code_switching_config && body.enable_code_switching !== true) {
    sentences.push("code_switching_config has no effect without enable_code_switching: true");
  }
  if (!language_config && body.language && body.enable_code_switching) {
    sentences.push("enable_code_switching has no effect beside language");
  }
  if (body.context_prompt) {
    sentences.push("context_prompt has no effect; custom_vocabulary takes names and terms");
  }
  if (body.detect_language === false && !body.language && !language_config) {
    sentences.push("detect_language: false has no effect: without a language, it is detected");
  }
  if (body.audio_to_llm && body.audio_to_llm_config?.model) {
    sentences.push("audio_to_llm_config.model has no effect: the service uses its own language model");
  }
  return [
    ...sentences,
    ...switchingWithoutChoice(language_config ?? {}),
    ...maskingWithoutEnglish(body, effectiveLanguages(body)),
    ...numeralsWithoutRules(body.numerals, effectiveLanguages(body)),
  ];
}

/** @param processing  with the field @param path  of the field */
function maskingWithoutEnglish(
  processing: Pick<PreRecordedBody, "profanity_filter" | "translation" | "translation_config">,
  { languages = [] }: LanguageChoice = {},
  path = "",
): string[] {
  const isApplied = processing.profanity_filter === true && !translatesIntoEnglish(processing);
  const problem = isApplied ? maskingProblem(languages) : undefined;
  return problem === undefined ? [] : [`${path}profanity_filter has no effect: ${problem}`];
}

/** @param path  of the field */
function numeralsWithoutRules(
  numerals: boolean | undefined,
  { languages = [] }: LanguageChoice = {},
  path = "",
): string[] {
  const problem = numerals === false ? numeralsProblem(languages) : undefined;
  return problem === undefined ? [] : [`${path}numerals has no effect: ${problem}`];
}

const DEFAULT_SAMPLES = { bit_depth: 16, sample_rate: 16_000 } as const;

function formatWithoutEffect(body: LiveBody): string[] {
  const { encoding = "wav/pcm", opus_frame_duration } = body;
  const sentences: string[] = [];
  if (opus_frame_duration !== undefined && encoding !== "opus") {
    sentences.push("opus_frame_duration has no effect without encoding: opus");
  }
  if (isSamples(encoding)) return sentences;
  for (const [name, usual] of Object.entries(DEFAULT_SAMPLES)) {
    const given = body[name as keyof typeof DEFAULT_SAMPLES];
    if (given !== undefined && given !== usual)
      sentences.push(`${name} has no effect with encoding: ${encoding}, which states it`);
  }
  return sentences;
}

/** @param body  after defaults */
export function ineffectiveLiveFields(body: LiveBody): string[] {
  const callback = body.callback_config ? { callback: body.callback, callback_config: body.callback_config } : {};
  return [
    ...configsWithoutSwitch((body.realtime_processing ?? {}) as Values, "realtime_processing."),
    ...configsWithoutSwitch((body.post_processing ?? {}) as Values, "post_processing."),
    ...configsWithoutSwitch(callback),
    ...formatWithoutEffect(body),
    ...configsWithoutSwitch({ diarization: body.diarization, diarization_config: body.diarization_config }),
    ...switchingWithoutChoice(body.language_config ?? {}),
    ...maskingWithoutEnglish(body.realtime_processing ?? {}, body.language_config, "realtime_processing."),
    ...numeralsWithoutRules(body.realtime_processing?.numerals, body.language_config, "realtime_processing."),
  ];
}
