// What the answers of several interfaces have in common.
import type { Logprob } from "../../contract/openai.ts";
import type {
  AddonResult,
  Transcription,
  TranscriptionResult,
  Utterance,
  Word,
} from "../../contract/transcript/transcript.ts";

export interface Answer {
  contentType: string;
  body: string;
  /** Of the result; JSON and events have them, too. */
  warnings: string[];
}

export type TextTask = "transcribe" | "translate";

/** @returns the transcript, or for `translate` its English translation @throws Error if the translation failed */
export function taskText(task: TextTask, result: TranscriptionResult): Transcription {
  if (task === "transcribe") return result.transcription;
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  // The translation add-on has no result for speech that is in English already.
  if (success) return results[0] ?? result.transcription;
  throw new Error(error?.message ?? "the translation failed");
}

/** Speech that was not translated, and options of the translation without effect. */
export function translationWarnings(result: TranscriptionResult): string[] {
  const { results } = (result["translation"] ?? {}) as Partial<AddonResult<{ warnings?: string[] }[]>>;
  return (results ?? []).flatMap(({ warnings = [] }) => warnings);
}

/**
 * Add-ons whose failure leaves the transcript as it is.
 * @param names  of parameters of an interface, by add-on
 */
export function failedAddons(
  result: TranscriptionResult,
  names: Readonly<Record<string, string>>,
): { name: string; message: string }[] {
  return Object.entries(names).flatMap(([addon, name]) => {
    const answer = result[addon] as AddonResult<unknown> | undefined;
    return answer?.success === false ? [{ name, message: answer.error?.message ?? "no reason is known" }] : [];
  });
}

/** The same as a sentence each. */
export const failureTexts = (result: TranscriptionResult, names: Readonly<Record<string, string>>): string[] =>
  failedAddons(result, names).map(({ name, message }) => `${name} failed: ${message}`);

/** Everything that an answer in plain sentences warns of. @param names  of parameters of an interface, by add-on */
export const answerWarnings = (result: TranscriptionResult, names: Readonly<Record<string, string>>): string[] => [
  ...failureTexts(result, names),
  ...translationWarnings(result),
  ...(result.metadata.warnings ?? []),
];

const LEAST_CONFIDENCE = 1e-4;
const logprob = (confidence: number) => Math.log(Math.max(LEAST_CONFIDENCE, confidence));

/** One entry for each word. */
export const logprobsOf = (words: readonly Word[]): Logprob[] =>
  words.map(({ word, confidence }) => ({
    token: word,
    bytes: [...Buffer.from(word)],
    logprob: logprob(confidence),
  }));

const meanLogprob = ({ words, confidence }: Utterance) =>
  words.length === 0
    ? logprob(confidence)
    : words.reduce((sum, word) => sum + logprob(word.confidence), 0) / words.length;

/** Fields of Whisper's segments that this service does not compute are placeholder values. */
export const whisperSegment = (utterance: Utterance, id: number) => ({
  id,
  seek: Math.floor(utterance.start * 100),
  start: utterance.start,
  end: utterance.end,
  text: utterance.text,
  tokens: [],
  temperature: 0,
  avg_logprob: meanLogprob(utterance),
  compression_ratio: 1,
  no_speech_prob: 0,
});
