// Options of a transcription, for commands that request one.

import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { AddonParameters } from "../contract/job-parameters.ts";
import { languagesOption } from "./languages-option.ts";
import { UsageError } from "./usage-error.ts";

export interface RequestOptions {
  language: string;
  switching?: boolean;
  toEnglish?: boolean;
  speakers?: boolean;
  vocabulary?: string[];
  numerals: boolean;
  fillers?: "keep" | "drop" | "mark";
  maskProfanity?: boolean;
  model?: string;
  track?: string;
  from?: string;
  to?: string;
}

const FILE_SIGN = "@";
const DEFAULT_INTENSITY = 0.5;

/**
 * Adds terms to those of options before.
 * @param text  terms, comma-separated, or @FILE with one term a line
 */
function vocabularyOption(text: string, before: string[] = []): string[] {
  const read = (): string[] => {
    if (!text.startsWith(FILE_SIGN)) return text.split(",");
    const file = text.slice(FILE_SIGN.length);
    try {
      return readFileSync(file, "utf8").split("\n");
    } catch (error) {
      throw new UsageError(`--vocabulary cannot read ${file}: ${(error as Error).message}`);
    }
  };
  const terms = read()
    .map((term) => term.trim())
    .filter((term) => term !== "");
  if (terms.length === 0) throw new UsageError("--vocabulary takes terms, comma-separated, or @FILE with one a line");
  return [...before, ...terms];
}

/** Options about how the text is written. */
export const addTextOptions = (command: Command): Command =>
  command
    .option(
      "--vocabulary <terms>",
      "names and terms to expect, comma-separated, or @FILE with one a line",
      vocabularyOption,
    )
    .option("--no-numerals", "numbers as they are spoken, in words")
    .addOption(
      new Option("--fillers <choice>", "filler words such as um: keep, drop, or mark (is_filler in json)").choices([
        "keep",
        "drop",
        "mark",
      ]),
    )
    .option("--mask-profanity", "mask profane English words, except for the first letter: s***");

export function addRequestOptions(command: Command): Command {
  command
    .option("-l, --language <codes>", "spoken languages: es, or es,en to choose among; default: detected", "")
    .option("--switching", "the language may change during the recording")
    .option("--to-english", "translate to English")
    .option("--speakers", "name the speaker of each passage");
  return addTextOptions(command)
    .option("-m, --model <id>", "id of the model, from parlance models list")
    .option("--from <time>", "transcribe from here: seconds, m:ss or h:mm:ss")
    .option("--to <time>", "transcribe up to here")
    .option("-t, --track <n>", "audio track, from 0; default: the one flagged as default, or the first one with sound");
}

/** @returns number of the audio track; undefined to choose by flags and sound */
function trackOf(track: string | undefined): number | undefined {
  if (track === undefined) return undefined;
  if (!/^\d{1,3}$/.test(track))
    throw new UsageError(`--track takes the number of an audio track, from 0; it is ${track}`);
  return Number(track);
}

/** Seconds, or minutes and hours before them. */
const TIME = /^(?:(?:(\d{1,3}):)?([0-5]?\d):(?=\d\d(?:\.|$)))?(\d{1,7}(?:\.\d{1,3})?)$/;

function secondsOf(name: string, text: string): number {
  const [, hours = "0", minutes = "0", seconds = ""] = TIME.exec(text) ?? [];
  if (seconds === "") throw new UsageError(`--${name} takes a time such as 90, 1:30 or 1:02:30.5; it is ${text}`);
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

function rangeOf({ from, to }: Pick<RequestOptions, "from" | "to">): Pick<AddonParameters, "audio_range"> {
  if (from === undefined && to === undefined) return {};
  const start = from === undefined ? {} : { start: secondsOf("from", from) };
  return { audio_range: { ...start, ...(to === undefined ? {} : { end: secondsOf("to", to) }) } };
}

export type TextOptions = Pick<RequestOptions, "vocabulary" | "numerals" | "fillers" | "maskProfanity">;

/** The options about text as fields of a request. */
export function textFields({ vocabulary, numerals, fillers, maskProfanity }: TextOptions) {
  return {
    ...(vocabulary === undefined
      ? {}
      : {
          custom_vocabulary: true,
          custom_vocabulary_config: { vocabulary, default_intensity: DEFAULT_INTENSITY },
        }),
    ...(numerals ? {} : { numerals: false }),
    ...(fillers === undefined ? {} : { filler_words: fillers }),
    ...(maskProfanity ? { profanity_filter: true } : {}),
  };
}

/** A warning about an option without effect. A service warns of the field. */
export const unusedSwitching = ({ language, switching }: Pick<RequestOptions, "language" | "switching">): string[] =>
  switching === true && languagesOption(language).length === 1
    ? ["--switching has no effect where --language names a single language"]
    : [];

/** @returns the body of a request, without the audio @throws UsageError */
export function requestOf(options: RequestOptions): AddonParameters {
  const { language, switching, toEnglish, model, speakers } = options;
  const track = trackOf(options.track);
  return {
    ...(model ? { model } : {}),
    ...(track === undefined ? {} : { audio_track: track }),
    ...rangeOf(options),
    language_config: { languages: languagesOption(language), code_switching: switching === true },
    diarization: speakers === true,
    ...(toEnglish ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
    ...textFields(options),
  };
}
