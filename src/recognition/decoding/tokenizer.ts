/** Text as an engine's tokens spell it. */
export interface Tokenizer {
  /** Bytes of one token; a token that begins a word starts with a space. Special tokens give nothing. */
  bytes(token: number): Uint8Array;
  /** Tokens of a text as they stand within a longer one: a leading space is implied. */
  encode(text: string): number[];
}
