// Biases the decoder towards a custom vocabulary: tokens that start a term, and more so those that continue it, get
// higher logits. Shallow fusion with a trie over the tokens of all terms. A term that is not completed loses its bonus again: the
// decoder returns to the token that only the bonus made the likeliest one, and decodes from there without it.
import type { VocabularyTerm } from "../vocabulary.ts";
import type { LogitsRule } from "./decoder.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { textOf } from "./words.ts";

/** Added to the logit of a token that starts a term, at an intensity of 1. */
const START_BOOST = 3;
/** Added to the logit of a token that continues a term, at an intensity of 1. */
const CONTINUATION_BOOST = 10;

interface Node {
  children: Map<number, Node>;
  /** Highest intensity of the terms below. */
  intensity: number;
  isEnd: boolean;
}

const node = (): Node => ({ children: new Map(), intensity: 0, isEnd: false });

/** A single letter starts too many other words. */
const isSingleLetter = (token: number, tokenizer: Tokenizer) =>
  /^\s*[\p{Lu}\p{Ll}]?$/u.test(textOf([tokenizer.bytes(token)]));

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const uncapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** @returns the trie and its depth */
function trieOf(terms: readonly VocabularyTerm[], tokenizer: Tokenizer): { root: Node; depth: number } {
  const root = node();
  let depth = 0;
  for (const { value, intensity, pronunciations } of terms) {
    if (intensity <= 0) continue;
    const spellings = [value, ...pronunciations].flatMap((text) => [text, uncapitalised(text), capitalised(text)]);
    for (const spelling of new Set(spellings)) {
      let at = root;
      const tokens = tokenizer.encode(spelling);
      depth = Math.max(depth, tokens.length);
      for (const token of tokens) {
        const next = at.children.get(token) ?? node();
        next.intensity = Math.max(next.intensity, intensity);
        at.children.set(token, next);
        at = next;
      }
      at.isEnd = true;
    }
  }
  return { root, depth };
}

/** Whether the token continues the word before it: "ed" after "Ask". */
const continuesWord = (token: number, tokenizer: Tokenizer) => /^[\p{Ll}\p{M}]/u.test(textOf([tokenizer.bytes(token)]));

export interface VocabularyBias {
  /** Raises the logits of tokens that start or continue a term. */
  rule: LogitsRule;
  /**
   * @param tokens   of the text so far
   * @param at       place of a token that belongs to a term or not
   * @param isWhole  whether the text has ended
   * @returns "completed" if a term that includes this place is complete, "open" if it may still be, otherwise "failed"
   */
  stateOf(tokens: readonly number[], at: number, isWhole: boolean): "completed" | "open" | "failed";
}

/**
 * @param spoken  language of the speech; terms of other languages are ignored
 * @returns undefined if no term applies
 */
export function vocabularyBias(
  terms: readonly VocabularyTerm[],
  spoken: string,
  tokenizer: Tokenizer,
): VocabularyBias | undefined {
  const { root, depth } = trieOf(
    terms.filter(({ language = spoken }) => language === spoken),
    tokenizer,
  );
  if (root.children.size === 0) return undefined;
  const boost = (logits: Float32Array, at: Node, weight: number) => {
    for (const [token, { intensity }] of at.children) {
      logits[token] = (logits[token] as number) + weight * intensity;
    }
  };
  const starts = node();
  for (const [token, next] of root.children) {
    if (next.isEnd || !isSingleLetter(token, tokenizer)) starts.children.set(token, next);
  }
  const rule: LogitsRule = (logits, tokens) => {
    boost(logits, starts, START_BOOST);
    let isChanged = starts.children.size > 0;
    // Terms that the last tokens are a prefix of.
    for (let length = 1; length < depth && length <= tokens.length; length++) {
      let at: Node | undefined = root;
      for (let index = tokens.length - length; at && index < tokens.length; index++) {
        at = at.children.get(tokens[index] as number);
      }
      if (!at) continue;
      boost(logits, at, CONTINUATION_BOOST);
      isChanged ||= at.children.size > 0;
    }
    return isChanged;
  };
  /** Follows the terms that start at a place. */
  const follow = (tokens: readonly number[], from: number, at: number, isWhole: boolean) => {
    let place: Node | undefined = root;
    for (let index = from; index < tokens.length; index++) {
      place = place.children.get(tokens[index] as number);
      if (!place) return "failed";
      if (index < at || !place.isEnd) continue;
      const next = tokens[index + 1];
      if (next === undefined) return isWhole ? "completed" : "open";
      if (!continuesWord(next, tokenizer)) return "completed";
    }
    return isWhole ? "failed" : "open";
  };
  return {
    rule,
    stateOf(tokens, at, isWhole) {
      let state: "open" | "failed" = "failed";
      for (let from = Math.max(0, at - depth + 1); from <= at; from++) {
        const found = follow(tokens, from, at, isWhole);
        if (found === "completed") return found;
        if (found === "open") state = found;
      }
      return state;
    },
  };
}
