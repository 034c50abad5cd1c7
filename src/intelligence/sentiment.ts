// sentiment_analysis: sentiment and emotion of every sentence. Sentiment by VADER (Hutto and Gilbert, 2014), a lexicon
// with rules for negation and degree; emotion by the words that name or show it.
import { createRequire } from "node:module";
import { splitSentences } from "../text/sentences.ts";
import type { Addon } from "./addon.ts";
import { EMOTION_WORDS } from "./emotion-words.ts";

interface Scores {
  compound: number;
  pos: number;
  neg: number;
}
const { SentimentIntensityAnalyzer } = createRequire(import.meta.url)("vader-sentiment") as {
  SentimentIntensityAnalyzer: { polarity_scores(text: string): Scores };
};

/** VADER's own bounds for what is neutral are narrower; spoken fillers ("well", "like", "okay") need these. */
const NEUTRAL_BELOW = 0.25;
/** Both sides this strong in one sentence. */
const MIXED_SHARE = 0.15;

export type Sentiment = "positive" | "negative" | "neutral" | "mixed" | "unknown";

export function sentimentOf(text: string): Sentiment {
  if (!/\p{L}/u.test(text)) return "unknown";
  const { compound, pos, neg } = SentimentIntensityAnalyzer.polarity_scores(text);
  if (pos >= MIXED_SHARE && neg >= MIXED_SHARE && Math.abs(compound) < 0.6) return "mixed";
  if (Math.abs(compound) < NEUTRAL_BELOW) return "neutral";
  return compound > 0 ? "positive" : "negative";
}

const NEGATIONS = new Set(["not", "no", "never", "don't", "doesn't", "didn't", "isn't", "wasn't", "aren't", "won't"]);
const NEGATION_REACH = 3;

/** Word stem → emotion. */
const EMOTION_OF = new Map(
  Object.entries(EMOTION_WORDS).flatMap(([emotion, words]) => words.map((word) => [word, emotion] as const)),
);

function emotionOfWord(word: string): string | undefined {
  for (const stem of [word, word.replace(/(ed|ing|ly|s|es|d)$/, ""), word.replace(/(ed|ing)$/, "e")]) {
    const emotion = EMOTION_OF.get(stem);
    if (emotion) return emotion;
  }
  return undefined;
}

/** The emotion that most words of a sentence show; what is negated does not count. */
export function emotionOf(text: string, sentiment: Sentiment): string {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const counts = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    const emotion = emotionOfWord(word);
    if (!emotion) continue;
    if (words.slice(Math.max(0, index - NEGATION_REACH), index).some((before) => NEGATIONS.has(before))) continue;
    counts.set(emotion, (counts.get(emotion) ?? 0) + 1);
  }
  const most = [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
  if (most) return most;
  if (sentiment === "positive") return "contentment";
  return sentiment === "negative" ? "disappointment" : "neutral";
}

export const sentimentAddon: Addon = {
  name: "sentiment_analysis",
  answersList: true,
  run: async ({ transcription }) =>
    splitSentences(transcription.utterances).map(({ sentence, start, end, channel, speaker }) => {
      const sentiment = sentimentOf(sentence);
      return {
        sentiment,
        emotion: emotionOf(sentence, sentiment),
        text: sentence,
        start,
        end,
        channel,
        ...(speaker === undefined ? {} : { speaker }),
      };
    }),
};
