// Words and short phrases that people replaced in a transcript: what its corrections teach. Compared are the recognised text of an utterance
// and its text as it reads, so that a word that was corrected several times counts once.
import type { Transcription } from "../../../contract/transcript/transcript.ts";
import { isUnspaced, UNSPACED_SCRIPT } from "../../../speech/text/scripts.ts";
import { editDistanceWithin } from "../../../speech/text/sound.ts";
import { matches } from "../correction-alignment.ts";
import type { SpokenUtterance } from "../spoken-utterance.ts";
import { type Change, SpokenUtterances } from "../spoken-utterances.ts";
import { foldedCase, isSpelling, wordForm, wordsOfText } from "./word-forms.ts";

export interface ReplacedPhrase {
  /** As it was recognised. */
  before: string;
  /** As it reads now. */
  after: string;
  /** The same for each way of writing `before` that a search for it finds. */
  key: string;
  /** Number of recognised utterances in which it was replaced. */
  utterances: number;
}

const MOST_WORDS = 4;
/** Dictionaries divide Japanese or Thai into shorter words. */
const MOST_UNSPACED_WORDS = 8;
/** Of either side. */
const MOST_REPLACED_CHARACTERS = 100;
/** Of one transcript; the first ones are kept. */
const MOST_REPLACED_PHRASES = 2_000;
/** Shorter words, such as "in" and "a", are everywhere. */
const LEAST_CHARACTERS = 3;
const LEAST_UNSPACED_CHARACTERS = 2;
/** An utterance of at least this many words of which less than half are as recognised was rewritten, which teaches nothing. */
const LEAST_REWRITTEN_WORDS = 6;
/** Of two words that may be a word and its correction: the share of their characters that differ. */
const MOST_DIFFERENT = 0.6;
/** Of the product with it. */
const EPSILON = 1e-9;

interface Token {
  core: string;
  folded: string;
  /** Number of its recognised utterance. */
  part: number;
}

function tokensOf(words: readonly string[], part: number): Token[] {
  return words.flatMap((word) => {
    const { core } = wordForm(word);
    return core === "" ? [] : [{ core, folded: foldedCase(core), part }];
  });
}

/** Whether a word may be the correction of another one. */
function resembles(left: string, right: string): boolean {
  const most = Math.floor(MOST_DIFFERENT * Math.max(left.length, right.length) + EPSILON);
  return editDistanceWithin(left, right, most) <= most;
}

function isLongEnough(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  return letters >= (UNSPACED_SCRIPT.test(text) ? LEAST_UNSPACED_CHARACTERS : LEAST_CHARACTERS);
}

type Pair = Omit<ReplacedPhrase, "utterances">;

/** @returns undefined if a change of this kind teaches nothing */
function pairOf(old: readonly Token[], now: readonly Token[], space: string): Pair | undefined {
  const most = space === "" ? MOST_UNSPACED_WORDS : MOST_WORDS;
  if (old.length === 0 || now.length === 0 || old.length > most || now.length > most) return undefined;
  const [before, after] = [old, now].map((tokens) => tokens.map(({ core }) => core).join(space)) as [string, string];
  if (Math.max(before.length, after.length) > MOST_REPLACED_CHARACTERS) return undefined;
  if (foldedCase(before) === foldedCase(after))
    return isSpelling(before, after) ? { before, after, key: before } : undefined;
  return isLongEnough(before) && /\p{L}/u.test(before) ? { before, after, key: foldedCase(before) } : undefined;
}

/** Replaced words as one phrase, or one by one where each resembles the word in its place. */
function pairsOf(old: readonly Token[], now: readonly Token[], space: string): [Pair, number][] {
  const part = old[0]?.part ?? 0;
  const isOneByOne =
    old.length > 1 &&
    old.length === now.length &&
    Math.max(...[...old, ...now].map(({ core }) => core.length)) <= MOST_REPLACED_CHARACTERS &&
    old.every(({ folded }, at) => resembles(folded, now[at]?.folded ?? ""));
  if (!isOneByOne) {
    const pair = pairOf(old, now, space);
    return pair ? [[pair, part]] : [];
  }
  return old.flatMap((token, at): [Pair, number][] => {
    const pair = pairOf([token], [now[at] as Token], space);
    return pair ? [[pair, token.part]] : [];
  });
}

/** What was replaced in one utterance, with the number of the recognised utterance of each. */
function replacedIn(one: SpokenUtterance): [Pair, number][] {
  const parts = one.recognised();
  const language = parts[0]?.language ?? "";
  const space = isUnspaced(language) ? "" : " ";
  const old = parts.flatMap(({ text, words }, part) =>
    tokensOf(space === "" ? wordsOfText(text, language) : words.map(({ word }) => word), part),
  );
  const now = tokensOf(wordsOfText(one.fullText, language), 0);
  const kept = matches(
    old.map(({ folded }) => folded),
    now.map(({ folded }) => folded),
  );
  if (old.length >= LEAST_REWRITTEN_WORDS && kept.length * 2 < old.length) return [];
  const found: [Pair, number][] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const match of [...kept, { old: old.length, now: now.length }]) {
    found.push(...pairsOf(old.slice(oldAt, match.old), now.slice(nowAt, match.now), space));
    // The same word in another case.
    found.push(...pairsOf(old.slice(match.old, match.old + 1), now.slice(match.now, match.now + 1), space));
    [oldAt, nowAt] = [match.old + 1, match.now + 1];
  }
  return found;
}

/** @param corrections  in the order in which they were made; undone ones are ignored */
export function replacedPhrases(transcription: Transcription, corrections: readonly Change[]): ReplacedPhrase[] {
  if (!corrections.some(({ utterances = [], undone_at }) => undone_at === null && utterances.length > 0)) return [];
  const utterances = new SpokenUtterances(transcription);
  utterances.applyAll(corrections);
  const found = new Map<string, { pair: Pair; places: Set<string> }>();
  for (const { one, index } of utterances.current()) {
    if (!one.isChanged) continue;
    for (const [pair, part] of replacedIn(one)) {
      const name = JSON.stringify([pair.key, pair.after]);
      const known = found.get(name);
      if (!known && found.size >= MOST_REPLACED_PHRASES) continue;
      const { places } = known ?? { places: new Set<string>() };
      places.add(`${index} ${part}`);
      if (!known) found.set(name, { pair, places });
    }
  }
  return [...found.values()].map(({ pair, places }) => ({ ...pair, utterances: places.size }));
}
