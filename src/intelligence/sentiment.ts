// sentiment_analysis: sentiment and emotion of every sentence. Sentiment by VADER (Hutto and Gilbert, 2014), a lexicon
// with rules for negation and degree; emotion by the words that name or show it.
import { createRequire } from "node:module";
import { type Sentence, splitSentences } from "../text/sentences.ts";
import type { Addon } from "./addon.ts";
import { EMOTION_WORDS } from "./emotion-words.ts";
import { modelOrLocal } from "./model-or-local.ts";
import { askAboutLines } from "./providers/lines.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";

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

/** Words of courtesy and filling, and "like" where nobody likes anything: in speech they show no feeling. */
const WITHOUT_FEELING =
  /\b(?:please|okay|ok|pretty|well|yeah|kind of)\b|(?<!\b(?:i|we|you|they|really|also|don't|didn't|do|not) )\blike\b/gi;

const SENTIMENTS = ["positive", "negative", "neutral", "mixed", "unknown"] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

export function sentimentOf(text: string): Sentiment {
  if (!/\p{L}/u.test(text)) return "unknown";
  const { compound, pos, neg } = SentimentIntensityAnalyzer.polarity_scores(text.replace(WITHOUT_FEELING, " "));
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

interface Feeling {
  sentiment: Sentiment;
  emotion: string;
}

function feelingOf(text: string): Feeling {
  const sentiment = sentimentOf(text);
  return { sentiment, emotion: emotionOf(text, sentiment) };
}

const EMOTIONS = [...Object.keys(EMOTION_WORDS), "neutral"];

interface Felt extends Feeling {
  sentence: Sentence;
}

const NOTHING_KNOWN: Feeling = { sentiment: "unknown", emotion: "neutral" };

function byWords(sentence: Sentence): Felt {
  return { sentence, ...(sentence.language === "en" ? feelingOf(sentence.sentence) : NOTHING_KNOWN) };
}

/** Sentences that the model passes over keep what the words say. */
async function feelingsByModel(sentences: Sentence[], settings: LanguageModelSettings): Promise<Felt[]> {
  const felt = sentences.map(byWords);
  const texts = sentences.map(({ sentence }) => sentence);
  const found = await askAboutLines<Feeling & { line: number }>(
    "Judge the sentiment and the emotion of every line of the transcript, as its speaker means it.",
    texts,
    settings,
    { sentiment: { type: "string", enum: SENTIMENTS }, emotion: { type: "string", enum: EMOTIONS } },
    ({ sentiment, emotion }) => SENTIMENTS.includes(sentiment) && EMOTIONS.includes(emotion),
  );
  for (const { line, sentiment, emotion } of found) {
    const sentence = sentences[line];
    if (sentence) felt[line] = { sentence, sentiment, emotion };
  }
  return felt;
}

export const sentimentAddon: Addon = {
  name: "sentiment_analysis",
  answersList: true,
  languages: ["en"],
  isBetteredByModel: true,
  async run(input) {
    const felt = await modelOrLocal(
      this,
      input,
      (settings) => feelingsByModel(splitSentences(input.transcription.utterances), settings),
      (utterances) => splitSentences(utterances).map(byWords),
    );
    return felt.map(({ sentence: { sentence, start, end, channel, speaker }, ...feeling }) => ({
      ...feeling,
      text: sentence,
      start,
      end,
      channel,
      ...(speaker === undefined ? {} : { speaker }),
    }));
  },
};
