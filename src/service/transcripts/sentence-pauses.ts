// Pauses inside sentences: recognisers close a sentence at each pause, and begin the next text with a capital.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { atOnce, type Steps } from "../../platform/process/steps.ts";
import { LAST_MARKS } from "../../speech/text/bare-word.ts";
import { continued, continuesSentence } from "../../speech/text/continued-sentences.ts";
import { withoutMark, written } from "../../speech/text/writing.ts";

/** A pause over which two texts of a channel were joined to one sentence. */
export interface SentencePause {
  channel: number;
  /** Seconds: end of the word before the pause and start of the word after it, as in the words of the transcript. */
  start: number;
  end: number;
  /** Whether the word after the pause begins with a capital if it begins a sentence. */
  hasCapital: boolean;
}

/** Texts on both sides of a pause: their language, and words without spaces at their edges. */
export interface PauseSides {
  languages: readonly [string, string];
  before: readonly string[];
  after: readonly string[];
  seconds: number;
}

/** Whether the sentence before a pause continues after it, in the same language. */
export function isInsideSentence({ languages: [left, right], before, after, seconds }: PauseSides): boolean {
  return left === right && continuesSentence(before, after, seconds, left);
}

const withWords = (utterance: Utterance, words: Word[]): Utterance => ({
  ...utterance,
  words,
  text: words.map(({ word }) => word).join(""),
});

/** Finds phrases of the caller at the edges of texts, in time that does not depend on their number. */
class CallerPhrases {
  private readonly phrases: ReadonlySet<string>;
  private readonly mostWords: number;

  constructor(phrases: readonly string[]) {
    this.phrases = new Set(phrases);
    this.mostWords = phrases.reduce((most, phrase) => Math.max(most, phrase.split(/\s+/).length), 0);
  }

  private has(candidates: (count: number) => string[], words: readonly string[]): boolean {
    const most = Math.min(this.mostWords, words.length);
    for (let count = 1; count <= most; count++) {
      if (candidates(count).some((text) => this.phrases.has(text))) return true;
    }
    return false;
  }

  areAtStart(words: readonly string[]): boolean {
    return this.has((count) => {
      const text = words.slice(0, count).join(" ");
      return [text, text.replace(LAST_MARKS, "")];
    }, words);
  }

  /** With the mark behind it, which a continued sentence would remove. */
  areAtEnd(words: readonly string[]): boolean {
    return this.has((count) => [words.slice(-count).join(" ")], words);
  }
}

export interface JoinedUtterances {
  utterances: Utterance[];
  pauses: SentencePause[];
}

/**
 * Joins the utterances of each channel to sentences, whoever spoke between them: see `withSentencesEnded`.
 * @param utterances  in time order
 * @param kept        phrases that are written as the caller wrote them
 */
export function* joiningSentences(
  utterances: readonly Utterance[],
  kept: readonly string[] = [],
): Steps<JoinedUtterances> {
  const phrases = new CallerPhrases(kept);
  const joined = [...utterances];
  const pauses: SentencePause[] = [];
  const lastOf = new Map<number, number>();
  for (const [at, utterance] of utterances.entries()) {
    yield;
    const index = lastOf.get(utterance.channel);
    lastOf.set(utterance.channel, at);
    // The utterance as recognised: joining changes first words, and this comparison needs the last one.
    const previous = index === undefined ? undefined : utterances[index];
    const [last, first] = [previous?.words.at(-1), utterance.words[0]];
    if (index === undefined || !previous || !last || !first) continue;
    const [before, after] = [previous, utterance].map(({ words }) => words.map(({ word }) => word.trim())) as [
      string[],
      string[],
    ];
    const languages = [previous.language, utterance.language] as const;
    if (!isInsideSentence({ languages, before, after, seconds: first.start - last.end })) continue;
    if (phrases.areAtEnd(before)) continue;
    const word = phrases.areAtStart(after) ? first.word : continued(first.word, utterance.language);
    const open = joined[index] as Utterance;
    const end = open.words.at(-1) as Word;
    joined[index] = withWords(open, [
      ...open.words.slice(0, -1),
      { ...end, word: withoutMark(end.word, open.language) },
    ]);
    joined[at] = withWords(utterance, [{ ...first, word }, ...utterance.words.slice(1)]);
    pauses.push({ channel: utterance.channel, start: last.end, end: first.start, hasCapital: word !== first.word });
  }
  return { utterances: joined, pauses };
}

export const withSentencesJoined = (...given: Parameters<typeof joiningSentences>): JoinedUtterances =>
  atOnce(joiningSentences(...given));

interface Place {
  utterance: number;
  word: number;
}

const placeKey = (channel: number, seconds: number) => `${channel} ${seconds}`;

/** Whether nobody else speaks between two words of a channel, and one person says both. */
function isOneSpeaker(
  utterances: readonly Utterance[],
  before: Place,
  after: Place,
  { start, end }: SentencePause,
): boolean {
  const [left, right] = [utterances[before.utterance], utterances[after.utterance]] as [Utterance, Utterance];
  const speakerAt = ({ speaker, words }: Utterance, at: number) => words[at]?.speaker ?? speaker;
  if (speakerAt(left, before.word) !== speakerAt(right, after.word)) return false;
  if (before.utterance !== after.utterance) return after.utterance === before.utterance + 1;
  for (let at = before.utterance + 1; at < utterances.length; at++) {
    const other = utterances[at] as Utterance;
    if (other.start >= end) return true;
    if (other.start >= start) return false;
  }
  return true;
}

/**
 * Ends sentences at pauses after which another person continues, or after which an utterance of another speaker or
 * channel stands between the two. May be called again when the speakers are known.
 * @param utterances  in the order of the transcript, of which `pauses` were joined
 */
export function* endingSentences(
  utterances: readonly Utterance[],
  pauses: readonly SentencePause[],
): Steps<Utterance[]> {
  const ended = [...utterances];
  if (pauses.length === 0) return ended;
  // Of the words at pauses alone: a session of hours has 200,000 others.
  const times = new Set(pauses.flatMap(({ start, end }) => [start, end]));
  const ends = new Map<string, Place>();
  const starts = new Map<string, Place>();
  for (const [utterance, { channel, words }] of utterances.entries()) {
    yield;
    for (const [word, { start, end }] of words.entries()) {
      if (times.has(end)) ends.set(placeKey(channel, end), { utterance, word });
      if (!times.has(start)) continue;
      const key = placeKey(channel, start);
      if (!starts.has(key)) starts.set(key, { utterance, word });
    }
  }
  const change = ({ utterance: at, word: index }: Place, edit: (word: string, language: string) => string) => {
    const utterance = ended[at] as Utterance;
    const words = utterance.words.map((word, place) =>
      place === index ? { ...word, word: edit(word.word, utterance.language) } : word,
    );
    ended[at] = withWords(utterance, words);
  };
  for (const pause of pauses) {
    yield;
    const before = ends.get(placeKey(pause.channel, pause.start));
    const after = starts.get(placeKey(pause.channel, pause.end));
    if (!before || !after || isOneSpeaker(utterances, before, after, pause)) continue;
    change(before, (word) => (/[\p{L}\p{M}\p{N}"'”’»)\]]$/u.test(word) ? `${word}.` : word));
    if (pause.hasCapital) change(after, (word, language) => written([word], true, language)[0] ?? word);
  }
  return ended;
}

export const withSentencesEnded = (...given: Parameters<typeof endingSentences>): Utterance[] =>
  atOnce(endingSentences(...given));
