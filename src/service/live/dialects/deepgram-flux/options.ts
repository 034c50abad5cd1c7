// The query of Deepgram's Flux interface: how a session is configured, and how its events are printed. Every parameter is used, named in a
// warning, or refused by its name.
import type { FluxThresholds } from "../../../../contract/deepgram-flux.ts";
import type { LiveBody } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import { namedLanguages } from "../../../../speech/text/language-choice.ts";
import { MOST_EXTRAS, spokenStyleIn, vocabularyIn } from "../../../deepgram/parameters.ts";
import { Parameters, refuse, shown } from "../../../wire/parameters.ts";
import { formatIn } from "../deepgram/options.ts";
import { OTHER_INTERFACE_DETECTION, OTHER_INTERFACE_EVENTS } from "../dialect.ts";

export interface FluxOptions {
  model: string;
  body: LiveBody;
  thresholds: FluxThresholds;
  keyterms: string[];
  numerals: boolean;
  /** Undefined for English alone. */
  languageHints: string[] | undefined;
  warnings: string[];
}

const ENGLISH = "flux-general-en";
const SEVERAL_LANGUAGES = "flux-general-multi";
const [LEAST_THRESHOLD, MOST_THRESHOLD] = [0.5, 1];
const [LEAST_EAGER_THRESHOLD, MOST_EAGER_THRESHOLD] = [0.3, 0.9];
const [LEAST_TIMEOUT_MILLISECONDS, MOST_TIMEOUT_MILLISECONDS] = [500, 60_000];
/** Our own: the probabilities of the two detectors differ, and turns end about as often too early. */
const DEFAULT_THRESHOLD = 0.85;
const DEFAULT_TIMEOUT_MILLISECONDS = 5_000;
/** Limit of the silence that ends a turn; a longer one that a client requests is cut to it. */
const LONGEST_SILENCE_SECONDS = 10;
const MINIMUM_SILENCE_SECONDS = 0.2;
/** The highest threshold of a judgement. */
const MOST_PROBABILITY = 0.99;
/** Silence that ends a turn while its pauses cannot be judged. */
const UNJUDGED_SILENCE_SECONDS = 0.8;
/** After this long, an utterance has a final even if the speech continues: its turn has several. */
const LONGEST_UTTERANCE_SECONDS = 60;
const MOST_PARAMETERS = 200;

const REDACTION = "words are not redacted in live audio";
const REFUSED: Readonly<Record<string, string>> = {
  redact: REDACTION,
  callback: "read the messages of the connection, or use callback_config of POST /v2/live",
  session_id: "a session of this address ends with its connection; /v1/listen can resume one",
  resumable: "a session of this address ends with its connection; /v1/listen can resume one",
};

export function thresholdsIn(parameters: Parameters): FluxThresholds {
  const eot = parameters.number("eot_threshold", LEAST_THRESHOLD, MOST_THRESHOLD) ?? DEFAULT_THRESHOLD;
  const eager = parameters.number("eager_eot_threshold", LEAST_EAGER_THRESHOLD, MOST_EAGER_THRESHOLD);
  const timeout = parameters.number("eot_timeout_ms", LEAST_TIMEOUT_MILLISECONDS, MOST_TIMEOUT_MILLISECONDS);
  if (eager !== undefined && eager > eot) {
    parameters.problems.push(`eager_eot_threshold (${eager}) must not be greater than eot_threshold (${eot})`);
  }
  if (timeout !== undefined && timeout > LONGEST_SILENCE_SECONDS * 1000) {
    const longest = LONGEST_SILENCE_SECONDS * 1000;
    parameters.note("eot_timeout_ms", `eot_timeout_ms: silence ends a turn after at most ${longest} ms`);
  }
  return {
    ...(eager === undefined ? {} : { eager_eot_threshold: eager }),
    eot_threshold: eot,
    eot_timeout_ms: timeout ?? DEFAULT_TIMEOUT_MILLISECONDS,
  };
}

/** @param name  of the parameter or field */
export const hintedLanguages = (hints: readonly string[], name: string) => namedLanguages([...new Set(hints)], name);

/** @param hints  undefined for English alone */
export const languageConfigOf = (hints: string[] | undefined) => ({
  languages: hints ?? ["en"],
  code_switching: hints !== undefined,
});

function languagesIn(parameters: Parameters, model: string): string[] | undefined {
  const hints = parameters.all("language_hint");
  if (model.toLowerCase() !== SEVERAL_LANGUAGES) {
    if (hints.length > 0) parameters.warn("language_hint", `it is used only with model=${SEVERAL_LANGUAGES}`);
    return undefined;
  }
  const { languages, problems } = hintedLanguages(hints, "language_hint");
  parameters.problems.push(...problems);
  return languages;
}

function judgeOthers(parameters: Parameters, isStrict: boolean): void {
  refuse(parameters, REFUSED);
  // Accepted: no audio is used for training.
  parameters.flag("mip_opt_out");
  if (parameters.phrases("tag", MOST_EXTRAS).length > 0) parameters.warn("tag", "this interface returns no tags");
  for (const name of parameters.unread.map(shown)) {
    if (isStrict) parameters.problems.push(`${name} is not a parameter of this address`);
    else parameters.note(name, `${name} is not a parameter of this address and was ignored`);
  }
}

/** How the ends of turns are found. From 1 on, silence alone ends them, as no judgement is that certain. */
export function turnsOf({ eager_eot_threshold: eager, eot_threshold: eot, eot_timeout_ms: timeout }: FluxThresholds) {
  const maximum = Math.min(LONGEST_SILENCE_SECONDS, timeout / 1000);
  if (eot >= 1) return { endpointing: maximum };
  return {
    endpointing: Math.min(maximum, UNJUDGED_SILENCE_SECONDS),
    turn_detection: {
      mode: "smart",
      threshold: Math.min(MOST_PROBABILITY, eot),
      minimum_silence: MINIMUM_SILENCE_SECONDS,
      maximum_silence: maximum,
      // Without EagerEndOfTurn, no turn is probably over before it is over.
      probable_threshold: eager ?? MOST_PROBABILITY,
    },
  } as const;
}

export const processingOf = ({ numerals, keyterms }: Pick<FluxOptions, "numerals" | "keyterms">) => ({
  numerals,
  ...(keyterms.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: keyterms } } : {}),
});

/** @throws request.invalid naming every bad parameter */
export function fluxOptions(query: URLSearchParams, isStrict: boolean): FluxOptions {
  if (query.size > MOST_PARAMETERS) {
    throw errors.invalidParameters([`the address must not have more than ${MOST_PARAMETERS} parameters`]);
  }
  const names = [...new Set(query.keys())];
  const parameters = new Parameters(Object.fromEntries(names.map((name) => [name, query.getAll(name)])));
  const model = parameters.one("model") ?? ENGLISH;
  const format = formatIn(parameters);
  if (format.channels > 1)
    parameters.problems.push("channels must be 1 for raw samples: this interface has no parameter for channels");
  const thresholds = thresholdsIn(parameters);
  const languageHints = languagesIn(parameters, model);
  const numerals = parameters.flag("numerals");
  const keyterms = vocabularyIn(parameters);
  const languageConfig = languageConfigOf(languageHints);
  const style = spokenStyleIn(parameters, languageConfig.languages);
  judgeOthers(parameters, isStrict);
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  const body: LiveBody = {
    ...format,
    ...turnsOf(thresholds),
    maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
    language_config: languageConfig,
    pre_processing: OTHER_INTERFACE_DETECTION,
    realtime_processing: { ...processingOf({ numerals, keyterms }), ...style },
    messages_config: {
      ...OTHER_INTERFACE_EVENTS,
      receive_partial_transcripts: true,
      receive_lifecycle_events: true,
      receive_turn_events: true,
    },
  };
  const warnings = parameters.warnings.map(({ message }) => message);
  return { model, body, thresholds, keyterms, numerals, languageHints, warnings };
}
