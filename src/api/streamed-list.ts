// Prints an answer with a long list piece by piece: other requests are answered between the pieces, and nothing more is read for a
// client that has left.
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** Characters that are printed in one turn of the event loop, if no single item has more. */
const PIECE_CHARACTERS = 250_000;

async function* printed(
  before: object,
  name: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  after: () => object,
): AsyncGenerator<string> {
  const fields = (more: object) => JSON.stringify(more).slice(1, -1);
  const first = fields(before);
  let piece = `{${first}${first === "" ? "" : ","}${JSON.stringify(name)}:[`;
  let separator = "";
  for await (const item of items) {
    piece += separator + JSON.stringify(item);
    separator = ",";
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
    await new Promise((resolve) => setImmediate(resolve));
  }
  const last = fields(after());
  yield `${piece}]${last === "" ? "" : ","}${last}}`;
}

/**
 * Sends an object with a list.
 * @param before  fields before the list
 * @param items   read as fast as the client does
 * @param after   fields after the list, read at its end
 */
export function sendList(
  reply: FastifyReply,
  before: object,
  name: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  after: () => object = () => ({}),
): FastifyReply {
  const body = Readable.from(printed(before, name, items, after), { objectMode: false });
  return reply.type("application/json; charset=utf-8").send(body);
}
