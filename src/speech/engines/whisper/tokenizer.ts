// Whisper's byte-pair tokenizer, read from the checkpoint's tokenizer.json. Tokens are converted one by one, because a
// word's time and confidence come from its tokens.
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";

interface TokenizerFile {
  added_tokens: { id: number; content: string }[];
  model: { type: string; vocab: Record<string, number>; merges: (string | [string, string])[] };
}

/** GPT-2's alphabet: every byte as a printable character. @source Radford et al. 2019, encoder.py's bytes_to_unicode */
function byteCharacters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}

/** Splits a text before pairs are merged: words with the space before them, numbers, punctuation. */
const PIECES = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export class WhisperTokenizer implements Tokenizer {
  private readonly pieces: (Uint8Array | undefined)[] = [];
  private readonly special = new Map<string, number>();
  private readonly ranks: ReadonlyMap<string, number>;
  private readonly characters = byteCharacters();

  /** @throws Error if the text is not a byte-pair tokenizer.json */
  constructor(text: string) {
    const file = JSON.parse(text) as TokenizerFile;
    const { vocab, merges, type } = file.model ?? {};
    if (type !== "BPE" || !vocab || !Array.isArray(merges))
      throw new Error("tokenizer.json contains no byte-pair tokenizer");
    const byteOf = new Map(this.characters.map((character, byte) => [character, byte]));
    for (const [piece, id] of Object.entries(vocab)) {
      this.pieces[id] = Uint8Array.from([...piece], (character) => byteOf.get(character) ?? 0x3f);
    }
    for (const { id, content } of file.added_tokens ?? []) {
      this.special.set(content, id);
      this.pieces[id] = new Uint8Array();
    }
    this.vocabulary = new Map(Object.entries(vocab));
    this.ranks = new Map(merges.map((pair, rank) => [typeof pair === "string" ? pair : pair.join(" "), rank]));
  }

  private readonly vocabulary: ReadonlyMap<string, number>;

  bytes(token: number): Uint8Array {
    return this.pieces[token] ?? new Uint8Array();
  }

  encode(text: string): number[] {
    return [...` ${text}`.matchAll(PIECES)].flatMap(([piece]) => this.encodePiece(piece));
  }

  /** The id of a token such as <|notimestamps|>; undefined if it does not exist. */
  specialToken(content: string): number | undefined {
    return this.special.get(content);
  }

  /** All special tokens by name. */
  get specialTokens(): ReadonlyMap<string, number> {
    return this.special;
  }

  private encodePiece(piece: string): number[] {
    let parts = [...Buffer.from(piece)].map((byte) => this.characters[byte] as string);
    for (;;) {
      let best = -1;
      let lowest = Number.POSITIVE_INFINITY;
      for (let at = 0; at + 1 < parts.length; at++) {
        const rank = this.ranks.get(`${parts[at]} ${parts[at + 1]}`) ?? Number.POSITIVE_INFINITY;
        if (rank < lowest) {
          lowest = rank;
          best = at;
        }
      }
      if (best < 0) break;
      parts = [...parts.slice(0, best), `${parts[best]}${parts[best + 1]}`, ...parts.slice(best + 2)];
    }
    return parts.map((part) => this.vocabulary.get(part)).filter((id) => id !== undefined);
  }
}
