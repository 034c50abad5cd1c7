// chapterization: a new chapter where the vocabulary changes (TextTiling; Hearst, 1997) or after a long silence.

import type { Chapter } from "../../contract/addon-results.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { centralSentences, contentWords, keywords, wordCounts } from "../../speech/text/keywords.ts";
import { upperCase } from "../../speech/text/letter-case.ts";
import { columnsOf, isUnspaced } from "../../speech/text/scripts.ts";
import type { Sentence } from "../../speech/text/sentences.ts";
import { isSentenceEnd, splitSentences } from "../../speech/text/sentences.ts";
import { type Addon, mainLanguage, Written } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";
import { chaptersInWords, type WrittenChapter, withTexts } from "./chapters-in-words.ts";
import { modelOrLocal } from "./model-or-local.ts";
import { askAboutLines } from "./providers/lines.ts";
import { isLocal, type LanguageModelSettings } from "./providers/providers.ts";

/** Sentences compared on either side of a possible boundary. */
const WINDOW = 8;
const LEAST_SENTENCES = 6;
const LEAST_SECONDS = 45;
/** A boundary is a valley of similarity that is deeper than the mean by this many standard deviations. */
const DEPTH_DEVIATIONS = 0.6;
const LONG_PAUSE_SECONDS = 4;
const PAUSE_BONUS = 0.2;
const KEYWORDS = 6;
const HEADLINE_WORDS = 9;
const MOST_HEADLINE_COLUMNS = 70;

function cosine(left: string[], right: string[]): number {
  const count = (words: string[]) => {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  };
  const [first, second] = [count(left), count(right)];
  let dot = 0;
  for (const [word, times] of first) dot += times * (second.get(word) ?? 0);
  const norm = (counts: Map<string, number>) =>
    Math.sqrt([...counts.values()].reduce((sum, times) => sum + times * times, 0));
  return dot / (norm(first) * norm(second) || 1);
}

/** Indexes of the sentences that begin a chapter; the first is 0. */
function chapterStarts(sentences: Sentence[]): number[] {
  const words = sentences.map(({ sentence, language }) => contentWords(sentence, language));
  const depths = sentences.map((sentence, at) => {
    if (at === 0) return 0;
    const likeness = cosine(words.slice(Math.max(0, at - WINDOW), at).flat(), words.slice(at, at + WINDOW).flat());
    const pause = sentence.start - (sentences[at - 1]?.end ?? 0);
    return 1 - likeness + (pause > LONG_PAUSE_SECONDS ? PAUSE_BONUS : 0);
  });
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / (depths.length || 1);
  const deviation = Math.sqrt(depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / (depths.length || 1));
  const starts = [0];
  const isFar = (at: number, from: number) =>
    at - from >= LEAST_SENTENCES && (sentences[at]?.start ?? 0) - (sentences[from]?.start ?? 0) >= LEAST_SECONDS;
  const deepest = depths.map((depth, at) => ({ depth, at })).sort((left, right) => right.depth - left.depth);
  for (const { depth, at } of deepest) {
    if (depth < mean + DEPTH_DEVIATIONS * deviation) break;
    const isApart = starts.every((start) => isFar(Math.max(at, start), Math.min(at, start)));
    const leavesEnough = sentences.length - at >= LEAST_SENTENCES;
    if (isApart && leavesEnough) starts.push(at);
  }
  return starts.sort((left, right) => left - right);
}

/** Words that join a sentence to the one before it: not the start of a headline. */
const JOINING = /^(?:and|but|so|or|because|then|well|yeah|yes|no|okay|ok|now|it|this|that|he|she|they|which)\b/i;
const LEAST_HEADLINE_WORDS = 3;

/** A short sentence with keywords of the chapter; without one, the keywords themselves. */
function headlineOf(texts: readonly string[], words: readonly string[], language: string | undefined): string {
  const rated = texts
    .filter(
      (text) =>
        isSentenceEnd(text.split(" ").at(-1) ?? "", undefined, language) && !JOINING.test(text) && !text.includes("["),
    )
    .map((text) => ({ text, hits: contentWords(text, language).filter((word) => words.includes(word)).length }))
    .filter(({ text, hits }) => {
      const count = isUnspaced(language ?? "") ? HEADLINE_WORDS : text.split(/\s+/).length;
      const isShort = columnsOf(text) <= MOST_HEADLINE_COLUMNS;
      return hits >= 2 && count >= LEAST_HEADLINE_WORDS && count <= HEADLINE_WORDS && isShort;
    })
    .sort((left, right) => right.hits - left.hits);
  const [best] = rated;
  if (best) return best.text.replace(/[.。]["'”’»]*$/u, "");
  const named = words.slice(0, 3).join(", ");
  return named === "" && texts[0] !== undefined && texts[0].split(/\s+/).length <= HEADLINE_WORDS
    ? texts[0]
    : capitalised(named, language);
}

const capitalised = (word: string, language: string | undefined) => upperCase(word.charAt(0), language) + word.slice(1);

/** @param countsOf  counts of all words of the recording, in a language */
function chapterOf(sentences: Sentence[], countsOf?: (language?: string) => ReadonlyMap<string, number>): Chapter {
  const texts = sentences.map(({ sentence }) => sentence);
  const { language } = sentences[0] ?? {};
  const joined = (some: readonly string[]) => joinedTexts(some.map((one) => ({ text: one, language })));
  const text = joined(texts);
  const words = keywords(text, KEYWORDS, countsOf?.(language), language);
  const central = centralSentences(texts, Math.min(4, Math.max(1, Math.round(texts.length * 0.2))), language);
  const summary = joined(central.map((index) => texts[index] ?? ""));
  return {
    headline: headlineOf(texts, words, language),
    gist: words
      .slice(0, 3)
      .map((word) => capitalised(word, language))
      .join(", "),
    summary,
    extractive_summary: summary,
    keywords: words,
    start: sentences[0]?.start ?? 0,
    end: sentences.at(-1)?.end ?? 0,
    sentences: sentences.map(({ sentence, start, end, words: spoken }) => ({ sentence, start, end, words: spoken })),
    text,
  };
}

/** Each chapter ends where the next one starts; together they cover the recording. */
function withoutGaps(chapters: Chapter[], audioSeconds: number | undefined): Chapter[] {
  return chapters.map((chapter, index) => ({
    ...chapter,
    start: index === 0 ? 0 : chapter.start,
    end: chapters[index + 1]?.start ?? Math.max(chapter.end, audioSeconds ?? 0),
  }));
}

/** @param audioSeconds  length of the recording @returns an empty list if there are too few sentences */
export function chaptersOf(sentences: Sentence[], audioSeconds?: number): Chapter[] {
  if (sentences.length < LEAST_SENTENCES) return [];
  const starts = chapterStarts(sentences);
  const whole = sentences.map(({ sentence }) => sentence).join(" ");
  const counts = new Map<string | undefined, ReadonlyMap<string, number>>();
  // Counted once for each language: a long recording has hundreds of chapters.
  const countsOf = (language?: string) => {
    const known = counts.get(language) ?? wordCounts(whole, language);
    counts.set(language, known);
    return known;
  };
  const chapters = starts.map((start, index) => chapterOf(sentences.slice(start, starts[index + 1]), countsOf));
  return withoutGaps(chapters, audioSeconds);
}

interface WrittenByModel extends WrittenChapter {
  line: number;
}

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";

/** @throws AddonFailed if the model returns no chapter */
async function chaptersByModel(
  sentences: Sentence[],
  settings: LanguageModelSettings,
  audioSeconds: number | undefined,
  language: string | undefined,
): Promise<Chapter[]> {
  if (sentences.length === 0) return [];
  const text = { type: "string" };
  const found = await askAboutLines<WrittenByModel>(
    "Divide the transcript into chapters, a new one where the subject changes. For each: the line that it begins with, a headline of at most nine words, a gist of a few words, a summary of a few sentences, and up to six keywords, in the transcript's own language.",
    sentences.map(({ sentence }) => sentence),
    settings,
    { headline: text, gist: text, summary: text, keywords: { type: "array", items: text } },
    ({ headline, gist, summary, keywords: words }) =>
      [headline, gist, summary].every(isText) && Array.isArray(words) && words.every(isText),
  );
  const written = [...new Map(found.map((one) => [one.line, one])).values()].sort(
    (left, right) => left.line - right.line,
  );
  if (written.length === 0) throw new AddonFailed("The language model named no chapter");
  const chapters = written.map((texts, index) => {
    const start = index === 0 ? 0 : texts.line;
    return withTexts(chapterOf(sentences.slice(start, written[index + 1]?.line)), texts, language);
  });
  return withoutGaps(chapters, audioSeconds);
}

export const chaptersAddon: Addon = {
  name: "chapterization",
  async run(input) {
    const sentences = splitSentences(input.transcription.utterances);
    const { audioSeconds } = input;
    const language = mainLanguage(input.transcription);
    const chapters = await modelOrLocal(
      this,
      input,
      (settings) =>
        isLocal(settings)
          ? chaptersInWords(chaptersOf(sentences, audioSeconds), settings, language)
          : chaptersByModel(sentences, settings, audioSeconds, language),
      () => chaptersOf(sentences, audioSeconds),
    );
    const isWritten = chapters.some(({ abstractive_summary }) => abstractive_summary !== undefined);
    return new Written(chapters, isWritten ? "abstractive" : "extractive");
  },
};
