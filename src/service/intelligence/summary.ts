// summarization: written by a language model if one is configured; otherwise the central sentence of each part of the transcript.
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { centralSentences } from "../../speech/text/keywords.ts";
import { splitSentences } from "../../speech/text/sentences.ts";
import { type Addon, mainLanguage, Written } from "./addon.ts";
import { summaryByModel } from "./summary-by-model.ts";
import type { SummaryType } from "./summary-types.ts";

const LEAST_SENTENCES = 3;
const MOST_SENTENCES = 12;
const CONCISE_SENTENCES = 2;
const SHARE = 0.12;
/** A summary has at most this share of the sentences and of the characters, unless it is a single sentence. */
const MOST_SHARE = 0.5;

/** Consecutive parts of about equal length in characters; none is empty. */
function parts(sentences: readonly string[], count: number): number[][] {
  const total = sentences.reduce((sum, { length }) => sum + length, 0);
  const found: number[][] = [];
  let before = 0;
  for (const [index, { length }] of sentences.entries()) {
    const isDue = found.length === 0 || before >= (total * found.length) / count;
    const left = sentences.length - index;
    if (isDue && found.length < count) found.push([index]);
    else if (left <= count - found.length) found.push([index]);
    else found.at(-1)?.push(index);
    before += length;
  }
  return found;
}

/** The most central sentence of each part. */
function chosenOf(sentences: readonly string[], count: number, language: string): string[] {
  return parts(sentences, count).map((indexes) => {
    const texts = indexes.map((index) => sentences[index] as string);
    return texts[centralSentences(texts, 1, language)[0] ?? 0] as string;
  });
}

const lengthOf = (sentences: readonly string[]) => sentences.reduce((sum, { length }) => sum + length, 0);

/**
 * Sentences of a transcript as a summary: one of each part, so that it covers all of it. It is shorter than the transcript, unless
 * that is one sentence.
 */
export function extractiveSummary(sentences: string[], type: SummaryType, language = "en"): string {
  const general = Math.min(MOST_SENTENCES, Math.max(LEAST_SENTENCES, Math.round(sentences.length * SHARE)));
  const wanted = type === "concise" ? CONCISE_SENTENCES : general;
  let count = Math.max(1, Math.min(wanted, Math.floor(sentences.length * MOST_SHARE)));
  let chosen = chosenOf(sentences, count, language);
  while (count > 1 && lengthOf(chosen) > lengthOf(sentences) * MOST_SHARE) {
    count--;
    chosen = chosenOf(sentences, count, language);
  }
  if (type === "bullet_points") return chosen.map((sentence) => `- ${sentence}`).join("\n");
  return joinedTexts(chosen.map((text) => ({ text, language })));
}

export const summaryAddon: Addon = {
  name: "summarization",
  async run({ transcription, params, providers }) {
    const type = params.summarization_config?.type ?? "general";
    if (transcription.full_transcript === "") return new Written("", "extractive");
    if (providers.languageModel) {
      const written = await summaryByModel(transcription, type, providers.languageModel);
      if (written !== undefined) return new Written(written, "abstractive");
    }
    const sentences = splitSentences(transcription.utterances).map(({ sentence }) => sentence);
    return new Written(extractiveSummary(sentences, type, mainLanguage(transcription)), "extractive");
  },
};
