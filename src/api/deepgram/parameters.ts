// A request of Deepgram's interface as the parameters of a job.
import type { ListenOptions } from "./query.ts";

/** @param model  as listenModel returns it */
export function listenParameters(options: ListenOptions, model: string) {
  const { languages, codeSwitching, vocabulary, replacements, redacted } = options;
  return {
    model,
    language_config: { languages, code_switching: codeSwitching },
    ...(options.numerals ? {} : { numerals: false }),
    ...options.style,
    ...(options.diarizes ? { diarization: true } : {}),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(Object.keys(replacements).length > 0
      ? { custom_spelling: true, custom_spelling_config: { spelling_dictionary: replacements } }
      : {}),
    ...(redacted.length > 0 ? { pii_redaction: true, pii_redaction_config: { entity_types: redacted } } : {}),
    ...(options.summarizes ? { summarization: true } : {}),
  };
}
