// Compresses answers of text for clients that support it. The threads of zlib compress a few answers at a time, in pieces. Other answers are
// sent uncompressed, so that long transcripts and slow clients cost a bounded amount of memory and of processor time.
import { pipeline, Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { FastifyReply } from "fastify";
import type { Api } from "../context.ts";

/** Below this, headers outweigh what is saved: one packet is sent in any case. */
const LEAST_BYTES = 1_024;
const PIECE_BYTES = 65_536;
/** Answers that the service compresses at once. zlib shares four threads with the file system. */
const MOST_AT_ONCE = 3;
/** 2^18 bytes: an encoder takes 1 MB; with the default window, 8 MB. */
const BROTLI_WINDOW_BITS = 18;
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

type Coding = "br" | "gzip";
/** In order of preference. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

/** Event streams are excluded: an encoder holds events back. */
const TEXT_TYPE =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml)|image\/svg\+xml)/i;

/**
 * The coding of an answer (RFC 9110, 12.5.3).
 * @param accepted  the header Accept-Encoding
 * @returns undefined for none
 */
export function codingFor(accepted: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight));
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = [...CODINGS].sort((left, right) => weightOf(right) - weightOf(left));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

const encoderOf = {
  br: () =>
    createBrotliCompress({
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

function* inPieces(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}

function addVary(reply: FastifyReply): void {
  const before = [reply.getHeader("vary") ?? []].flat().map(String);
  const names = before.flatMap((value) => value.toLowerCase().split(",")).map((name) => name.trim());
  if (!names.includes("accept-encoding") && !names.includes("*")) {
    reply.header("vary", [...before, "Accept-Encoding"].join(", "));
  }
}

/** Parts of files, whose positions are those of the bytes as stored, and answers that are encoded already. */
const isFixed = (reply: FastifyReply) => ["content-encoding", "content-range"].some((name) => reply.hasHeader(name));

export function addCompression(app: Api): void {
  let running = 0;
  const compressed = (source: Readable, coding: Coding): Readable => {
    running++;
    return pipeline(source, encoderOf[coding](), () => {
      running--;
    });
  };
  app.addHook("onSend", async ({ method, headers }, reply, payload: unknown) => {
    const type = String(reply.getHeader("content-type") ?? "");
    if (!TEXT_TYPE.test(type)) return payload;
    addVary(reply);
    if (isFixed(reply)) return payload;
    const coding = codingFor(String(headers["accept-encoding"] ?? ""));
    if (coding === undefined || reply.statusCode === 304 || running >= MOST_AT_ONCE) return payload;
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    const size = isWhole ? Buffer.byteLength(payload) : Number(reply.getHeader("content-length") ?? LEAST_BYTES);
    if (size < LEAST_BYTES || !(isWhole || payload instanceof Readable)) return payload;
    const etag = reply.getHeader("etag");
    // A strong validator means the same bytes.
    if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
    // Positions of a later part would be those of the bytes as stored.
    reply.removeHeader("content-length").removeHeader("accept-ranges").header("content-encoding", coding);
    // The headers of GET without its content.
    if (method === "HEAD") return Readable.from([]);
    const source = isWhole ? Readable.from(inPieces(Buffer.from(payload as string)), { objectMode: false }) : payload;
    return compressed(source, coding);
  });
}
