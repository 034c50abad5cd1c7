import { writeSync } from "node:fs";

/** On a disk that becomes full, a write takes only part of the bytes and the next one fails. @throws errors of the file system */
export function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
