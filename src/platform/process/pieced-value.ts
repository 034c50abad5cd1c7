// Large values of JSON in messages between processes. V8 reads and writes a message at once: 19 MB of utterances take 0.3 s to write and
// 0.9 s to read, in which a process does nothing else. The items of long lists are therefore sent as JSON texts. Each text is printed and
// parsed in its own turn of the event loop.
import { eventLoopTurn } from "./sleep.ts";

/** Characters of a text, if no single item has more: printing or parsing it takes a few milliseconds. */
const PIECE_CHARACTERS = 250_000;
/** Longest list that is divided item by item, because each item may be large. */
const SHORT_LIST = 50;

/** `pieces`: JSON lists whose items together are those of the list. */
export type PiecedValue =
  | { value: unknown }
  | { pieces: string[] }
  | { items: PiecedValue[] }
  | { fields: [name: string, value: PiecedValue][] };

async function piecesOf(items: readonly unknown[]): Promise<string[]> {
  const pieces: string[] = [];
  let piece = "";
  for (const item of items) {
    piece += `${piece === "" ? "[" : ","}${JSON.stringify(item) ?? "null"}`;
    if (piece.length < PIECE_CHARACTERS) continue;
    pieces.push(`${piece}]`);
    piece = "";
    await eventLoopTurn();
  }
  return piece === "" ? pieces : [...pieces, `${piece}]`];
}

/** @param value  of JSON: fields that are undefined are left out */
export async function piecedValue(value: unknown): Promise<PiecedValue> {
  if (typeof value !== "object" || value === null) return { value };
  if (Array.isArray(value)) {
    if (value.length > SHORT_LIST) return { pieces: await piecesOf(value) };
    const items: PiecedValue[] = [];
    for (const item of value) items.push(await piecedValue(item));
    return { items };
  }
  const fields: [string, PiecedValue][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) fields.push([name, await piecedValue(field)]);
  }
  return { fields };
}

async function listOf(pieces: readonly string[]): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const piece of pieces) {
    for (const item of JSON.parse(piece) as unknown[]) items.push(item);
    await eventLoopTurn();
  }
  return items;
}

/** @returns the value that was divided @throws for what is no such value */
export async function joinedPieces(pieced: PiecedValue): Promise<unknown> {
  if ("value" in pieced) return pieced.value;
  if ("pieces" in pieced) return listOf(pieced.pieces);
  if ("items" in pieced) {
    const items: unknown[] = [];
    for (const item of pieced.items) items.push(await joinedPieces(item));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, field] of pieced.fields) fields.push([name, await joinedPieces(field)]);
  return Object.fromEntries(fields);
}
