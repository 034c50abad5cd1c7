// Objects as files below one folder. An object appears under its name only when it is complete: it is written
// beside it first and renamed, so that a kill in between leaves no half object.
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errors } from "../../errors.ts";
import { isFull } from "../free-space.ts";
import type { ByteRange, ObjectStore } from "./object-store.ts";

const SAFE_KEY = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;

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
  private nextTemporary = 0;

  constructor(private readonly folder: string) {}

  async write(key: string, content: Readable, limitBytes = Number.POSITIVE_INFINITY): Promise<number> {
    const counted = new Limiter(limitBytes);
    await this.replace(key, (temporary) => pipeline(content, counted, createWriteStream(temporary)));
    return counted.bytes;
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    await this.replace(key, (temporary) => writeFile(temporary, content));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.path(key)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? errors.notFound("object") : error;
    });
    return createReadStream("", { fd: file, ...(range ?? {}) });
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.path(key))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.path(key), { force: true });
  }

  async removeFolder(prefix: string): Promise<void> {
    const folder = this.path(prefix);
    try {
      // Half the turns of threads that `rm` takes for a folder of files alone, as nearly all are.
      const names = await readdir(folder);
      await Promise.all(names.map((name) => unlink(path.join(folder, name))));
      await rmdir(folder);
    } catch {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async localPath(key: string): Promise<string> {
    const file = this.path(key);
    const folder = path.dirname(file);
    // Looking costs a twentieth of a turn of a thread, and a job asks for ten paths.
    if (!existsSync(folder)) await mkdir(folder, { recursive: true });
    return file;
  }

  /** Written is kept. */
  async keep(): Promise<void> {}
  async keepFolder(): Promise<void> {}
  async takeOver(): Promise<void> {}
  async stop(): Promise<void> {}

  async address(): Promise<undefined> {
    return undefined;
  }

  async *keys(): AsyncGenerator<string> {
    yield* this.keysBelow("");
  }

  private async *keysBelow(prefix: string): AsyncGenerator<string> {
    const items = await readdir(path.join(this.folder, prefix), { withFileTypes: true }).catch(() => []);
    for (const { name } of items.filter((item) => item.isDirectory())) yield* this.keysBelow(`${prefix}${name}/`);
    for (const { name } of items.filter((item) => item.isFile())) {
      if (SAFE_KEY.test(prefix + name) && !name.endsWith(".part")) yield prefix + name;
    }
  }

  private async replace(key: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const file = await this.localPath(key);
    const temporary = `${file}.${process.pid}-${this.nextTemporary++}.part`;
    try {
      await write(temporary);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw isFull(error) ? errors.storageFull(0, 0, this.folder) : error;
    }
  }

  private path(key: string): string {
    if (!SAFE_KEY.test(key)) throw new Error(`"${key}" is not an object key`);
    return path.join(this.folder, ...key.split("/"));
  }
}
