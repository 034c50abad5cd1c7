// Stores audio, decoded samples and results, which are too large for rows of the database. Keys are paths of safe segments. One interface for a data folder and an
// S3-compatible bucket that many machines use, so that stages and sessions do not depend on which one it is.
// An object is stored whole or not at all. Methods reject with storage.unavailable when the bucket cannot be reached, and with storage.full when the disk has no
// room. Accepted work then waits (when-possible.ts); a new request is refused.
import type { Readable } from "node:stream";

export interface ByteRange {
  /** First and last byte, both included. */
  start: number;
  end: number;
}

/** What killed processes left in a bucket. */
export interface Leftovers {
  /** Keys of objects of a folder that were stored before a time, in pages. @throws storage.unavailable */
  keysBefore(time: Date, folder: string): AsyncGenerator<string[]>;
  /** Text that the last search for orphans left in the bucket; undefined if there was none. @throws storage.unavailable */
  mark(): Promise<string | undefined>;
  setMark(text: string): Promise<void>;
  /** Ends uploads in parts that began before a time. @returns how many @throws storage.unavailable */
  endUploadsBefore(time: Date, signal?: AbortSignal): Promise<number>;
}

export interface ObjectStore {
  /** Only of a bucket: a data folder is swept as a whole (sweep.ts). */
  readonly leftovers?: Leftovers;
  readonly kind: "folder" | "bucket";
  /** The store as messages name it. */
  readonly place: string;
  /** @returns undefined where none was written, or it is damaged @throws storage.unavailable */
  identity(): Promise<string | undefined>;
  setIdentity(identity: string): Promise<void>;
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
  /** Bytes; undefined if the object does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>;
  /** Removes every object whose key begins with this folder. */
  removeFolder(prefix: string): Promise<void>;
  /** Names of the folders directly in a folder. */
  foldersIn(prefix: string): Promise<string[]>;
  /**
   * A path under which a local process can read the object, or write it when it does not exist yet. Nothing reports the end of the use:
   * a copy stays for some minutes. Read recordings with `whileCopied`.
   */
  localPath(key: string): Promise<string>;
  /**
   * Passes the path of a local copy to `use`. The copy stays until `use` has ended.
   * @throws storage.full if the disk has no room for the copy; storage.unavailable; what `use` throws
   */
  whileCopied<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result>;
  /** Publishes the file that a local process wrote at the object's path to every machine. */
  keep(key: string): Promise<void>;
  /** The same for everything in a folder. */
  keepFolder(prefix: string): Promise<void>;
  /** What this machine has of a folder may be older than what another one kept: that holds from now on. */
  takeOver(prefix: string): Promise<void>;
  /**
   * Forgets this machine's copy of an object that turned out to be damaged.
   * @returns whether the object may still be whole in the store; false where the copy is the object
   */
  dropCopy(key: string): Promise<boolean>;
  /** Address from which a client can fetch the object for some minutes; undefined if only this service has it. */
  address(key: string, filename: string): Promise<string | undefined>;
  /** Every key but that of the identity and that of the mark, in any order. */
  keys(): AsyncGenerator<string>;
  stop(): Promise<void>;
}
