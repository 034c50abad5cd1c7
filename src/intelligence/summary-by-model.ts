// A summary by a language model, without the sentences that state what the transcript does not contain.
import type { Transcription } from "../transcript/transcript.ts";
import { AddonFailed, mainLanguage } from "./addon.ts";
import { TranscriptFacts } from "./facts.ts";
import { summarize } from "./providers/language-model.ts";
import { isLocal, type LanguageModelSettings } from "./providers/providers.ts";
import type { SummaryType } from "./summary-types.ts";

/**
 * @returns undefined where a model of this machine fails, or writes nothing that the transcript supports: rules do it then
 * @throws AddonFailed where a configured server fails
 */
export async function summaryByModel(
  transcription: Transcription,
  type: SummaryType,
  settings: LanguageModelSettings,
): Promise<string | undefined> {
  const transcript = transcription.full_transcript;
  let written: string;
  try {
    written = await summarize(transcript, type, settings);
  } catch (thrown) {
    if (isLocal(settings) && thrown instanceof AddonFailed) return undefined;
    throw thrown;
  }
  const { text } = new TranscriptFacts(transcript, mainLanguage(transcription)).withoutUnsupported(written);
  const isShorter = text.length > 0 && (!isLocal(settings) || text.length < transcript.length);
  return isShorter ? text : undefined;
}
