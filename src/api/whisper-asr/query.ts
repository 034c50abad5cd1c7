// Parses the query of whisper-asr-webservice. Every parameter is used, named in a warning, or refused by its name.
import { MOST_PHRASE_CHARACTERS, MOST_SPEAKERS } from "../../contract/bounds.ts";
import { ASR_OUTPUTS, type AsrOutput, type AsrQuery } from "../../contract/whisper-asr.ts";
import { errors } from "../../platform/errors.ts";
import { beginningOf } from "../../platform/storable.ts";
import { promptVocabulary, promptWarning } from "../../service/openai/prompt.ts";
import { namedLanguages } from "../../speech/text/language-choice.ts";

export interface AsrOptions {
  /** The recording is raw samples. */
  isRaw: boolean;
  task: "transcribe" | "translate";
  output: AsrOutput;
  withWords: boolean;
  /** Code; undefined to detect it. */
  language: string | undefined;
  /** Name of a model, as the client sent it. */
  model: string | undefined;
  vocabulary: string[];
  diarizes: boolean;
  minimumSpeakers: number | undefined;
  maximumSpeakers: number | undefined;
  warnings: string[];
}

const TASKS = ["transcribe", "translate"] as const;
/** As FastAPI reads them. */
const YES = ["1", "on", "t", "true", "y", "yes"];
const NO = ["0", "f", "false", "n", "no", "off"];
const SHOWN_CHARACTERS = 100;

const shown = (value: string) => `"${beginningOf(value, SHOWN_CHARACTERS)}"`;

type Query = Readonly<Record<string, string | undefined>>;

/** Parameters by their name; an empty one is not sent. */
class Parameters {
  readonly problems: string[] = [];

  constructor(private readonly query: Query) {}

  text(name: string): string | undefined {
    const value = this.query[name]?.trim();
    return value === "" ? undefined : value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    if (YES.includes(value)) return true;
    if (!NO.includes(value)) this.problems.push(`${name} must be true or false; it is ${shown(value)}`);
    return false;
  }

  count(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const count = /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (count >= 1 && count <= MOST_SPEAKERS) return count;
    this.problems.push(`${name} must be a whole number from 1 to ${MOST_SPEAKERS}; it is ${shown(value)}`);
    return undefined;
  }

  choice<T extends string>(name: string, allowed: readonly [T, ...T[]]): T {
    const value = this.text(name);
    if (value === undefined) return allowed[0];
    const found = allowed.find((one) => one === value.toLowerCase());
    if (found === undefined) {
      this.problems.push(`${name} must be one of the following values: ${allowed.join(", ")}; it is ${shown(value)}`);
    }
    return found ?? allowed[0];
  }

  /** A list with commas. */
  terms(name: string): string[] {
    const terms = (this.text(name) ?? "").split(",").map((term) => term.trim());
    const long = terms.find((term) => term.length > MOST_PHRASE_CHARACTERS);
    if (long === undefined) return terms.filter((term) => term !== "");
    this.problems.push(
      `${name} must not have terms of more than ${MOST_PHRASE_CHARACTERS} characters; one is ${shown(long)}`,
    );
    return [];
  }

  language(): string | undefined {
    const value = this.text("language");
    if (value === undefined) return undefined;
    const { languages, problems } = namedLanguages([value], "language");
    this.problems.push(...problems);
    return languages[0];
  }
}

const isRaw = (parameters: Parameters) => parameters.flag("encode") === false;

/** @throws request.invalid naming every bad parameter */
export function asrOptions(query: AsrQuery): AsrOptions {
  const parameters = new Parameters(query as Query);
  const output = parameters.choice("output", ASR_OUTPUTS);
  const withWords = parameters.flag("word_timestamps") ?? false;
  const prompt = parameters.text("initial_prompt") ?? "";
  const ofPrompt = promptVocabulary(prompt);
  const hotwords = parameters.terms("hotwords");
  const diarizes = parameters.flag("diarize") ?? parameters.flag("enable_diarization") ?? false;
  const options = {
    isRaw: isRaw(parameters),
    task: parameters.choice("task", TASKS),
    output,
    withWords,
    language: parameters.language(),
    model: parameters.text("model"),
    vocabulary: [...new Set([...ofPrompt.used, ...hotwords])],
    diarizes,
    minimumSpeakers: parameters.count("min_speakers"),
    maximumSpeakers: parameters.count("max_speakers"),
  };
  const { minimumSpeakers, maximumSpeakers } = options;
  const findsVoices = parameters.flag("vad_filter");
  if (minimumSpeakers !== undefined && maximumSpeakers !== undefined && minimumSpeakers > maximumSpeakers) {
    parameters.problems.push("min_speakers must not be greater than max_speakers");
  }
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  const warnings: string[] = [];
  if (findsVoices === false) warnings.push("vad_filter has no effect: voice activity detection is always on");
  if (withWords && output !== "json") {
    warnings.push("word_timestamps has no effect: only output=json has word times");
  }
  if (prompt !== "" && ofPrompt.used.length === 0) {
    warnings.push("initial_prompt has no effect: it has no names or terms");
  }
  const lengthWarning = promptWarning("initial_prompt", ofPrompt);
  if (lengthWarning !== undefined) warnings.push(lengthWarning);
  if (!diarizes && (minimumSpeakers ?? maximumSpeakers) !== undefined) {
    warnings.push("min_speakers and max_speakers have no effect without diarize");
  }
  return { ...options, warnings };
}

/** @throws request.invalid */
export function detectsRaw(query: AsrQuery): boolean {
  const parameters = new Parameters(query as Query);
  const raw = isRaw(parameters);
  if (parameters.problems.length > 0) throw errors.invalidParameters(parameters.problems);
  return raw;
}

/** The options as the body of a request for a job. */
export function asrParameters(options: AsrOptions) {
  const { language, vocabulary, diarizes, minimumSpeakers, maximumSpeakers, task } = options;
  return {
    language_config: { languages: language === undefined ? [] : [language], code_switching: false },
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(task === "translate" ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
    ...(diarizes
      ? {
          diarization: true,
          diarization_config: {
            ...(minimumSpeakers === undefined ? {} : { min_speakers: minimumSpeakers }),
            ...(maximumSpeakers === undefined ? {} : { max_speakers: maximumSpeakers }),
          },
        }
      : {}),
  };
}
