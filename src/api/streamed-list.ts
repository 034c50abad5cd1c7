// Prints an answer with a long list piece by piece: other requests are answered between the pieces, and nothing more is read for a
// client that has left.
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { inPieces } from "../platform/storage/json-pieces.ts";

async function* printed(
  before: object,
  name: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  after: () => object,
): AsyncGenerator<string> {
  const fields = (more: object) => JSON.stringify(more).slice(1, -1);
  const first = fields(before);
  yield `{${first}${first === "" ? "" : ","}${JSON.stringify(name)}:[`;
  let separator = "";
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ",";
  }
  const last = fields(after());
  yield `]${last === "" ? "" : ","}${last}}`;
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
  const body = Readable.from(inPieces(printed(before, name, items, after)), { objectMode: false });
  return reply.type("application/json; charset=utf-8").send(body);
}
