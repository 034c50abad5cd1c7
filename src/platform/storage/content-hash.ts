// SHA-256, by which a stored file is compared with what was written.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** About a millisecond of the event loop at a time. */
const CHUNK_BYTES = 1 << 19;

/** @returns hexadecimal digits */
export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of a file in hexadecimal digits, and its size. @throws what the system says about the file */
export async function hashFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
