// Where large things live: audio, decoded samples, results. Keys are paths of safe segments; a folder today,
// an S3-compatible store behind the same interface later.
import type { Readable } from "node:stream";

export interface ByteRange {
  /** First and last byte, both included. */
  start: number;
  end: number;
}

export interface ObjectStore {
  /**
   * Stores a stream whole or not at all.
   * @throws file.too_large when more than `limitBytes` come; nothing is kept then
   * @returns bytes stored
   */
  write(key: string, content: Readable, limitBytes?: number): Promise<number>;
  /** Stores a small object whole or not at all. */
  put(key: string, content: string | Uint8Array): Promise<void>;
  /** @throws request.not_found */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Bytes, or undefined when there is no such object. */
  size(key: string): Promise<number | undefined>;
  /** Removes an object; nothing happens when there is none. */
  remove(key: string): Promise<void>;
  /** Removes every object whose key begins with this folder. */
  removeFolder(prefix: string): Promise<void>;
  /** A path under which a local process can read the object, or write it when it does not exist yet. */
  localPath(key: string): Promise<string>;
}
