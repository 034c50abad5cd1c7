// The translation of one final: what is requested, and the events of its result.
import type { AddonParameters } from "../../../contract/job-parameters.ts";
import type { AddonError, Utterance } from "../../../contract/transcript/transcript.ts";
import type { EventOf } from "../events/live-event.ts";

export interface Translated {
  error: AddonError | null;
  languages: string[];
  utterances: Utterance[];
}

/**
 * A message has one utterance, so that a final is translated as a whole. In the result, its sentences may be apart.
 * @param isWanted  of the target languages
 */
export function asOneUtterance(options: AddonParameters, isWanted = (_language: string) => true): AddonParameters {
  const { translation_config } = options;
  if (!translation_config) return options;
  const target_languages = translation_config.target_languages.filter(isWanted);
  return {
    ...options,
    translation_config: { ...translation_config, target_languages, match_original_utterances: true },
  };
}

/** One event per target language. */
export function translationsOf(
  utteranceId: string,
  utterance: Utterance,
  results: readonly Translated[],
): EventOf<"translation">[] {
  return results.flatMap(({ languages, utterances: [translated] }) =>
    translated ? [{ kind: "translation", utteranceId, utterance, targetLanguage: languages[0] ?? "", translated }] : [],
  );
}
