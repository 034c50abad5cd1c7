// The content of an object as a stream that outlasts broken connections: a reader may pause for longer than the store keeps a silent connection.
import { Readable } from "node:stream";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "./object-store.ts";

/** Connections in a row that end without a byte. */
const MOST_VAIN_TRIES = 3;

/**
 * @returns the content once the store has answered. The stream fails if the object changes or disappears meanwhile, and after
 *          `MOST_VAIN_TRIES` connections without a byte
 * @throws errors of the first request
 */
export async function contentOf(
  client: S3Client,
  at: { Bucket: string; Key: string },
  range?: ByteRange,
): Promise<Readable> {
  const open = (start: number, end: number | "", etag?: string) =>
    client.send(
      new GetObjectCommand({
        ...at,
        ...(start > 0 || end !== "" ? { Range: `bytes=${start}-${end}` } : {}),
        ...(etag === undefined ? {} : { IfMatch: etag }),
      }),
    );
  const first = range?.start ?? 0;
  const { Body, ContentLength: length, ETag: etag } = await open(first, range?.end ?? "");
  const last = first + (length ?? 0) - 1;

  async function* pieces() {
    let body = Body as Readable;
    for (let position = first, tries = 0; ; ) {
      try {
        for await (const piece of body as AsyncIterable<Buffer>) {
          yield piece;
          position += piece.length;
          tries = 0;
        }
        return;
      } catch (error) {
        // A store that states no tag may answer with the bytes of a newer object.
        if (etag === undefined || length === undefined || position > last || ++tries > MOST_VAIN_TRIES) throw error;
        const rest = await open(position, last, etag);
        if (rest.ContentRange?.startsWith(`bytes ${position}-`) !== true) throw error;
        body = rest.Body as Readable;
      }
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}
