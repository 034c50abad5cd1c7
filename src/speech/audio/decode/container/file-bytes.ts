// Reads an untrusted file by position. Every read is bounded by its caller.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export class FileBytes {
  readonly sizeBytes: number;
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, "r");
    this.sizeBytes = fstatSync(this.file).size;
  }

  /** @returns the bytes from `at` on; fewer than `count` at the end of the file, none before its start */
  read(at: number, count: number): Buffer {
    const wanted = at < 0 ? 0 : Math.max(0, Math.min(count, this.sizeBytes - at));
    const bytes = Buffer.alloc(wanted);
    let length = 0;
    while (length < wanted) {
      const read = readSync(this.file, bytes, length, wanted - length, at + length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  }

  close(): void {
    closeSync(this.file);
  }
}
