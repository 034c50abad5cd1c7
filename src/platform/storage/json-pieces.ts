// Prints a large value as JSON, piece by piece: a transcript of hours has 20 MB, and printing them at once would hold up other work.
import { eventLoopTurn } from "../process/sleep.ts";

/** Characters of a piece, if no single part has more: printing them takes about 3 ms. */
const PIECE_CHARACTERS = 250_000;
/** Items of longer lists are printed whole; shorter ones may each be large. */
const SHORT_LIST = 50;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !("toJSON" in value);

/** What JSON leaves out of objects, and replaces in lists. */
const isPrintable = (value: unknown) => value !== undefined && typeof value !== "function" && typeof value !== "symbol";

function* parts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    const isShort = value.length <= SHORT_LIST;
    yield "[";
    for (const [at, item] of value.entries()) {
      if (at > 0) yield ",";
      if (isShort && isPrintable(item)) yield* parts(item);
      else yield JSON.stringify(item) ?? "null";
    }
    yield "]";
  } else if (isObject(value)) {
    yield "{";
    let separator = "";
    for (const [name, field] of Object.entries(value)) {
      if (!isPrintable(field)) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* parts(field);
      separator = ",";
    }
    yield "}";
  } else yield JSON.stringify(value);
}

/** Joins short texts to pieces. Other work of the event loop runs between two pieces. */
export async function* inPieces(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
    await eventLoopTurn();
  }
  yield piece;
}

/** @returns pieces that together are `JSON.stringify(value)` */
export const jsonPieces = (value: object): AsyncGenerator<string> => inPieces(parts(value));
