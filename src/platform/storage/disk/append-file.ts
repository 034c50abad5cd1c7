// A file that only grows by whole appends. An append that a full disk cut off is removed before the next one.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { Disk } from "./disk.ts";
import { SharedSync } from "./shared-sync.ts";

export class AppendFile {
  private readonly shared: SharedSync;
  /** Operations that change the file run one after another. */
  private turn: Promise<unknown> = Promise.resolve();
  /** The file may be longer than `size`: an append failed and could not be undone. */
  private hasRest = false;
  /** Something was written that no sync that has begun includes. */
  private isDirty = false;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
    private bytes: number,
    disk: Disk,
  ) {
    this.shared = new SharedSync(async () => {
      if (!this.isDirty) return;
      this.isDirty = false;
      try {
        await disk.syncHandle(handle);
      } catch (error) {
        this.isDirty = true;
        throw error;
      }
    });
  }

  /** Opens a file, or makes it; its name is on disk then. */
  static async open(file: string, disk: Disk): Promise<AppendFile> {
    await disk.makeFolder(path.dirname(file));
    const handle = await open(file, "a+");
    try {
      const { size } = await handle.stat();
      if (size === 0) await disk.syncFolder(path.dirname(file));
      return new AppendFile(file, handle, size, disk);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes of all whole appends. */
  get size(): number {
    return this.bytes;
  }

  /**
   * Appends all of the bytes or none; they are on disk when a later `sync` resolves.
   * @throws what the system says; the file is as it was before, or will be at the next append
   */
  append(bytes: Uint8Array): Promise<void> {
    return this.inTurn(async () => {
      if (this.hasRest) await this.truncate(this.bytes);
      this.isDirty = true;
      try {
        await this.handle.appendFile(bytes);
      } catch (error) {
        await this.truncate(this.bytes).catch(() => undefined);
        throw error;
      }
      this.bytes += bytes.length;
    });
  }

  /** Removes what was appended after the file had this size. */
  cutBack(size: number): Promise<void> {
    return this.inTurn(() => this.truncate(size));
  }

  /** Resolves when everything appended so far is on disk; calls at the same time share a sync. */
  sync(): Promise<void> {
    return this.shared.request();
  }

  /** @param end  one past the last byte */
  async read(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, end - start));
    const { bytesRead } = await this.handle.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  /** @param end  one past the last byte */
  stream(start: number, end: number): Readable {
    return end > start ? createReadStream(this.file, { start, end: end - 1 }) : Readable.from([]);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async truncate(size: number): Promise<void> {
    this.bytes = size;
    this.hasRest = true;
    await this.handle.truncate(size);
    this.hasRest = false;
    this.isDirty = true;
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.turn.then(task);
    this.turn = done.catch(() => undefined);
    return done;
  }
}
