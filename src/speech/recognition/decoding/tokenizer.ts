/** Converts between the tokens of an engine and text. */
export interface Tokenizer {
  /** Bytes of one token; a token that starts a word begins with a space. Special tokens have none. */
  bytes(token: number): Uint8Array;
  /** Tokens of a text within a longer one: a leading space is implied. */
  encode(text: string): number[];
}
