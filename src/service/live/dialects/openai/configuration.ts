// How a client of OpenAI's Realtime interface configures its session: session.update in its current form (audio.input) and in
// that of the beta (input_audio_format). Both forms may be mixed; a field that is left out keeps its value.
import {
  MOST_PHRASE_CHARACTERS as MOST_KEYWORD_CHARACTERS,
  MOST_NAME_CHARACTERS,
  MOST_PROMPT_CHARACTERS,
} from "../../../../contract/bounds.ts";
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import type { TurnDetection } from "../../../../contract/realtime.ts";
import { textFault } from "../../../../platform/storable.ts";
import { languagesOf } from "../../../../speech/text/language-choice.ts";
import { promptVocabulary, promptWarning } from "../../../openai/prompt.ts";
import { shown } from "./client-events.ts";
import { invalidValue, type Problem } from "./problem.ts";
import { turnDetectionOf } from "./turn-detection.ts";

export type Encoding = "audio/pcm" | "audio/pcmu" | "audio/pcma";

export interface Configuration {
  encoding: Encoding;
  /** Hz. */
  sampleRate: number;
  /** As the client named it. */
  model: string;
  /** As the client named them; none for any language. */
  languages: readonly string[];
  prompt: string;
  keywords: readonly string[];
  noiseReduction: string | null;
  /** Undefined: the model's default. */
  turnDetection: TurnDetection | null | undefined;
  withLogprobs: boolean;
}

export const DEFAULT_CONFIGURATION: Configuration = {
  encoding: "audio/pcm",
  sampleRate: 24_000,
  model: "gpt-4o-transcribe",
  languages: [],
  prompt: "",
  keywords: [],
  noiseReduction: null,
  turnDetection: undefined,
  withLogprobs: false,
};

const BETA_FORMATS: Readonly<Record<string, Encoding>> = {
  pcm16: "audio/pcm",
  g711_ulaw: "audio/pcmu",
  g711_alaw: "audio/pcma",
};
const G711_RATE = 8_000;
const LOGPROBS = "item.input_audio_transcription.logprobs";
const NOISE_REDUCTIONS = ["near_field", "far_field"];
const MOST_KEYWORDS = 1_000;

const VOICE_TYPE = "realtime";
const NO_VOICE = "this service has no voice conversations and transcribes";
const NOT_TRANSCRIPTION = 'must be "transcription": this service has no voice conversations';

/** Fields of voice conversations. */
const VOICE_FIELDS = [
  "instructions",
  "max_output_tokens",
  "max_response_output_tokens",
  "output_audio_format",
  "output_modalities",
  "parallel_tool_calls",
  "prompt",
  "reasoning",
  "speed",
  "temperature",
  "tool_choice",
  "tools",
  "tracing",
  "truncation",
  "voice",
];

export interface Update {
  configuration: Configuration;
  problems: Problem[];
  /** Parts without effect, a sentence each. */
  warnings: string[];
}

type Fields = Readonly<Record<string, unknown>>;

const isKeyword = ({ length }: string) => length <= MOST_KEYWORD_CHARACTERS;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads one object of the request: each field by its reader, and names the others. */
class Reader {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];

  /** @param readers  by field; called for fields that are sent */
  object(
    path: string,
    value: unknown,
    readers: Readonly<Record<string, (value: unknown, path: string) => void>>,
  ): void {
    if (!isFields(value)) {
      this.problems.push(invalidValue(path, "must be an object"));
      return;
    }
    for (const [name, given] of Object.entries(value)) {
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
      if (read) read(given, `${path}.${name}`);
      else this.warn(`${path}.${shown(name)}`, "it is not a field of transcription sessions");
    }
  }

  warn(path: string, why: string): void {
    this.warnings.push(`${path} has no effect: ${why}`);
  }

  choice<Value extends string>(path: string, value: unknown, allowed: readonly Value[]): Value | undefined {
    const found = allowed.find((one) => one === value);
    if (found === undefined) {
      const given = typeof value === "string" ? `"${shown(value)}"` : typeof value;
      this.problems.push(invalidValue(path, `must be ${allowed.join(", ")}; it is ${given}`));
    }
    return found;
  }

  text(path: string, value: unknown, mostCharacters: number): string | undefined {
    const isText = typeof value === "string" && value.length <= mostCharacters;
    const fault = isText ? textFault(value) : `must be a text of at most ${mostCharacters} characters`;
    if (isText && fault === undefined) return value;
    this.problems.push(invalidValue(path, fault ?? ""));
    return undefined;
  }

  texts(path: string, value: unknown, most: number): string[] {
    const isList = Array.isArray(value) && value.length <= most;
    const texts = isList ? value.filter((one): one is string => typeof one === "string") : [];
    const isRight = isList && texts.length === value.length && texts.every(isKeyword);
    const rule = `must be a list of at most ${most} texts of at most ${MOST_KEYWORD_CHARACTERS} characters`;
    const fault = isRight ? texts.map(textFault).find((one) => one !== undefined) : rule;
    if (fault === undefined) return texts;
    this.problems.push(invalidValue(path, fault));
    return [];
  }

  /** @returns those that are no other name of any language */
  languages(path: string, given: readonly string[]): string[] {
    const named = given.filter((one) => one.trim() !== "");
    const { codes, problem } = languagesOf(named);
    if (problem !== undefined) this.problems.push(invalidValue(path, problem));
    return codes;
  }
}

type Changes = { -readonly [Name in keyof Configuration]?: Configuration[Name] };

function readFormat(reader: Reader, changes: Changes, given: unknown, path: string): void {
  const isNamed = typeof given === "string";
  const ofBeta = isNamed && Object.hasOwn(BETA_FORMATS, given) ? BETA_FORMATS[given] : undefined;
  const type = isNamed ? (ofBeta ?? given) : isFields(given) ? given["type"] : undefined;
  const names = isNamed ? Object.keys(BETA_FORMATS) : ["audio/pcm", "audio/pcmu", "audio/pcma"];
  if (type === undefined && !isNamed) {
    reader.problems.push(invalidValue(`${path}.type`, `must be ${names.join(", ")}`));
    return;
  }
  const encoding = (["audio/pcm", "audio/pcmu", "audio/pcma"] as const).find((one) => one === type);
  if (!encoding) {
    reader.choice(isNamed ? path : `${path}.type`, given === type ? given : type, names);
    return;
  }
  const rate = isFields(given) ? given["rate"] : undefined;
  const rates = encoding === "audio/pcm" ? SAMPLE_RATES : [G711_RATE];
  if (rate !== undefined && rate !== null && !rates.includes(rate as number)) {
    reader.problems.push(invalidValue(`${path}.rate`, `must be ${rates.join(", ")} for ${encoding}`));
    return;
  }
  if (isFields(given)) {
    for (const name of Object.keys(given)) {
      if (name !== "type" && name !== "rate") reader.warn(`${path}.${shown(name)}`, "it is not a field of formats");
    }
  }
  changes.encoding = encoding;
  const usual = encoding === "audio/pcm" ? DEFAULT_CONFIGURATION.sampleRate : G711_RATE;
  changes.sampleRate = typeof rate === "number" ? rate : usual;
}

function readTranscription(reader: Reader, changes: Changes, given: unknown, path: string): void {
  if (given === null) {
    reader.problems.push(invalidValue(path, "must not be null: every session transcribes"));
    return;
  }
  reader.object(path, given, {
    model: (value, at) => {
      const model = reader.text(at, value, MOST_NAME_CHARACTERS)?.trim();
      if (model === "") reader.problems.push(invalidValue(at, "must be the name of a model"));
      else if (model !== undefined) changes.model = model;
    },
    language: (value, at) => {
      const language = value === null ? "" : reader.text(at, value, MOST_NAME_CHARACTERS);
      if (language !== undefined) changes.languages = reader.languages(at, [language]);
    },
    languages: (value, at) => {
      changes.languages = reader.languages(at, value === null ? [] : reader.texts(at, value, MOST_KEYWORDS));
    },
    prompt: (value, at) => {
      const prompt = value === null ? "" : reader.text(at, value, MOST_PROMPT_CHARACTERS);
      if (prompt !== undefined) changes.prompt = prompt;
      const warning = promptWarning(at, promptVocabulary(prompt ?? ""));
      if (warning !== undefined) reader.warnings.push(warning);
    },
    keywords: (value, at) => {
      const keywords = value === null ? [] : reader.texts(at, value, MOST_KEYWORDS);
      changes.keywords = [...new Set(keywords.map((one) => one.trim()).filter((one) => one !== ""))];
    },
    delay: (value, at) => {
      if (value !== null) reader.warn(at, "text is sent as soon as it is final");
    },
  });
}

function readNoiseReduction(reader: Reader, changes: Changes, given: unknown, path: string): void {
  if (given === null) changes.noiseReduction = null;
  else {
    reader.object(path, given, {
      type: (value, at) => {
        const type = value === null ? null : reader.choice(at, value, NOISE_REDUCTIONS);
        if (type !== undefined) changes.noiseReduction = type;
      },
    });
  }
}

function readTurnDetection(reader: Reader, changes: Changes, given: unknown, path: string): void {
  const { turnDetection, problems, warnings } = turnDetectionOf(given, path);
  reader.problems.push(...problems);
  reader.warnings.push(...warnings);
  if (turnDetection !== undefined) changes.turnDetection = turnDetection;
}

function readInclude(reader: Reader, changes: Changes, given: unknown, path: string): void {
  const names = given === null ? [] : reader.texts(path, given, MOST_KEYWORDS);
  changes.withLogprobs = names.includes(LOGPROBS);
  for (const name of names)
    if (name !== LOGPROBS) reader.warn(`${path} "${shown(name)}"`, `only ${LOGPROBS} is supported`);
}

/**
 * @param session  of the client's message
 * @param before   the configuration so far
 * @param path     of the session in the message
 */
export function readSession(session: unknown, before: Configuration, path = "session"): Update {
  const reader = new Reader();
  const changes: Changes = {};
  const of =
    (read: (reader: Reader, changes: Changes, value: unknown, path: string) => void) => (value: unknown, at: string) =>
      read(reader, changes, value, at);
  const ofVoice = (_value: unknown, at: string) => reader.warn(at, "this service transcribes and makes no responses");
  reader.object(path, session, {
    type: (value, at) => {
      if (value === "transcription") return;
      if (value === VOICE_TYPE) reader.warn(`${at} "${VOICE_TYPE}"`, NO_VOICE);
      else reader.problems.push(invalidValue(at, NOT_TRANSCRIPTION));
    },
    id: () => undefined,
    object: () => undefined,
    expires_at: () => undefined,
    client_secret: () => undefined,
    model: (value, at) => {
      const model = reader.text(at, value, MOST_NAME_CHARACTERS);
      if (model !== undefined) reader.warn(at, "audio.input.transcription.model names the model");
    },
    modalities: () => undefined,
    include: of(readInclude),
    input_audio_format: of(readFormat),
    input_audio_transcription: of(readTranscription),
    input_audio_noise_reduction: of(readNoiseReduction),
    turn_detection: of(readTurnDetection),
    audio: (audio, audioPath) =>
      reader.object(audioPath, audio, {
        output: ofVoice,
        input: (input, inputPath) =>
          reader.object(inputPath, input, {
            format: of(readFormat),
            transcription: of(readTranscription),
            noise_reduction: of(readNoiseReduction),
            turn_detection: of(readTurnDetection),
          }),
      }),
    ...Object.fromEntries(VOICE_FIELDS.map((name) => [name, ofVoice])),
  });
  return { configuration: { ...before, ...changes }, problems: reader.problems, warnings: reader.warnings };
}

/** A key is made on purpose: its request for voice conversations is refused, where a client that always sends the type gets a warning. */
export function voiceProblems(session: unknown, path: string): string[] {
  return isFields(session) && session["type"] === VOICE_TYPE ? [`${path}.type ${NOT_TRANSCRIPTION}`] : [];
}
