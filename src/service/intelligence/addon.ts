// An add-on processes a finished transcript. A failing add-on never damages the transcript.

import type { AddonParameters } from "../../contract/job-parameters.ts";
import type {
  AddonResult,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../contract/transcript/transcript.ts";
import { PARLANCE } from "../../platform/command-prefix.ts";
import { publicText } from "../../platform/public-message.ts";
import type { EmbeddedPiece } from "../../speech/speakers/embedded-pieces.ts";
import type { KnownPerson, SpeakerVoice } from "../../speech/speakers/known-voices.ts";
import type { SpeakerLine } from "../../speech/speakers/recorded-speakers.ts";
import type { SentencePause } from "../transcripts/sentence-pauses.ts";
import { AddonFailed, AddonUnavailable } from "./addon-error.ts";
import type { Providers } from "./providers/providers.ts";
import { withTimeLimit } from "./turns.ts";

export interface AddonInput {
  transcription: Transcription;
  /** Length of the recording, seconds; absent while a live session runs. */
  audioSeconds?: number;
  params: AddonParameters;
  providers: Providers;
  /** Set for finals of live sessions: rules take precedence over a language model, and a model of this machine is never used. */
  isRealtime?: boolean;
  /** Utterances with their profane words, if those of the transcript are masked. */
  unmasked?: readonly Utterance[];
  /** English translations by the recogniser, in time order; absent if it made none. */
  english?: Utterance[];
  /** Pauses inside sentences, at which a sentence ends if another speaker continues. */
  pauses?: readonly SentencePause[];
  /** The voices of a recording, if diarization is requested; null if it failed. */
  voices?: FoundVoices | null;
  /** Called with the voices of the speakers, if the request enables names. */
  onSpeakerVoices?(voices: SpeakerVoice[]): void;
}

/** Voices by one of two methods: the recogniser's encoder, or the networks of a speaker model. */
export type FoundVoices =
  | { method: "encoder"; pieces: EmbeddedPiece[] }
  | {
      method: "networks";
      model: string;
      lines: SpeakerLine[];
      recordingTime(storedSeconds: number): number;
      /** Whether the channels separate the speakers; voices are then used for names only. */
      areChannels?: boolean;
      /** People of the account's library, if the request enables names. */
      people?: readonly KnownPerson[];
    };

/** FoundVoices as sent to another process: times are those of the stored audio. */
export type SentVoices =
  | Extract<FoundVoices, { method: "encoder" }>
  | Omit<Extract<FoundVoices, { method: "networks" }>, "recordingTime">;

export interface Addon {
  /** The switch in the request and, without `place`, the key in the result. */
  name: string;
  /** ISO 639 codes of the languages that its own rules support; undefined for all. */
  languages?: readonly string[];
  /** Whether a configured language model replaces the rules, in every language. */
  isImprovedByModel?: boolean;
  /** Whether it changes the transcript. Such add-ons run before the others, on a copy. */
  changesTranscript?: boolean;
  /** Whether it masks words. Add-ons that judge words then receive the unmasked ones as well. */
  masksWords?: boolean;
  /** Whether its results are a list, which is empty after a failure. */
  hasListResults?: boolean;
  /** Number of parts, by default 1. Each has the whole time limit, and its own results or error. */
  parts?(params: AddonParameters): number;
  /**
   * @param timeoutMilliseconds  for a part, if the add-on has several; undefined for no limit
   * @returns the results, or a `Written` if the answer has the field `method`
   */
  run(input: AddonInput, timeoutMilliseconds?: number): Promise<unknown>;
  /** Joins results that were made later to those of the result; without it, they replace them. */
  joinResults?(before: unknown, made: unknown): unknown;
  /** Writes the answer into the result; the default is a field with its name next to the transcription. */
  place?(result: TranscriptionResult, transcription: Transcription, answer: AddonResult<unknown>): void;
}

/** Results that state how they were made. */
export class Written {
  constructor(
    readonly results: unknown,
    readonly method: NonNullable<AddonResult<unknown>["method"]>,
  ) {}
}

/** The language of most words. */
export function mainLanguage({ utterances }: Pick<Transcription, "utterances">): string | undefined {
  const counts = new Map<string, number>();
  for (const { language, words } of utterances) counts.set(language, (counts.get(language) ?? 0) + words.length);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

/**
 * The utterances in the languages that the rules of an add-on support.
 * @throws AddonUnavailable if there are only others
 */
export function inLanguages(
  utterances: readonly Utterance[],
  { name, languages, isImprovedByModel }: Pick<Addon, "name" | "languages" | "isImprovedByModel">,
): Utterance[] {
  const fit = utterances.filter(({ language }) => languages?.includes(language) ?? true);
  if (fit.length > 0 || utterances.length === 0) return fit;
  const spoken = [...new Set(utterances.map(({ language }) => language))].join(", ");
  const help = isImprovedByModel
    ? `; a language model supports other languages: set PARLANCE_LLM_URL, or add one (${PARLANCE} models list)`
    : "";
  throw new AddonUnavailable(`${name} works in ${languages?.join(", ")} here, and this is ${spoken}${help}`);
}

function failure(thrown: unknown): NonNullable<AddonResult<unknown>["error"]> {
  if (thrown instanceof AddonUnavailable) {
    return { status_code: 501, exception: "NotAvailable", message: publicText(thrown.message) };
  }
  if (thrown instanceof AddonFailed) {
    return { status_code: 502, exception: "AddonFailed", message: publicText(thrown.message) };
  }
  const message = "The add-on failed; the transcript is complete without it";
  return { status_code: 500, exception: "AddonFailed", message };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Also an object of lists, such as the classes of structured data, if all of them are empty. */
const isNothing = (results: unknown) =>
  results === null ||
  results === undefined ||
  results === "" ||
  isEmptyList(results) ||
  (typeof results === "object" && Object.values(results).every(isEmptyList));

/** The answer of an add-on that did not complete. */
export function failed(thrown: unknown, seconds = 0): AddonResult<null> {
  return { success: false, is_empty: true, exec_time: seconds, error: failure(thrown), results: null };
}

/** The input of an add-on. Add-ons that change the transcript, or use a language model, select the utterances themselves. */
function inputFor(addon: Addon, input: AddonInput): AddonInput {
  const usesModel = addon.isImprovedByModel && input.providers.languageModel && !input.isRealtime;
  if (!addon.languages || addon.changesTranscript || usesModel) return input;
  const { transcription } = input;
  return { ...input, transcription: { ...transcription, utterances: inLanguages(transcription.utterances, addon) } };
}

/**
 * Runs an add-on and wraps its result or error.
 * @param timeoutMilliseconds  for computing and waiting for providers' answers; of a recorded job, for each part of the add-on
 */
export async function runAddon(
  addon: Addon,
  input: AddonInput,
  timeoutMilliseconds: number,
): Promise<AddonResult<unknown>> {
  const started = performance.now();
  const seconds = () => Math.round(performance.now() - started) / 1000;
  // The finals of a live session wait for one another: their limit does not grow with the parts.
  const parts = input.isRealtime ? 1 : Math.max(1, addon.parts?.(input.params) ?? 1);
  const limit = timeoutMilliseconds * parts;
  const late = () => new AddonFailed(`${addon.name} did not end within ${limit / 1000} s`);
  try {
    const answer = await withTimeLimit(limit, late, () => addon.run(inputFor(addon, input), timeoutMilliseconds));
    const { results, method } = answer instanceof Written ? answer : { results: answer, method: undefined };
    return {
      success: true,
      is_empty: isNothing(results),
      exec_time: seconds(),
      error: null,
      results: results ?? null,
      ...(method === undefined ? {} : { method }),
    };
  } catch (thrown) {
    return failed(thrown, seconds());
  }
}
