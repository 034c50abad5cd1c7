// sentiment_analysis: sentiment and emotion of every sentence. Sentiment by VADER (Hutto and Gilbert, 2014), a lexicon
// with rules for negation and degree; emotion by the words that name or show it.
import { createRequire } from "node:module";
import type { SentenceSentiment } from "../../contract/addon-results.ts";
import { type Sentence, splitSentences } from "../../speech/text/sentences.ts";
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
/** A sentence is mixed if positive and negative scores both reach this. */
const MIXED_SHARE = 0.15;

/** Courtesies and fillers, including "like" as a filler: in speech they carry no sentiment. */
const WITHOUT_FEELING =
  /\b(?:please|okay|ok|pretty|well|yeah|kind of)\b|(?<!\b(?:i|we|you|they|really|also|don't|didn't|do|not) )\blike\b/gi;

const SENTIMENTS = ["positive", "negative", "neutral", "mixed", "unknown"] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** Negated phrases with the opposite meaning, which VADER does not detect: "no complaints", "not well at all". */
const REVERSED: readonly [pattern: RegExp, meant: string][] = [
  [
    /\b(?:no|not any|without(?: any)?|not a single|zero|never (?:had )?(?:a|any)|don't have any|haven't any|have no|had no) (?:real |major |big |further |more |other )?(?:complaints?|problems?|issues?|trouble|regrets?|worries|difficult(?:y|ies)|objections?|faults?|flaws?|pain|errors?|mistakes?|concerns?|hassle|fuss|drama|bugs?)\b/gi,
    "good",
  ],
  [
    /\b(?:can't|cannot|can not|couldn't) complain\b|\bnothing (?:bad|wrong) (?:at all|with|to say)\b|\bnot (?:bad|terrible|wrong) at all\b/gi,
    "good",
  ],
  [/\bcould(?:n't| not) (?:be|have been) (?:better|happier|more pleased)\b/gi, "excellent"],
  [
    /\b(?:not|n't|never|hardly|barely) (?:(?:been |be |feel |feeling |doing |going |work |working |very |so |too |really |all that |at all |particularly ){0,3})well\b/gi,
    "bad",
  ],
  [/\bnothing (?:good|nice|positive)\b|\bno (?:good|use|help|fun|joy|hope)\b(?! reason)/gi, "bad"],
];

const asMeant = (text: string) =>
  REVERSED.reduce(
    (meant, [pattern, word]) => meant.replace(pattern, word),
    text
      .replaceAll("’", "'")
      .replace(/n't\b/gi, " not")
      .replace(/\b(ca|wo) not\b/gi, "can not"),
  );

export function sentimentOf(text: string): Sentiment {
  if (!/\p{L}/u.test(text)) return "unknown";
  const { compound, pos, neg } = SentimentIntensityAnalyzer.polarity_scores(
    asMeant(text).replace(NO_EMOTION, " ").replace(WITHOUT_FEELING, " "),
  );
  if (pos >= MIXED_SHARE && neg >= MIXED_SHARE && Math.abs(compound) < 0.6) return "mixed";
  if (Math.abs(compound) < NEUTRAL_BELOW) return "neutral";
  return compound > 0 ? "positive" : "negative";
}

const NEGATIONS = new Set([
  "not",
  "no",
  "never",
  "don't",
  "doesn't",
  "didn't",
  "isn't",
  "wasn't",
  "aren't",
  "won't",
  "nothing",
  "without",
  "hardly",
]);
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

/** Emotion words in other meanings: relief in art, "content" on a page, "long" as a measure, "care" as a service. */
const NO_EMOTION =
  /\b(?:(?:in|bas|low|high|of|tax|debt|disaster|famine|flood|stone|carved|engraved|sculpted)[ -](?:high |low |bas )?relief|relief (?:map|print|printing|carving|pitcher|fund|effort|workers?|process)|(?:table of|web|the|video|fat|salt|water|alcohol|sugar|online|digital|mineral) contents?|content of|health ?care|care (?:home|of|about)|long (?:time|term|ago|way|line|list)|(?:as|so|how|very|feet|foot|metres|meters|miles|inches|years|hours|minutes) long|fine (?:art|arts|print|line|tuning|grained|sand|powder)|good (?:morning|afternoon|evening|night|friday)|state of the art|lost in translation|miss [A-Z]\p{L}+|mad(?:am|e)|safe and sound|gross (?:domestic|income|weight|profit|margin)|sick leave|comic (?:book|books|strip)|noticed? board)\b/giu;

/** The emotion that most words of a sentence show; negated words do not count. */
export function emotionOf(text: string, sentiment: Sentiment): string {
  const words =
    text
      .replace(NO_EMOTION, " ")
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? [];
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

interface Judgement {
  sentiment: Sentiment;
  emotion: string;
}

function judgementOf(text: string): Judgement {
  const sentiment = sentimentOf(text);
  return { sentiment, emotion: emotionOf(text, sentiment) };
}

const EMOTIONS = [...Object.keys(EMOTION_WORDS), "neutral"];

interface JudgedSentence extends Judgement {
  sentence: Sentence;
}

const UNKNOWN: Judgement = { sentiment: "unknown", emotion: "neutral" };

function byWords(sentence: Sentence): JudgedSentence {
  return { sentence, ...(sentence.language === "en" ? judgementOf(sentence.sentence) : UNKNOWN) };
}

/** Sentences that the model leaves out keep the result of the rules. */
async function judgedByModel(sentences: Sentence[], settings: LanguageModelSettings): Promise<JudgedSentence[]> {
  const judged = sentences.map(byWords);
  const texts = sentences.map(({ sentence }) => sentence);
  const found = await askAboutLines<Judgement & { line: number }>(
    "Judge the sentiment and the emotion of every line of the transcript, as its speaker means it.",
    texts,
    settings,
    { sentiment: { type: "string", enum: SENTIMENTS }, emotion: { type: "string", enum: EMOTIONS } },
    ({ sentiment, emotion }) => SENTIMENTS.includes(sentiment) && EMOTIONS.includes(emotion),
  );
  for (const { line, sentiment, emotion } of found) {
    const sentence = sentences[line];
    if (sentence) judged[line] = { sentence, sentiment, emotion };
  }
  return judged;
}

export const sentimentAddon: Addon = {
  name: "sentiment_analysis",
  hasListResults: true,
  languages: ["en"],
  isImprovedByModel: true,
  async run(input) {
    const judged = await modelOrLocal(
      this,
      input,
      (settings) => judgedByModel(splitSentences(input.transcription.utterances), settings),
      (utterances) => splitSentences(utterances).map(byWords),
    );
    return judged.map(
      ({ sentence: { sentence, start, end, channel, speaker }, ...judgement }): SentenceSentiment => ({
        ...judgement,
        text: sentence,
        start,
        end,
        channel,
        ...(speaker === undefined ? {} : { speaker }),
      }),
    );
  },
};
