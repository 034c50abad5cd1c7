// summarization: by a language model where one is configured, else the sentences that say most.
import { centralSentences } from "../text/keywords.ts";
import { splitSentences } from "../text/sentences.ts";
import { type Addon, mainLanguage } from "./addon.ts";
import { summaryByModel } from "./summary-by-model.ts";
import type { SummaryType } from "./summary-types.ts";

const LEAST_SENTENCES = 3;
const MOST_SENTENCES = 12;
const SHARE = 0.12;

/** The most central sentences of a transcript as a summary. */
export function extractiveSummary(sentences: string[], type: SummaryType, language = "en"): string {
  const general = Math.min(MOST_SENTENCES, Math.max(LEAST_SENTENCES, Math.round(sentences.length * SHARE)));
  const count = type === "concise" ? Math.min(2, general) : general;
  const chosen = centralSentences(sentences, count, language).map((index) => sentences[index] as string);
  return type === "bullet_points" ? chosen.map((sentence) => `- ${sentence}`).join("\n") : chosen.join(" ");
}

export const summaryAddon: Addon = {
  name: "summarization",
  async run({ transcription, params, providers }) {
    const type = ((params["summarization_config"] as { type?: SummaryType } | undefined)?.type ??
      "general") as SummaryType;
    if (transcription.full_transcript === "") return "";
    if (providers.languageModel) {
      const written = await summaryByModel(transcription, type, providers.languageModel);
      if (written !== undefined) return written;
    }
    return extractiveSummary(
      splitSentences(transcription.utterances).map(({ sentence }) => sentence),
      type,
      mainLanguage(transcription),
    );
  },
};
