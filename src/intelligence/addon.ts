// An add-on works over a finished transcript. Whatever it does, the transcript itself stays unharmed.

import { publicText } from "../public-message.ts";
import type { EmbeddedPiece } from "../speakers/embedded-pieces.ts";
import type { AddonResult, Transcription, Utterance } from "../transcript/transcript.ts";
import { withTimeLimit } from "./process/turns.ts";
import type { Providers } from "./providers/providers.ts";

export interface AddonInput {
  transcription: Transcription;
  /** Length of the recording, seconds; absent while a live session runs. */
  audioSeconds?: number;
  /** The request's body after defaults. */
  params: Record<string, unknown>;
  providers: Providers;
  /** Somebody listens and waits: only what this machine does by itself. */
  isWantedAtOnce?: boolean;
  /** What is said in other languages, in English, where the recogniser told it: in time order. */
  english?: Utterance[];
  /** The voices of a recording, where they were looked for; null where that failed. */
  voices?: EmbeddedPiece[] | null;
}

export interface Addon {
  /** The switch in the request and, unless it says otherwise, the key in the result. */
  name: string;
  /** ISO 639 codes of the languages that its own rules are made for; any where there are none. */
  languages?: readonly string[];
  /** A configured language model does it in every language. */
  isBetteredByModel?: boolean;
  /** It changes the transcript itself, before the others look at it; it works on a copy. */
  changesTranscript?: boolean;
  /** Its results are a list, and an empty one when it fails. */
  answersList?: boolean;
  run(input: AddonInput): Promise<unknown>;
  /** How its results are made, where the result says so. */
  methodOf?(input: AddonInput): NonNullable<AddonResult<unknown>["method"]>;
  /** Puts the answer where the interface has it; by default under its name beside the transcription. */
  place?(result: Record<string, unknown>, transcription: Transcription, answer: AddonResult<unknown>): void;
}

/** What an add-on throws when it cannot be had here; the message says which setting makes it possible. */
export class AddonUnavailable extends Error {}

/** What an add-on throws when it failed in a way that its user should know of. */
export class AddonFailed extends Error {}

/** The language that most words are in. */
export function mainLanguage({ utterances }: Pick<Transcription, "utterances">): string | undefined {
  const counts = new Map<string, number>();
  for (const { language, words } of utterances) counts.set(language, (counts.get(language) ?? 0) + words.length);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

/**
 * The utterances that rules for some languages are fit for.
 * @throws AddonUnavailable where there are others only
 */
export function inLanguages(
  utterances: readonly Utterance[],
  { name, languages, isBetteredByModel }: Pick<Addon, "name" | "languages" | "isBetteredByModel">,
): Utterance[] {
  const fit = utterances.filter(({ language }) => languages?.includes(language) ?? true);
  if (fit.length > 0 || utterances.length === 0) return fit;
  const spoken = [...new Set(utterances.map(({ language }) => language))].join(", ");
  const help = isBetteredByModel
    ? "; a language model does it in others: set PARLANCE_LLM_URL, or add one (npx --no-install parlance models list)"
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

const isNothing = (results: unknown) =>
  results === null || results === undefined || results === "" || (Array.isArray(results) && results.length === 0);

/** The answer of an add-on that was not run to its end. */
export function failed(thrown: unknown, seconds = 0): AddonResult<null> {
  return { success: false, is_empty: true, exec_time: seconds, error: failure(thrown), results: null };
}

/** What an add-on is to work on: those that change the transcript, or ask a language model, choose for themselves. */
function fitting(addon: Addon, input: AddonInput): AddonInput {
  const asksModel = addon.isBetteredByModel && input.providers.languageModel && !input.isWantedAtOnce;
  if (!addon.languages || addon.changesTranscript || asksModel) return input;
  const { transcription } = input;
  return { ...input, transcription: { ...transcription, utterances: inLanguages(transcription.utterances, addon) } };
}

/**
 * Runs an add-on and wraps whatever comes of it.
 * @param timeoutMilliseconds  for computing and waiting for providers' answers
 */
export async function runAddon(
  addon: Addon,
  input: AddonInput,
  timeoutMilliseconds: number,
): Promise<AddonResult<unknown>> {
  const started = performance.now();
  const seconds = () => Math.round(performance.now() - started) / 1000;
  const late = () => new AddonFailed(`${addon.name} did not end within ${timeoutMilliseconds / 1000} s`);
  try {
    const results = await withTimeLimit(timeoutMilliseconds, late, () => addon.run(fitting(addon, input)));
    return {
      success: true,
      is_empty: isNothing(results),
      exec_time: seconds(),
      error: null,
      results: results ?? null,
      ...(addon.methodOf ? { method: addon.methodOf(input) } : {}),
    };
  } catch (thrown) {
    return failed(thrown, seconds());
  }
}
