// Translates utterances: joins them into whole sentences, translates these, and divides the translations among the original utterances.
// Translated words have the times of the source words aligned with them.

import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { isUnspaced } from "../text/scripts.ts";
import { alignedWords, markedUp, spaceBefore, type TargetWord } from "./markup.ts";
import { keepProtectedWords } from "./protected-words.ts";
import { spreadWords } from "./spread-words.ts";
import { type WholeSentence, wholeSentences } from "./whole-sentences.ts";
import { alignedTimes, monotonicPlaces, type Place } from "./word-times.ts";

export interface UtteranceTranslation {
  target: string;
  /** Languages that can be translated; utterances in others stay as they are. */
  sources: ReadonlySet<string>;
  /** The caller's terms and spellings, which are kept unchanged. */
  terms: readonly string[];
  /** One translated utterance for each original one; otherwise one for each sentence. */
  matchesOriginals: boolean;
  /** Whether words have the times of the source words aligned with them; otherwise they are spread evenly over their utterance. */
  followsWords: boolean;
  /** @param texts  HTML of sentences in one language @returns their translations, HTML with the same elements */
  translate(texts: readonly string[], source: string): Promise<readonly string[]>;
}

/** A word of the translation and the utterance that it belongs to. */
interface PlacedWord extends Word {
  utterance: number;
  /** See TargetWord. */
  isSpaced: boolean | undefined;
}

/** The utterance of each translated word. An utterance without words gets one from a neighbour that has more than one. */
function placed(targetPlaces: readonly Place[], { words }: WholeSentence): number[] {
  const utterances = [...new Set(words.map(({ utterance }) => utterance))];
  const places = targetPlaces.map(({ position }) => utterances.indexOf(words[Math.round(position)]?.utterance ?? 0));
  for (let place = 0; place < utterances.length; place++) {
    if (places.includes(place)) continue;
    const next = places.findIndex((one) => one > place);
    const before = next < 0 ? places.length - 1 : next - 1;
    const countOf = (one: number | undefined) => places.filter((other) => other === one).length;
    if (next >= 0 && countOf(places[next]) > 1) places[next] = place;
    else if (before >= 0 && countOf(places[before]) > 1) places[before] = place;
  }
  return places.map((place) => utterances[Math.max(0, place)] as number);
}

function placedWords(target: TargetWord[], sentence: WholeSentence): PlacedWord[] {
  const source = sentence.words.map(({ word }) => word);
  const among = monotonicPlaces(target, source.length);
  const places = placed(among, sentence);
  const times = alignedTimes(target, among, source);
  return target.map(({ text, isSpaced }, at) => {
    const utterance = places[at] as number;
    const own = sentence.words.filter((one) => one.utterance === utterance).map(({ word }) => word);
    const [from, to] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0];
    const { start, end } = times[at] as { start: number; end: number };
    const within = (time: number) => Math.min(to, Math.max(from, time));
    const confidence = source[Math.round(among[at]?.position ?? 0)]?.confidence ?? 0;
    return { word: text, start: within(start), end: within(end), confidence, utterance, isSpaced };
  });
}

/** @param words  without white space before them */
function spaced(words: readonly PlacedWord[], space: string, language: string): Word[] {
  return words.map(({ word, start, end, confidence, isSpaced }, at) => {
    const between = at === 0 ? space : spaceBefore({ text: word, isSpaced }, words[at - 1]?.word ?? "", language);
    return { word: between + word, start, end, confidence };
  });
}

const textOf = (words: readonly Word[]) => words.map(({ word }) => word).join("");

/** The words as one text: the first word of an utterance may have a space before it, or not, in any language. */
function continuousWords({ words, language }: WholeSentence): string[] {
  const space = isUnspaced(language) ? "" : " ";
  return words.map(({ word: { word }, utterance }, at) =>
    utterance === words[at - 1]?.utterance ? word : space + word.trim(),
  );
}

/** @throws errors of `translate` */
export async function translateUtterances(
  utterances: readonly Utterance[],
  { target, sources, terms, matchesOriginals, followsWords, translate }: UtteranceTranslation,
): Promise<Utterance[]> {
  const sentences = wholeSentences(utterances).map((sentence) => ({
    ...sentence,
    isTranslated: sentence.language !== target && sources.has(sentence.language),
    target: [] as PlacedWord[],
  }));
  for (const source of sources) {
    const own = sentences.filter((one) => one.isTranslated && one.language === source);
    const texts = await translate(
      own.map((sentence) => markedUp(continuousWords(sentence))),
      source,
    );
    for (const [at, sentence] of own.entries()) {
      const words = alignedWords(texts[at] ?? "", target);
      keepProtectedWords(
        sentence.words.map(({ word }) => word.word),
        words,
        terms,
        target,
      );
      sentence.target = placedWords(words, sentence);
    }
  }
  const languageOf = (language: string) => (sources.has(language) ? target : language);
  const finish = (original: Utterance, words: Word[]): Utterance => {
    const language = languageOf(original.language);
    const translated = { ...original, language, words, text: textOf(words) };
    if (followsWords || words.length === 0) return translated;
    const even = spreadWords(textOf(words).trim(), original, language);
    const space = /^\s*/.exec(original.text)?.[0] ?? "";
    return { ...translated, words: even.map((one, at) => (at === 0 ? { ...one, word: space + one.word } : one)) };
  };
  if (matchesOriginals) {
    return utterances.map((utterance, index) => {
      if (utterance.language === target || !sources.has(utterance.language)) return utterance;
      const own = sentences.flatMap((sentence) => sentence.target.filter((word) => word.utterance === index));
      return finish(utterance, spaced(own, /^\s*/.exec(utterance.text)?.[0] ?? "", target));
    });
  }
  return sentences.map((sentence) => {
    const texts = continuousWords(sentence);
    const source = sentence.words.map(({ word }, at) => ({ ...word, word: at === 0 ? word.word : (texts[at] ?? "") }));
    const first = utterances[sentence.words[0]?.utterance ?? 0] as Utterance;
    const original: Utterance = {
      ...first,
      text: textOf(source).trim(),
      start: source[0]?.start ?? first.start,
      end: source.at(-1)?.end ?? first.end,
      confidence: meanConfidence(source),
      words: source,
    };
    if (!sentence.isTranslated) return original;
    return finish(original, spaced(sentence.target, "", target));
  });
}
