// Room on the disk that holds the data. A part of it is kept back: what was accepted must be brought to its end, and the
// database must never meet a full disk, so new work is refused before there is none left.
import { statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import { errors, ParlanceError } from "../errors.ts";
import { sleep } from "../process/sleep.ts";
import { shortageOf } from "../system-shortage.ts";

/** What was begun may use most of what is kept back. */
const SHARE_FOR_BEGUN = 0.25;
const KNOWN_MILLISECONDS = 200;
const LOOK_MILLISECONDS = 500;
/** Bytes that are stored between two looks at the free space. */
const LOOK_BYTES = 4_000_000;

/** new: something that is not accepted yet; begun: what was. */
export type Purpose = "new" | "begun";

export class FreeSpace {
  private known: { at: number; free: Promise<number> } | undefined;

  /** @param reserveBytes  0 looks at nothing */
  constructor(
    private readonly folder: string,
    private readonly reserveBytes: number,
  ) {}

  /** @param bytes  that are to be written */
  async hasRoom(purpose: Purpose, bytes = 0): Promise<boolean> {
    if (this.reserveBytes === 0) return true;
    return (await this.free()) - bytes > this.reserveBytes * (purpose === "new" ? 1 : SHARE_FOR_BEGUN);
  }

  /** @param bytes  that are to be written @throws storage.full */
  async check(purpose: Purpose = "new", bytes = 0): Promise<void> {
    if (!(await this.hasRoom(purpose, bytes)))
      throw errors.storageFull(await this.free(), this.reserveBytes, this.folder);
  }

  /** Files were removed: the next check measures again. */
  changed(): void {
    this.known = undefined;
  }

  /** The same bytes; the stream fails with storage.full when they would take the room that is kept back. */
  guarded(content: AsyncIterable<Buffer>, purpose: Purpose): Readable {
    const looking = async function* (this: FreeSpace): AsyncGenerator<Buffer> {
      let unlooked = 0;
      for await (const chunk of content) {
        unlooked += chunk.length;
        if (unlooked >= LOOK_BYTES) {
          unlooked = 0;
          await this.check(purpose);
        }
        yield chunk;
      }
    };
    return Readable.from(looking.call(this), { objectMode: false });
  }

  /** Whether there is clearly room: something that has just met a full disk filled it itself. Unknown where nothing is kept back. */
  async hasPlenty(): Promise<boolean> {
    if (this.reserveBytes === 0) return false;
    this.changed();
    return this.hasRoom("new");
  }

  /**
   * Does work that writes much, and ends it before the disk is full.
   * @param bytes  that it will write, as far as is known
   * @param work  gets a signal that is aborted when there is no room left, or when `signal` is
   * @throws storage.full; what `work` throws
   */
  async whileThereIsRoom<Result>(
    bytes: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (this.reserveBytes === 0) return work(signal);
    await this.check("begun", bytes);
    const ending = new AbortController();
    const onAbort = () => ending.abort(signal.reason);
    let full: unknown;
    const look = () =>
      this.check("begun").catch((error: unknown) => {
        if (!isFull(error)) return;
        full = error;
        ending.abort();
      });
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setInterval(look, KNOWN_MILLISECONDS);
    try {
      return await work(ending.signal);
    } catch (error) {
      throw signal.aborted ? error : (full ?? error);
    } finally {
      clearInterval(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Returns when there is room, or `signal` is aborted. */
  async room(purpose: Purpose, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.hasRoom(purpose))) {
      await sleep(LOOK_MILLISECONDS, signal);
    }
  }

  /** Bytes, as of a moment ago. */
  free(): Promise<number> {
    const now = performance.now();
    if (this.known && now - this.known.at < KNOWN_MILLISECONDS) return this.known.free;
    const free = statfs(this.folder).then(({ bavail, bsize }) => bavail * bsize);
    this.known = { at: now, free };
    return free;
  }
}

/** Whether something failed because there was no room: our own error, the system's, or the database's. */
export function isFull(thrown: unknown): boolean {
  return (thrown instanceof ParlanceError && thrown.code === "storage.full") || shortageOf(thrown) === "room";
}
