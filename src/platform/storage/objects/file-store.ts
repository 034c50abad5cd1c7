// Objects as files below one folder. An object appears under its name only when it is complete and on disk: it is written
// beside it first, synced and renamed, so that neither a kill nor a power cut leaves half an object.
import { createReadStream, existsSync } from "node:fs";
import { open, readdir, readFile, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import { errors, shortageError } from "../../errors.ts";
import { isAbsent } from "../disk/absent.ts";
import type { Disk } from "../disk/disk.ts";
import { streamToFile } from "../disk/stream-to-file.ts";
import { IDENTITY_KEY, identityIn, isKey } from "./keys.ts";
import type { ByteRange, ObjectStore } from "./object-store.ts";

const REMOVAL_TRIES = 5;
/** The wait grows by this time after each try. */
const REMOVAL_MILLISECONDS = 20;

/** Counts what passes. @throws media.too_large */
class Limiter extends Transform {
  bytes = 0;

  constructor(private readonly limitBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limitBytes) done(errors.fileTooLarge(this.limitBytes));
    else done(null, chunk);
  }
}

export class FileStore implements ObjectStore {
  readonly kind = "folder";
  readonly place: string;

  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
  ) {
    this.place = `the folder ${folder}`;
  }

  async identity(): Promise<string | undefined> {
    try {
      return identityIn(await readFile(this.path(IDENTITY_KEY), "utf8"));
    } catch (error) {
      if (isAbsent(error) || (error as NodeJS.ErrnoException).code === "EISDIR") return undefined;
      throw error;
    }
  }

  async setIdentity(identity: string): Promise<void> {
    // A damaged store may have a folder in the place of the file.
    if ((await stat(this.path(IDENTITY_KEY)).catch(() => undefined))?.isDirectory()) await this.remove(IDENTITY_KEY);
    await this.put(IDENTITY_KEY, identity);
  }

  async write(key: string, content: Readable, limitBytes = Number.POSITIVE_INFINITY): Promise<number> {
    const counted = new Limiter(limitBytes);
    await this.replace(key, (temporary) => streamToFile(temporary, content, counted));
    return counted.bytes;
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    await this.replace(key, (temporary) => writeFile(temporary, content));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.path(key)).catch((error: NodeJS.ErrnoException) => {
      throw isAbsent(error) ? errors.notFound("object") : error;
    });
    return createReadStream("", { fd: file, ...(range ?? {}) });
  }

  async size(key: string): Promise<number | undefined> {
    try {
      const found = await stat(this.path(key));
      return found.isFile() ? found.size : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    // A damaged store may have a folder in the place of the file.
    await rm(this.path(key), { recursive: true, force: true });
  }

  async removeFolder(prefix: string): Promise<void> {
    const folder = this.path(prefix);
    try {
      // Half the turns of threads that `rm` takes: nearly all have few files.
      const entries = await readdir(folder, { withFileTypes: true });
      await Promise.all(
        entries.map((entry) =>
          entry.isDirectory() ? this.removeFolder(`${prefix}/${entry.name}`) : unlink(path.join(folder, entry.name)),
        ),
      );
      await rmdir(folder);
    } catch {
      // A request that has not noticed the removal may add a file in the meantime, after which the folder is not empty.
      await rm(folder, { recursive: true, force: true, maxRetries: REMOVAL_TRIES, retryDelay: REMOVAL_MILLISECONDS });
    }
  }

  async foldersIn(prefix: string): Promise<string[]> {
    const entries = await readdir(this.path(prefix), { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  async localPath(key: string): Promise<string> {
    const file = this.path(key);
    const folder = path.dirname(file);
    // A check costs a twentieth of the time on a worker thread, and a job needs ten paths.
    if (!existsSync(folder)) await this.disk.makeFolder(folder);
    return file;
  }

  async whileCopied<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result> {
    return use(await this.localPath(key));
  }

  async keep(key: string): Promise<void> {
    const file = this.path(key);
    await this.disk.syncFile(file);
    await this.disk.syncFolder(path.dirname(file));
  }

  async keepFolder(prefix: string): Promise<void> {
    const folder = this.path(prefix);
    if (existsSync(folder)) await this.disk.syncTree(folder);
  }

  async takeOver(): Promise<void> {}
  /** The file is the object. */
  async dropCopy(): Promise<boolean> {
    return false;
  }
  async stop(): Promise<void> {}

  async address(): Promise<undefined> {
    return undefined;
  }

  async *keys(): AsyncGenerator<string> {
    for await (const key of this.keysBelow("")) if (key !== IDENTITY_KEY) yield key;
  }

  private async *keysBelow(prefix: string): AsyncGenerator<string> {
    const items = await readdir(path.join(this.folder, prefix), { withFileTypes: true }).catch(() => []);
    for (const { name } of items.filter((item) => item.isDirectory())) yield* this.keysBelow(`${prefix}${name}/`);
    for (const { name } of items.filter((item) => item.isFile())) {
      if (isKey(prefix + name) && !name.endsWith(".part")) yield prefix + name;
    }
  }

  private async replace(key: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const file = await this.localPath(key);
    try {
      await this.disk.replaceWith(file, write);
    } catch (error) {
      throw shortageError(error) ?? error;
    }
  }

  private path(key: string): string {
    if (!isKey(key)) throw new Error(`"${key}" is not an object key`);
    return path.join(this.folder, ...key.split("/"));
  }
}
