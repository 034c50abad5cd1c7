// Moonshine's 32,000-token vocabulary is Llama's. Tokens are converted one by one, because a word's time and confidence
// come from its tokens.
import llama from "llama-tokenizer-js";
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";

const WORD_START = "\u2581";
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/;

const LAST_SPECIAL_TOKEN = 2;

const encoder = new TextEncoder();

/** Bytes are not cached: objects for all 32,000 tokens would take 6 MB. */
function bytes(token: number): Uint8Array {
  const piece = token > LAST_SPECIAL_TOKEN ? (llama.vocabById[token] ?? "") : "";
  const hex = BYTE_TOKEN.exec(piece)?.[1];
  return hex ? Uint8Array.of(Number.parseInt(hex, 16)) : encoder.encode(piece.replaceAll(WORD_START, " "));
}

/** All models of a process use the instance that the package makes when it is loaded. A second one would take another 6 MB. */
export const TOKENIZER: Tokenizer = { bytes, encode: (text) => llama.encode(text, false, true) };
