// Makes local copies of objects in a bucket: one at a time for each object, whole or not at all, and none of an object that is deleted meanwhile.
import { addAbortSignal, type Readable } from "node:stream";
import { errors, ParlanceError } from "../../errors.ts";
import { shortageOf } from "../../system-shortage.ts";
import type { FileStore } from "./file-store.ts";
import type { LocalCopies } from "./local-copies.ts";
import { isMissing } from "./s3-requests.ts";

interface Making {
  /** Resolves also if the copy was cancelled. */
  done: Promise<void>;
  ending: AbortController;
  /** The copy may get its name from now on. */
  isWriting: boolean;
}

interface MadeCopiesOptions {
  cache: Pick<FileStore, "size" | "write" | "remove">;
  copies: LocalCopies;
  /** Bytes of the object; undefined if the store has none. @throws storage.unavailable */
  sizeOf(key: string): Promise<number | undefined>;
  /** @throws errors of the store */
  open(key: string): Promise<Readable>;
}

export class MadeCopies {
  private readonly making = new Map<string, Making>();

  constructor(private readonly options: MadeCopiesOptions) {}

  /**
   * Makes a copy if there is none. Calls at the same time share it. Without an object in the store, none is made.
   * @returns whether there was one
   * @throws storage.full, storage.unavailable
   */
  async make(key: string): Promise<boolean> {
    for (let isFirst = true; ; isFirst = false) {
      if ((await this.options.cache.size(key)) !== undefined) return isFirst;
      const making = this.making.get(key) ?? this.begin(key);
      await making.done;
      if (!making.ending.signal.aborted) return false;
    }
  }

  /** Ends the making of copies. After this, none of them gets its name. */
  async cancel(matches: (key: string) => boolean): Promise<void> {
    const ending = [...this.making].filter(([key]) => matches(key));
    await Promise.all(
      ending.map(async ([key, making]) => {
        making.ending.abort();
        this.making.delete(key);
        if (making.isWriting) await making.done;
      }),
    );
  }

  private begin(key: string): Making {
    const making: Making = { done: Promise.resolve(), ending: new AbortController(), isWriting: false };
    making.done = this.copy(key, making).finally(() => {
      if (this.making.get(key) === making) this.making.delete(key);
    });
    this.making.set(key, making);
    return making;
  }

  private async copy(key: string, making: Making): Promise<void> {
    const { cache, copies, sizeOf, open } = this.options;
    const { signal } = making.ending;
    const bytes = await sizeOf(key);
    // The object will be written later.
    if (bytes === undefined) return;
    const free = await copies.reserve(key, bytes);
    try {
      if (signal.aborted) return;
      const content = await open(key);
      making.isWriting = true;
      const written = await cache.write(key, addAbortSignal(signal, content));
      // It may have been stored again meanwhile; otherwise, the content ended too early.
      if (written !== bytes && written !== (await sizeOf(key).catch(() => undefined))) {
        await cache.remove(key);
        throw errors.storageUnavailable(new Error(`${key}: ${written} of ${bytes} bytes`));
      }
      copies.added(key, written);
    } catch (error) {
      if (signal.aborted || isMissing(error)) return;
      // A full local disk is no outage of the store.
      if (error instanceof ParlanceError || shortageOf(error) !== undefined) throw error;
      throw errors.storageUnavailable(error);
    } finally {
      free();
    }
  }
}
