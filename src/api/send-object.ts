// An object as a download, whole or the requested byte range.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../platform/errors.ts";
import { contentDisposition } from "../platform/net/content-disposition.ts";
import type { FileRow } from "../platform/storage/db/files/files.ts";
import type { ByteRange } from "../platform/storage/objects/object-store.ts";
import type { ApiContext } from "./context.ts";

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The one byte range that a Range header asks for (RFC 9110, 14.2); several ranges or other units are ignored.
 * @throws request.range when it lies outside of the file
 */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = RANGE.exec(header?.trim() ?? "");
  if (!match) return undefined;
  const [, first, last] = match;
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end || start >= size) throw errors.rangeNotSatisfiable(size);
  return { start, end };
}

/**
 * A recording as a download; from the store itself, where that has addresses and the settings want it.
 * @throws request.not_found, request.range, storage.recording_damaged
 */
export async function sendRecording(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Pick<FileRow, "object_key" | "filename" | "size" | "audio_deleted_at">,
  { objects, settings }: Pick<ApiContext, "objects" | "settings">,
): Promise<FastifyReply> {
  const { object_key: key, filename, size: expected } = file;
  const size = file.audio_deleted_at ? undefined : await objects.size(key);
  if (size === undefined) throw errors.notFound("File");
  if (size !== expected) throw errors.recordingDamaged(size, expected);
  const isHead = request.method === "HEAD";
  // The signature of an address is valid for GET alone.
  const address = settings.s3Redirect && !isHead ? await objects.address(key, filename) : undefined;
  if (address !== undefined) return reply.redirect(address, 302);
  reply.header("accept-ranges", "bytes");
  let range: ByteRange | undefined;
  try {
    range = parseRange(request.headers.range, size);
  } catch (error) {
    reply.header("content-range", `bytes */${size}`);
    throw error;
  }
  const content = isHead ? Readable.from([]) : await objects.read(key, range);
  reply.header("content-disposition", contentDisposition(filename)).type("application/octet-stream");
  if (range) {
    reply
      .code(206)
      .header("content-range", `bytes ${range.start}-${range.end}/${size}`)
      .header("content-length", range.end - range.start + 1);
  } else reply.header("content-length", size);
  return reply.send(content);
}
