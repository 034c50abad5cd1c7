// What a text is about: words that are said often and mean something, and the sentences that hold most of it.
import * as stopwords from "stopword";
import { wordSegments } from "../../platform/text/word-segments.ts";
import { ENGLISH_SMALL_WORDS } from "./english-small-words.ts";
import { lowerCase } from "./letter-case.ts";
import { isUnspaced } from "./scripts.ts";

/** Small words by ISO 639-1 code; the package names them by ISO 639-3. */
const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  af: stopwords.afr,
  ar: stopwords.ara,
  bg: stopwords.bul,
  bn: stopwords.ben,
  br: stopwords.bre,
  ca: stopwords.cat,
  cs: stopwords.ces,
  da: stopwords.dan,
  de: stopwords.deu,
  el: stopwords.ell,
  es: stopwords.spa,
  et: stopwords.est,
  eu: stopwords.eus,
  fa: stopwords.fas,
  fi: stopwords.fin,
  fr: stopwords.fra,
  gl: stopwords.glg,
  gu: stopwords.guj,
  ha: stopwords.hau,
  he: stopwords.heb,
  hi: stopwords.hin,
  hr: stopwords.hrv,
  hu: stopwords.hun,
  hy: stopwords.hye,
  id: stopwords.ind,
  it: stopwords.ita,
  ja: stopwords.jpn,
  ko: stopwords.kor,
  la: stopwords.lat,
  lt: stopwords.lit,
  lv: stopwords.lav,
  mr: stopwords.mar,
  ms: stopwords.msa,
  my: stopwords.mya,
  nl: stopwords.nld,
  no: stopwords.nob,
  nn: stopwords.nob,
  pa: stopwords.panGu,
  pl: stopwords.pol,
  pt: stopwords.por,
  ro: stopwords.ron,
  ru: stopwords.rus,
  sk: stopwords.slk,
  sl: stopwords.slv,
  so: stopwords.som,
  sv: stopwords.swe,
  sw: stopwords.swa,
  th: stopwords.tha,
  tl: stopwords.tgl,
  tr: stopwords.tur,
  uk: stopwords.ukr,
  ur: stopwords.urd,
  vi: stopwords.vie,
  yo: stopwords.yor,
  zh: stopwords.zho,
};

const smallSets = new Map<string, ReadonlySet<string>>();

function smallWords(language: string): ReadonlySet<string> {
  const known = smallSets.get(language) ?? new Set(language === "en" ? ENGLISH_SMALL_WORDS : SMALL_WORDS[language]);
  smallSets.set(language, known);
  return known;
}

/** "[NAME_GIVEN_1]", as pii_redaction writes it. */
const REDACTION_MARKER = /\[[A-Z]+(?:_[A-Z]+)*_\d+\]/g;

/** Words of a text that mean something, in small letters, by their stem. @param language  ISO 639-1 code */
export function contentWords(marked: string, language = "en"): string[] {
  const text = marked.replace(REDACTION_MARKER, " ");
  const small = smallWords(language);
  if (isUnspaced(language)) {
    const words: string[] = [];
    for (const { segment, isWordLike } of wordSegments(lowerCase(text, language), language))
      if (isWordLike && segment.length > 1 && !small.has(segment)) words.push(segment);
    return words;
  }
  const words =
    lowerCase(text, language)
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? [];
  const meaning = words.filter((word) => word.length > 2 && !small.has(word));
  return language === "en" ? meaning.map(stem) : meaning;
}

/** English plural and the like only: enough to see that two words are the same. */
function stem(word: string): string {
  return word
    .replace(/'s$/, "")
    .replace(/ies$/, "y")
    .replace(/(ss|us)$|s$/, "$1");
}

/** How often a text has each of its content words. */
export function wordCounts(text: string, language = "en"): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of contentWords(text, language)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * The words that stand out, most important first: said often here, and less in the rest.
 * @param whole  counts of a text that this one is part of
 */
export function keywords(text: string, count: number, whole?: ReadonlyMap<string, number>, language = "en"): string[] {
  const here = wordCounts(text, language);
  const score = ([word, times]: [string, number]) => {
    const elsewhere = Math.max(0, (whole?.get(word) ?? times) - times);
    return times * Math.log(2 + times / (1 + elsewhere)) * Math.min(2, word.length / 4);
  };
  return [...here]
    .sort((left, right) => score(right) - score(left))
    .slice(0, count)
    .map(([word]) => word);
}

function similarity(left: Set<string>, right: Set<string>): number {
  if (left.size < 2 || right.size < 2) return 0;
  let common = 0;
  for (const word of left) if (right.has(word)) common++;
  return common / (Math.log(left.size) + Math.log(right.size) + 1);
}

const ROUNDS = 30;
const DAMPING = 0.85;
/** Every pair of sentences is compared: of longer texts, those sentences with most content. */
const MOST_SENTENCES = 600;

/**
 * The sentences that say most of what a text says, by TextRank (Mihalcea and Tarau, 2004).
 * @returns their numbers in the order of the text
 */
export function centralSentences(sentences: string[], count: number, language = "en"): number[] {
  const sets = sentences.map((sentence) => new Set(contentWords(sentence, language)));
  const candidates = sets
    .map((set, index) => ({ index, size: set.size }))
    .filter(({ size }) => size >= 3)
    .sort((left, right) => right.size - left.size)
    .slice(0, MOST_SENTENCES)
    .map(({ index }) => index);
  const weights = candidates.map((left) =>
    candidates.map((right) => (left === right ? 0 : similarity(sets[left] as Set<string>, sets[right] as Set<string>))),
  );
  const sums = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let ranks = candidates.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    ranks = ranks.map((_, at) => {
      let sum = 0;
      for (const [other, rank] of ranks.entries()) {
        const weight = weights[other]?.[at] ?? 0;
        if (weight > 0) sum += (weight / (sums[other] || 1)) * rank;
      }
      return 1 - DAMPING + DAMPING * sum;
    });
  }
  const best = candidates
    .map((index, at) => ({ index, rank: ranks[at] as number }))
    .sort((left, right) => right.rank - left.rank)
    .slice(0, count);
  const chosen = best.length > 0 ? best.map(({ index }) => index) : sentences.map((_, index) => index).slice(0, count);
  return chosen.sort((left, right) => left - right);
}
