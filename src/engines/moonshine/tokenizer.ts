// Moonshine's 32,000-token vocabulary is Llama's. Tokens are converted one by one, because a word's time and confidence
// come from its tokens.
import { LlamaTokenizer } from "llama-tokenizer-js";
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";

const WORD_START = "\u2581";
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/;

const LAST_SPECIAL_TOKEN = 2;

let shared: Tokenizer | undefined;

/** Shared in this process: all models have the same tokenizer, and reading it takes time. */
export function loadTokenizer(): Tokenizer {
  shared ??= readTokenizer();
  return shared;
}

function readTokenizer(): Tokenizer {
  const llama = new LlamaTokenizer();
  const encoder = new TextEncoder();
  const pieces: (Uint8Array | undefined)[] = new Array(llama.vocabById.length);
  const bytes = (token: number): Uint8Array => {
    const known = pieces[token];
    if (known) return known;
    const piece = token > LAST_SPECIAL_TOKEN ? (llama.vocabById[token] ?? "") : "";
    const hex = BYTE_TOKEN.exec(piece)?.[1];
    const made = hex ? Uint8Array.of(Number.parseInt(hex, 16)) : encoder.encode(piece.replaceAll(WORD_START, " "));
    pieces[token] = made;
    return made;
  };
  return {
    bytes,
    encode: (text) => llama.encode(text, false, true),
  };
}
