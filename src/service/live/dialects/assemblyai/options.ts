// The address of AssemblyAI's streaming interface: how a session is configured, and how its events are printed. Every parameter is used,
// named in a warning, or refused by its name.
import { MOST_PHRASE_CHARACTERS, MOST_VOCABULARY_ENTRIES } from "../../../../contract/bounds.ts";
import { isSamples, type LiveBody, SAMPLE_RATES } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import { maskingProblem, namedLanguages } from "../../../../speech/text/language-choice.ts";
import { DEFAULT_MODEL_NAME } from "../../../assemblyai/models.ts";
import { Parameters, refuse, shown } from "../../../wire/parameters.ts";
import { OTHER_INTERFACE_DETECTION, OTHER_INTERFACE_EVENTS, type Sessions } from "../dialect.ts";
import {
  boundsProblem,
  changedTurns,
  DEFAULT_TURNS,
  detectionOf,
  limitNotes,
  type TurnSettings,
} from "./turn-settings.ts";
import { FIELDS_WITHOUT_EFFECT, noEffectReason } from "./without-effect.ts";

export interface StreamingOptions {
  model: string;
  body: LiveBody;
  turns: TurnSettings;
  formatsTurns: boolean;
  namesLanguages: boolean;
  namesSpeakers: boolean;
  /** Undefined if the client states none. */
  idleSeconds: number | undefined;
  warnings: string[];
}

const ENCODINGS = {
  pcm_s16le: "wav/pcm",
  pcm_mulaw: "wav/ulaw",
  opus: "opus",
  ogg_opus: "ogg/opus",
  aac: "aac",
} as const;
const [DEFAULT_RATE, PCM_BIT_DEPTH] = [16_000, 16];
const [LEAST_IDLE_SECONDS, MOST_IDLE_SECONDS] = [5, 3_600];
export const MOST_TURN_MILLISECONDS = 60_000;
const MOST_SPEAKERS = 10;
/** After this long, an utterance has a final even if the speech continues: its turn has several. */
const LONGEST_UTTERANCE_SECONDS = 60;
const MOST_PARAMETERS = 200;
const ANY_LANGUAGE = "multi";
const ENGLISH_MODEL = /english/i;
/** Models whose texts have neither punctuation nor capitals unless the client requests them. */
const PLAIN_MODEL = /^universal-streaming/i;

const REDACTION = "words are not redacted in live audio";
const ELSEWHERE = "use callback_config of POST /v2/live, or read the messages of the connection";
const REFUSED: Readonly<Record<string, string>> = {
  redact_pii: REDACTION,
  redact_pii_policies: REDACTION,
  redact_pii_sub: REDACTION,
  llm_gateway: "request the answers of a language model from your own server",
  webhook_url: ELSEWHERE,
  webhook_auth_header_name: ELSEWHERE,
  webhook_auth_header_value: ELSEWHERE,
};

function formatIn(parameters: Parameters) {
  const given = parameters.one("encoding")?.toLowerCase() ?? "pcm_s16le";
  const encoding = Object.hasOwn(ENCODINGS, given) ? (given as keyof typeof ENCODINGS) : undefined;
  if (encoding === undefined) {
    const names = Object.keys(ENCODINGS).join(", ");
    parameters.problems.push(`encoding must be one of the following values: ${names}; it is ${shown(given)}`);
  }
  const givenRate = parameters.number("sample_rate", 1, 384_000);
  const format = { encoding: ENCODINGS[encoding ?? "pcm_s16le"], bit_depth: PCM_BIT_DEPTH, channels: 1 };
  if (!isSamples(format.encoding)) {
    if (givenRate !== undefined) parameters.warn("sample_rate", `a stream of ${given} states its own`);
    return { ...format, sample_rate: DEFAULT_RATE };
  }
  const rate = givenRate ?? DEFAULT_RATE;
  if (!SAMPLE_RATES.includes(rate)) {
    parameters.problems.push(`sample_rate must be one of ${SAMPLE_RATES.join(", ")}; it is ${rate}`);
  }
  return { ...format, sample_rate: rate };
}

/** A JSON array, as its clients send lists; or the value itself, sent once or several times. */
function listIn(parameters: Parameters, name: string): string[] {
  return parameters.all(name).flatMap((value) => {
    if (!value.startsWith("[")) return [value];
    try {
      const list: unknown = JSON.parse(value);
      if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
    } catch {
      // Named below.
    }
    parameters.problems.push(`${name} must be a JSON array of texts; it is ${shown(value)}`);
    return [];
  });
}

/** @returns what is wrong with the terms */
export function keytermsProblems(terms: readonly string[]): string[] {
  const problems: string[] = [];
  if (terms.length > MOST_VOCABULARY_ENTRIES) {
    problems.push(`keyterms_prompt must not have more than ${MOST_VOCABULARY_ENTRIES} terms`);
  }
  const long = terms.find((term) => term.length > MOST_PHRASE_CHARACTERS);
  if (long !== undefined) {
    problems.push(
      `keyterms_prompt must not have terms longer than ${MOST_PHRASE_CHARACTERS} characters; one is ${shown(long)}`,
    );
  }
  return problems;
}

export const keytermsOf = (terms: readonly string[]) => [
  ...new Set(terms.map((term) => term.trim()).filter((term) => term !== "")),
];

export function vocabularyOf(keyterms: string[]): NonNullable<LiveBody["realtime_processing"]> {
  if (keyterms.length === 0) return {};
  return { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: keyterms } };
}

export const languageConfigOf = (languages: string[]) => ({ languages, code_switching: languages.length !== 1 });

/**
 * @param model  as the client named it
 * @returns the languages that may be spoken; none for any
 */
export function languagesOfCodes(
  given: readonly string[],
  model: string,
): { languages: string[]; problems: string[]; warning?: string } {
  const isAny = given.every((one) => one.toLowerCase() === ANY_LANGUAGE);
  if (ENGLISH_MODEL.test(model)) {
    const warning = `language_codes has no effect: the model ${shown(model)} is English`;
    return { languages: ["en"], problems: [], ...(isAny ? {} : { warning }) };
  }
  if (isAny) return { languages: [], problems: [] };
  return namedLanguages(given, "language_codes");
}

function languagesIn(parameters: Parameters, model: string): string[] {
  const single = parameters.one("language_code");
  const several = listIn(parameters, "language_codes");
  const given = several.length > 0 ? several : single === undefined ? [] : [single];
  if (several.length > 0 && single !== undefined) parameters.warn("language_code", "language_codes is set");
  const { languages, problems, warning } = languagesOfCodes(given, model);
  if (warning !== undefined) parameters.note("language_codes", warning);
  parameters.problems.push(...problems);
  return languages;
}

function turnsIn(parameters: Parameters): TurnSettings {
  const threshold = parameters.number("end_of_turn_confidence_threshold", 0, 1);
  const named = parameters.number("min_turn_silence", 0, MOST_TURN_MILLISECONDS);
  const former = parameters.number("min_end_of_turn_silence_when_confident", 0, MOST_TURN_MILLISECONDS);
  const given = {
    threshold,
    minimum: named ?? former,
    maximum: parameters.number("max_turn_silence", 0, MOST_TURN_MILLISECONDS),
  };
  const problem = boundsProblem(given);
  if (problem !== undefined) parameters.problems.push(problem);
  const turns = changedTurns(given, DEFAULT_TURNS);
  for (const [name, note] of limitNotes(given, turns)) parameters.note(name, note);
  return turns;
}

/** Isolation of a voice is our enhancement of speech. */
function enhancesIn(parameters: Parameters): boolean {
  const wanted = parameters.one("voice_focus") ?? parameters.one("noise_suppression_model");
  if (wanted !== undefined && !["near-field", "far-field"].includes(wanted)) {
    parameters.problems.push(`voice_focus must be near-field or far-field; it is ${shown(wanted)}`);
  }
  for (const name of ["voice_focus_threshold", "noise_suppression_threshold"]) {
    if (parameters.number(name, 0, 1) !== undefined) parameters.warn(name, "the strength follows the noise");
  }
  return wanted !== undefined;
}

function speakersIn(parameters: Parameters): Pick<LiveBody, "diarization" | "diarization_config"> {
  const isWanted = parameters.flag("speaker_labels");
  const most = parameters.number("max_speakers", 1, MOST_SPEAKERS);
  if (parameters.number("speaker_labels_revision_interval_ms", 0, 86_400_000) !== undefined) {
    parameters.warn("speaker_labels_revision_interval_ms", "SpeakerRevision is sent when a speaker changes");
  }
  if (!isWanted) {
    if (most !== undefined) parameters.warn("max_speakers", "it is used only with speaker_labels");
    return {};
  }
  return {
    diarization: true,
    ...(most === undefined ? {} : { diarization_config: { max_speakers: Math.floor(most) } }),
  };
}

function judgeOthers(parameters: Parameters, isStrict: boolean): void {
  refuse(parameters, REFUSED);
  for (const name of FIELDS_WITHOUT_EFFECT) {
    const reason = parameters.all(name).length > 0 ? noEffectReason(name, !parameters.isWanted(name)) : undefined;
    if (reason !== undefined) parameters.warn(name, reason);
  }
  // Read before the session is created.
  parameters.all("token");
  for (const name of parameters.unread.map(shown)) {
    if (isStrict) parameters.problems.push(`${name} is not a parameter of this address`);
    else parameters.note(name, `${name} is not a parameter of this address and was ignored`);
  }
}

function parametersOf(query: URLSearchParams): Parameters {
  if (query.size > MOST_PARAMETERS) {
    throw errors.invalidParameters([`the address must not have more than ${MOST_PARAMETERS} parameters`]);
  }
  const names = [...new Set(query.keys())];
  return new Parameters(Object.fromEntries(names.map((name) => [name, query.getAll(name)])));
}

/** @param mostSeconds  longest time without audio or a message that the service permits */
function idleSecondsIn(parameters: Parameters, mostSeconds: number): number | undefined {
  const seconds = parameters.number("inactivity_timeout", LEAST_IDLE_SECONDS, MOST_IDLE_SECONDS);
  if (seconds !== undefined && seconds > mostSeconds) {
    const note = `inactivity_timeout: the session ends after at most ${mostSeconds} s without audio or a message`;
    parameters.note("inactivity_timeout", note);
  }
  return seconds;
}

/** @throws request.invalid naming every bad parameter */
export function streamingOptions(
  query: URLSearchParams,
  { isStrict, idleSeconds: mostIdleSeconds }: Pick<Sessions<unknown>, "isStrict" | "idleSeconds">,
): StreamingOptions {
  const parameters = parametersOf(query);
  const model = parameters.one("speech_model") ?? DEFAULT_MODEL_NAME;
  const format = formatIn(parameters);
  const turns = turnsIn(parameters);
  const keyterms = keytermsOf([...listIn(parameters, "keyterms_prompt"), ...listIn(parameters, "keyterms")]);
  parameters.problems.push(...keytermsProblems(keyterms));
  const languages = languagesIn(parameters, model);
  const threshold = parameters.number("vad_threshold", 0, 1) ?? OTHER_INTERFACE_DETECTION.speech_threshold;
  const formatsTurns =
    parameters.one("format_turns") === undefined ? !PLAIN_MODEL.test(model) : parameters.flag("format_turns");
  const namesLanguages = parameters.flag("language_detection");
  const speakers = speakersIn(parameters);
  const idleSeconds = idleSecondsIn(parameters, mostIdleSeconds);
  const enhances = enhancesIn(parameters);
  const masksProfanity = parameters.flag("filter_profanity");
  const problem = masksProfanity ? maskingProblem(languages) : undefined;
  if (problem !== undefined) parameters.warn("filter_profanity", problem);
  judgeOthers(parameters, isStrict);
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  const body: LiveBody = {
    ...format,
    ...detectionOf(turns),
    ...speakers,
    maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
    language_config: languageConfigOf(languages),
    pre_processing: { audio_enhancer: enhances, speech_threshold: threshold },
    realtime_processing: { ...vocabularyOf(keyterms), ...(masksProfanity ? { profanity_filter: true } : {}) },
    messages_config: {
      ...OTHER_INTERFACE_EVENTS,
      receive_partial_transcripts: true,
      receive_lifecycle_events: true,
      receive_turn_events: true,
      receive_pre_processing_events: namesLanguages,
    },
  };
  const warnings = parameters.warnings.map(({ message }) => message);
  return {
    ...{ model, body, turns, formatsTurns, namesLanguages, idleSeconds, warnings },
    namesSpeakers: speakers.diarization === true,
  };
}
