// Decompresses bodies that a host has compressed although the request accepts only identity. The caller bounds the decompressed size.
import { pipeline, Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { errors } from "../errors.ts";

/** More than one coding is rare, and each further one multiplies the size to which a few bytes can decompress. */
const MOST_CODINGS = 3;
/** Codings that leave the bytes as they are; object stores keep aws-chunked with objects that were uploaded in chunks. */
const IDENTITY = new Set(["", "identity", "aws-chunked"]);
const KNOWN = new Set(["gzip", "x-gzip", "deflate", "br"]);

const isGzip = (begin: Buffer) => begin[0] === 0x1f && begin[1] === 0x8b;
/** RFC 1950: method 8, and the first two bytes are a multiple of 31. Some hosts send the data without this header. */
const hasZlibHeader = (begin: Buffer) => ((begin[0] ?? 0) & 0x0f) === 8 && begin.readUInt16BE(0) % 31 === 0;

/** @returns undefined for bytes that are not in the coding that the header names: they are the file itself */
function decoderFor(coding: string, begin: Buffer): Transform | undefined {
  if (coding === "br") return zlib.createBrotliDecompress();
  if (begin.length < 2) return undefined;
  if (coding === "deflate") return hasZlibHeader(begin) ? zlib.createInflate() : zlib.createInflateRaw();
  return isGzip(begin) ? zlib.createGunzip() : undefined;
}

/** Reads the first bytes of a body: at least two, unless it is shorter. @returns them and the rest */
async function begun(body: Readable): Promise<{ begin: Buffer; whole: Readable }> {
  const iterator = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let bytes = 0;
  while (bytes < 2) {
    const { value, done } = await iterator.next();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
  }
  const begin = Buffer.concat(chunks);
  async function* all(): AsyncGenerator<Buffer> {
    if (begin.length > 0) yield begin;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  const whole = Readable.from(all(), { objectMode: false });
  // Also applies to a body that is not read.
  whole.once("close", () => body.destroy());
  return { begin, whole };
}

async function decoded(body: Readable, coding: string): Promise<Readable> {
  const { begin, whole } = await begun(body);
  const decoder = decoderFor(coding, begin);
  if (!decoder) return whole;
  // Damaged compressed data is treated like a lost connection.
  const output = pipeline(whole, decoder, () => undefined);
  async function* checked(): AsyncGenerator<Buffer> {
    try {
      yield* output as AsyncIterable<Buffer>;
    } catch (thrown) {
      const isCoding =
        String((thrown as { code?: unknown }).code).startsWith("Z_") ||
        /brotli|^ERR_|unexpected end/i.test(String((thrown as Error).message));
      throw isCoding ? errors.remoteFailed(`its content coding ${coding} is damaged or cut off`, thrown) : thrown;
    }
  }
  const stream = Readable.from(checked(), { objectMode: false });
  stream.once("close", () => output.destroy());
  return stream;
}

/** @param header  content-encoding @returns the codings in the order in which they were applied */
export function codingsOf(header: string | undefined): string[] {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => !IDENTITY.has(name));
}

/**
 * @param codings  as codingsOf returns them
 * @returns the body without its codings
 * @throws fetch.failed for an unknown coding
 */
export async function withoutCodings(body: Readable, codings: readonly string[]): Promise<Readable> {
  const unknown = codings.find((coding) => !KNOWN.has(coding));
  if (unknown !== undefined || codings.length > MOST_CODINGS) {
    body.destroy();
    const what =
      unknown === undefined ? `${codings.length} content codings` : `the content coding ${unknown.slice(0, 30)}`;
    throw errors.remoteFailed(`its host answered with ${what}, which is not read here`, undefined, {
      isPassing: false,
    });
  }
  let plain = body;
  for (const coding of codings.toReversed()) plain = await decoded(plain, coding);
  return plain;
}
