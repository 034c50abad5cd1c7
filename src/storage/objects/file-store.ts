// Objects as files below one folder. An object appears under its name only when it is complete: it is written
// beside it first and renamed, so that a kill in between leaves no half object.
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errors } from "../../errors.ts";
import { isFull } from "../free-space.ts";
import type { ByteRange, ObjectStore } from "./object-store.ts";

const SAFE_KEY = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;

function limiter(limitBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limitBytes) done(errors.fileTooLarge(limitBytes));
      else done(null, chunk);
    },
  });
}

export class FileStore implements ObjectStore {
  private nextTemporary = 0;

  constructor(private readonly folder: string) {}

  async write(key: string, content: Readable, limitBytes = Number.POSITIVE_INFINITY): Promise<number> {
    return this.replace(key, async (temporary) => {
      await pipeline(content, limiter(limitBytes), createWriteStream(temporary));
    });
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    await this.replace(key, async (temporary) => {
      const file = await open(temporary, "w");
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
    });
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
    await rm(this.path(prefix), { recursive: true, force: true });
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

  private async replace(key: string, write: (temporary: string) => Promise<void>): Promise<number> {
    const file = await this.localPath(key);
    const temporary = `${file}.${process.pid}-${this.nextTemporary++}.part`;
    try {
      await write(temporary);
      const { size } = await stat(temporary);
      await rename(temporary, file);
      return size;
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
