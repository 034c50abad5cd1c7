// The content of an object as a stream that outlasts broken connections: a reader may pause for longer than the store keeps a silent connection.
import { Readable } from "node:stream";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "./object-store.ts";

/** Reconnections in a row that deliver no byte. */
const MOST_EMPTY_RECONNECTIONS = 3;

/**
 * @returns the content, once the store has answered. The stream reconnects if its connection breaks. It fails if the object changes or
 *          disappears, or after MOST_EMPTY_RECONNECTIONS reconnections without a byte
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

  /** The rest of the content, after a broken connection. */
  async function reopened(position: number, broken: unknown): Promise<Readable> {
    const rest = await open(position, last, etag);
    const content = rest.Body as Readable;
    if (rest.ContentRange?.startsWith(`bytes ${position}-`) === true) return content;
    content.destroy();
    throw broken;
  }

  let body = Body as Readable;
  let isEnding = false;
  async function* pieces() {
    try {
      let iterator: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
      for (let position = first, reconnections = 0; ; ) {
        let next: IteratorResult<Buffer>;
        try {
          // The try has no yield: there, an error of the reader arrives, which does not mean a broken connection.
          next = await iterator.next();
        } catch (error) {
          // A store that states no tag may answer with the bytes of a newer object.
          if (etag === undefined || length === undefined || position > last) throw error;
          if (isEnding || ++reconnections > MOST_EMPTY_RECONNECTIONS) throw error;
          body = await reopened(position, error);
          iterator = body[Symbol.asyncIterator]();
          continue;
        }
        if (next.done && length !== undefined && position <= last) {
          // Some servers end a response that they cannot complete.
          if (etag === undefined || ++reconnections > MOST_EMPTY_RECONNECTIONS) throw new Error("the content was cut");
          body = await reopened(position, new Error("the content was cut"));
          iterator = body[Symbol.asyncIterator]();
          continue;
        }
        if (next.done) return;
        position += next.value.length;
        reconnections = 0;
        yield next.value;
      }
    } finally {
      body.destroy();
    }
  }
  const content = Readable.from(pieces(), { objectMode: false });
  // The end of the pieces waits for the next one, which a silent connection delays.
  const destroy = content._destroy.bind(content);
  content._destroy = (error, callback) => {
    isEnding = true;
    body.destroy();
    destroy(error, callback);
  };
  return content;
}
