// A custom vocabulary inside the decoder: tokens that begin a term, and more so those that go on with one, are made
// more probable. A prefix tree over the tokens of every term; the method is known as shallow fusion with a trie.
import type { VocabularyTerm } from "../vocabulary.ts";
import type { LogitsRule } from "./decoder.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { textOf } from "./words.ts";

/** Added to the logit of a token that begins a term, at an intensity of 1. */
const BEGIN = 3;
/** … and of one that goes on with a term that was begun. */
const CONTINUE = 10;

interface Node {
  children: Map<number, Node>;
  /** Of the most eager term that goes on below. */
  intensity: number;
  isEnd: boolean;
}

const node = (): Node => ({ children: new Map(), intensity: 0, isEnd: false });

/** Many other words begin with the same letter. */
const isMereLetter = (token: number, tokenizer: Tokenizer) =>
  /^\s*[\p{Lu}\p{Ll}]?$/u.test(textOf([tokenizer.bytes(token)]));

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** @returns the deepest path and the tree */
function treeOf(terms: readonly VocabularyTerm[], tokenizer: Tokenizer): { root: Node; depth: number } {
  const root = node();
  let depth = 0;
  for (const { value, intensity, pronunciations } of terms) {
    if (intensity <= 0) continue;
    const spellings = [value, ...pronunciations].flatMap((text) => [text, small(text), capitalised(text)]);
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

/**
 * @param spoken  language of the speech: terms of other languages have no weight
 * @returns undefined when no term has any weight
 */
export function vocabularyBias(
  terms: readonly VocabularyTerm[],
  spoken: string,
  tokenizer: Tokenizer,
): LogitsRule | undefined {
  const { root, depth } = treeOf(
    terms.filter(({ language = spoken }) => language === spoken),
    tokenizer,
  );
  if (root.children.size === 0) return undefined;
  const favour = (logits: Float32Array, at: Node, weight: number) => {
    for (const [token, { intensity }] of at.children) {
      logits[token] = (logits[token] as number) + weight * intensity;
    }
  };
  const beginnings = node();
  for (const [token, next] of root.children) {
    if (next.isEnd || !isMereLetter(token, tokenizer)) beginnings.children.set(token, next);
  }
  return (logits, tokens) => {
    favour(logits, beginnings, BEGIN);
    let isChanged = beginnings.children.size > 0;
    // Terms that the last tokens are the beginning of.
    for (let length = 1; length < depth && length <= tokens.length; length++) {
      let at: Node | undefined = root;
      for (let index = tokens.length - length; at && index < tokens.length; index++) {
        at = at.children.get(tokens[index] as number);
      }
      if (!at) continue;
      favour(logits, at, CONTINUE);
      isChanged ||= at.children.size > 0;
    }
    return isChanged;
  };
}
