import { createWriteStream } from "node:fs";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes a stream to a file. If it fails, it settles after the file is closed: `pipeline` alone rejects while the file is still being opened,
 * and the file would be created after the caller has removed it.
 * @param filters  which the content passes
 * @throws the error of the content, a filter or the file
 */
export async function streamToFile(file: string, content: Readable, ...filters: readonly Transform[]): Promise<void> {
  const output = createWriteStream(file);
  try {
    await pipeline([content, ...filters, output]);
  } finally {
    if (!output.closed) await new Promise<void>((resolve) => output.once("close", () => resolve()));
  }
}
