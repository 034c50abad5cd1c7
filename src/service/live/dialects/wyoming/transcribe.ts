// The event `transcribe`: how the next audio of the connection is transcribed. Every field is used, named in a warning, or refused by
// its name.
import { MOST_NAME_CHARACTERS, MOST_PHRASE_CHARACTERS, MOST_VOCABULARY_ENTRIES } from "../../../../contract/bounds.ts";
import { firstOf } from "../../../../contract/first-of.ts";
import type { LiveBody } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import { textFault } from "../../../../platform/storable.ts";
import { namedLanguages } from "../../../../speech/text/language-choice.ts";
import { OTHER_INTERFACE_DETECTION, OTHER_INTERFACE_EVENTS } from "../dialect.ts";
import { shown } from "./framing.ts";
import type { SampleFormat } from "./pcm.ts";

export interface TranscribeOptions {
  /** As the client names it; undefined for the default model. */
  model: string | undefined;
  languages: string[];
  names: string[];
  terms: string[];
  warnings: string[];
}

export const DEFAULT_OPTIONS: TranscribeOptions = {
  model: undefined,
  languages: [],
  names: [],
  terms: [],
  warnings: [],
};

/** Names "take priority over terms" (the protocol's own words). */
const NAME_INTENSITY = 0.6;
const TERM_INTENSITY = 0.4;
/** The client ends a command with audio-stop, so a pause within one need not end quickly. */
const ENDPOINTING_SECONDS = 0.8;
/** Longer utterances are more accurate, but the last one is recognised when the audio has ended. */
const LONGEST_UTTERANCE_SECONDS = 20;
const BYTE_BITS = 8;
const MOST_WARNINGS = 20;

const INEFFECTIVE: Readonly<Record<string, string>> = {
  context: "each transcription is independent of earlier ones",
  vad_sensitivity: "the client ends the audio by audio-stop",
};
const FIELDS = ["name", "language", "transcript_names", "transcript_terms", ...Object.keys(INEFFECTIVE)];

/** @returns sentences about fields that an event does not have */
export function unknownFields(
  type: string,
  data: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string[] {
  const names = Object.keys(data).filter((name) => !known.includes(name));
  const { first, rest } = firstOf(names, MOST_WARNINGS);
  const sentences = first.map((name) => `${shown(name)} has no effect: it is not a field of ${type}`);
  return rest > 0 ? [...sentences, `${rest} more fields have no effect: they are not fields of ${type}`] : sentences;
}

/** A text that the database can store. */
const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length <= most && textFault(value) === undefined;

class Fields {
  readonly problems: string[] = [];

  constructor(private readonly data: Readonly<Record<string, unknown>>) {}

  text(name: string): string | undefined {
    const value = this.data[name] ?? undefined;
    if (value === undefined) return undefined;
    if (isText(value, MOST_NAME_CHARACTERS)) return value.trim() || undefined;
    this.problems.push(`${name} must be a text of at most ${MOST_NAME_CHARACTERS} characters; it is ${shown(value)}`);
    return undefined;
  }

  phrases(name: string): string[] {
    const value = this.data[name] ?? [];
    if (!Array.isArray(value) || value.length > MOST_VOCABULARY_ENTRIES) {
      this.problems.push(`${name} must be a list of at most ${MOST_VOCABULARY_ENTRIES} texts`);
      return [];
    }
    const wrong = value.find((one) => !isText(one, MOST_PHRASE_CHARACTERS));
    if (wrong === undefined) return [...new Set(value.map((one: string) => one.trim()).filter((one) => one !== ""))];
    const rule = `must contain texts of at most ${MOST_PHRASE_CHARACTERS} characters, without NUL and halves of surrogate pairs`;
    this.problems.push(`${name} ${rule}; one is ${shown(wrong)}`);
    return [];
  }
}

/** @throws request.invalid naming every bad field, and unknown ones where requests are strict */
export function readTranscribe(data: Readonly<Record<string, unknown>>, isStrict: boolean): TranscribeOptions {
  const fields = new Fields(data);
  const given = fields.text("language");
  const { languages, problems } = namedLanguages(given === undefined ? [] : [given], "language");
  fields.problems.push(...problems);
  const names = fields.phrases("transcript_names");
  const isName = new Set(names);
  const terms = fields.phrases("transcript_terms").filter((term) => !isName.has(term));
  if (names.length + terms.length > MOST_VOCABULARY_ENTRIES) {
    fields.problems.push(
      `transcript_names and transcript_terms must not have more than ${MOST_VOCABULARY_ENTRIES} texts together`,
    );
  }
  const unknownOnes = unknownFields("transcribe", data, FIELDS);
  if (isStrict) fields.problems.push(...unknownOnes);
  const model = fields.text("name");
  if (fields.problems.length > 0) throw errors.invalidParameters(fields.problems);
  const ineffective = Object.entries(INEFFECTIVE)
    .filter(([name]) => (data[name] ?? null) !== null)
    .map(([name, why]) => `${name} has no effect: ${why}`);
  return { model, languages, names, terms, warnings: [...ineffective, ...unknownOnes] };
}

/** @param format  of the session @param model  id of an installed model, or the default one */
export function liveBodyOf(
  { languages, names, terms }: TranscribeOptions,
  { rate, width, channels }: SampleFormat,
  model: string,
): LiveBody & { model: string } {
  const entry = (intensity: number) => (value: string) => ({ value, intensity });
  const vocabulary = [...names.map(entry(NAME_INTENSITY)), ...terms.map(entry(TERM_INTENSITY))];
  return {
    encoding: "wav/pcm",
    bit_depth: width * BYTE_BITS,
    sample_rate: rate,
    channels,
    model,
    endpointing: ENDPOINTING_SECONDS,
    maximum_duration_without_endpointing: LONGEST_UTTERANCE_SECONDS,
    language_config: { languages, code_switching: false },
    pre_processing: OTHER_INTERFACE_DETECTION,
    realtime_processing:
      vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {},
    messages_config: { ...OTHER_INTERFACE_EVENTS, receive_speech_events: false, receive_post_processing_events: true },
  };
}
