// Room for the local copies of objects in a bucket. Each reader has a lease on its copy, which ends with the use. The bytes of all copies count
// against the limit: leased ones, those being made, and deleted files that a reader still has open. A new copy evicts those that nobody uses.
// If the others leave no room, it waits for the end of leases, and fails after a time.
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { errors } from "../../errors.ts";
import { Waker } from "../../process/waker.ts";
import type { FreeSpace } from "../free-space.ts";
import { isCopied, sweepCopies } from "./sweep-copies.ts";

export interface LocalCopiesOptions {
  /** Folder of the copies. */
  cache: string;
  /** Unused copies beyond this go. */
  cacheBytes: number;
  /** Whether the store has the object of this size. @throws storage.unavailable */
  isStored(key: string, bytes: number): Promise<boolean>;
  /** Disk of the copies; undefined checks no disk. */
  space?: Pick<FreeSpace, "check"> | undefined;
  /** Copies in use may take this in any case; tests lower it. */
  leastBytesInUse?: number | undefined;
  /** Longest wait of a new copy for room; tests shorten it. */
  waitMilliseconds?: number | undefined;
}

/** With a low limit, work that has begun still needs its copies. */
const LEAST_BYTES_IN_USE = 1_000_000_000;
/** A path without a lease counts as in use for this time after it was handed out. */
const HANDED_OUT_MILLISECONDS = 600_000;
/** The same while a new copy waits for room. */
const HANDED_OUT_AT_LEAST_MILLISECONDS = 60_000;
/** Longer than the time above, so that paths without a lease end no wait with an error. */
const WAIT_MILLISECONDS = 75_000;
const LOOK_MILLISECONDS = 1_000;
const SWEEP_MILLISECONDS = 60_000;
/** Share of the limit that a sweep leaves free, so that not every new copy reads the folders. */
const SPARE_SHARE = { sweep: 0.1, copy: 0.01 };
/** Bytes that are written between two looks at the limit. */
const STEP_BYTES = 4_000_000;

interface Lease {
  readers: number;
  /** Of a file that was removed while it was leased; its room is free when the last reader has ended. */
  detachedBytes: number | undefined;
}

export class LocalCopies {
  private readonly leases = new Map<string, Lease>();
  /** Times at which paths without a lease were handed out last. */
  private readonly handedOut = new Map<string, number>();
  /** Removals of files that have begun. */
  private readonly evictions = new Map<string, Promise<boolean>>();
  /** Of the copies in the folder: as of the last look, and what was added since. Undefined before the first look. */
  private known: number | undefined;
  /** Of copies that are being made. */
  private reserved = 0;
  private detached = 0;
  /** Copies get room in the order in which they need it. */
  private turn: Promise<unknown> = Promise.resolve();
  private sweeping: Promise<number> = Promise.resolve(0);
  private readonly news = new Waker();
  private readonly stopping = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private isSweeping = false;

  constructor(private readonly options: LocalCopiesOptions) {
    this.timer = setInterval(() => void this.sweepRegularly(), SWEEP_MILLISECONDS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.stopping.abort();
  }

  /** Keeps a copy until the lease ends. The copy may be made later. @returns ends the lease */
  async lease(key: string): Promise<() => void> {
    const lease = this.leases.get(key) ?? { readers: 0, detachedBytes: undefined };
    this.leases.set(key, lease);
    lease.readers++;
    await this.evictions.get(key);
    return () => this.release(key, lease);
  }

  /** Keeps a copy for a time: a path was handed out for which the reader has no lease. */
  async handOut(key: string): Promise<void> {
    if (!isCopied(key)) return;
    this.handedOut.set(key, performance.now());
    await this.evictions.get(key);
  }

  /** A file is removed. If a reader has it open, its bytes count until the reader has ended. @param bytes  of the file */
  detach(key: string, bytes: number | undefined): void {
    const lease = this.leases.get(key);
    this.handedOut.delete(key);
    if (!lease || bytes === undefined || !isCopied(key)) return;
    this.leases.delete(key);
    lease.detachedBytes = bytes;
    this.detached += bytes;
  }

  isLeased(key: string): boolean {
    return this.leases.has(key);
  }

  /** A file is complete. */
  added(key: string, bytes: number): void {
    if (isCopied(key) && this.known !== undefined) this.known += bytes;
  }

  /**
   * Waits until a new copy has room.
   * @returns gives the reserved room back, when the copy is complete or has failed
   * @throws storage.full, storage.unavailable; work.aborted after `stop`
   */
  async reserve(key: string, bytes: number): Promise<() => void> {
    const until = performance.now() + (this.options.waitMilliseconds ?? WAIT_MILLISECONDS);
    const counted = isCopied(key) ? bytes : 0;
    const granted = this.turn.then(() => this.waitForRoom(counted, bytes, until));
    this.turn = granted.catch(() => undefined);
    await granted;
    return () => this.free(counted);
  }

  /** Counts what is written as it passes, and evicts unused copies for it. @returns gives the room back */
  growing(key: string, content: Readable): { content: Readable; free(): void } {
    if (!isCopied(key)) return { content, free: () => undefined };
    let bytes = 0;
    const counted = async function* (this: LocalCopies) {
      let unlooked = 0;
      for await (const chunk of content) {
        bytes += chunk.length;
        this.reserved += chunk.length;
        unlooked += chunk.length;
        if (unlooked >= STEP_BYTES) {
          unlooked = 0;
          // The disk is checked by the sender of the content. An outage of the store must not end what it received before.
          if (!this.fits(0)) await this.evict(0, false).catch(() => undefined);
        }
        yield chunk;
      }
    };
    return { content: Readable.from(counted.call(this), { objectMode: false }), free: () => this.free(bytes) };
  }

  private fits(bytes: number, limit = this.options.cacheBytes): boolean {
    return this.known !== undefined && this.known + this.reserved + this.detached + bytes <= limit;
  }

  private async waitForRoom(counted: number, bytes: number, until: number): Promise<void> {
    const { cacheBytes, leastBytesInUse = LEAST_BYTES_IN_USE, space } = this.options;
    const most = Math.max(cacheBytes, leastBytesInUse);
    let hasEvicted = false;
    for (let isFirst = true; ; isFirst = false) {
      const { signal } = this.stopping;
      if (signal.aborted) throw errors.aborted();
      const seen = this.news.count;
      let inUse = 0;
      if (counted > 0 && !this.fits(counted)) inUse = await this.evict(counted, !isFirst);
      const isAlone = inUse + this.reserved + this.detached === 0;
      const isLate = performance.now() >= until;
      if (counted === 0 || this.fits(counted, most) || isAlone) {
        const full = await space?.check("begun", bytes).then(
          () => undefined,
          (error: unknown) => ({ error }),
        );
        if (!full) {
          this.reserved += counted;
          return;
        }
        // The free space is measured again after a moment.
        const evicted = await this.evictBytes(bytes);
        if (isLate || (evicted === 0 && !hasEvicted)) throw full.error;
        hasEvicted = evicted > 0;
      } else if (isLate) throw errors.copiesInUse(bytes, most);
      await this.news.wait(LOOK_MILLISECONDS, signal, seen);
    }
  }

  private free(bytes: number): void {
    this.reserved -= bytes;
    this.news.wake();
  }

  private release(key: string, lease: Lease): void {
    if (--lease.readers > 0) return;
    if (lease.detachedBytes === undefined) this.leases.delete(key);
    else this.detached -= lease.detachedBytes;
    this.news.wake();
  }

  private isInUse(key: string, isUrgent: boolean): boolean {
    const most = isUrgent ? HANDED_OUT_AT_LEAST_MILLISECONDS : HANDED_OUT_MILLISECONDS;
    const isRecent = (at: number | undefined) => at !== undefined && performance.now() - at < most;
    if (this.leases.has(key) || isRecent(this.handedOut.get(key))) return true;
    if (!key.startsWith("peaks/") || key.endsWith(".json")) return false;
    // A folder with the peaks of the tracks of a recording.
    const isBelow = (one: string) => one.startsWith(`${key}/`);
    return (
      [...this.leases.keys()].some(isBelow) || [...this.handedOut].some(([one, at]) => isBelow(one) && isRecent(at))
    );
  }

  /** Removes unused copies until these bytes have room, too. @returns bytes of the copies in use, if there is no room */
  private evict(bytes: number, isUrgent: boolean, share = SPARE_SHARE.copy): Promise<number> {
    const limit = () => this.options.cacheBytes * (1 - share) - this.reserved - this.detached - bytes;
    return this.remove(limit, isUrgent);
  }

  /** Removes unused copies of about these bytes. @returns how many bytes are removed */
  private async evictBytes(bytes: number): Promise<number> {
    if (this.known === undefined) await this.remove(() => Number.POSITIVE_INFINITY, false);
    const before = this.known ?? 0;
    await this.remove(() => before - bytes, true);
    return before - (this.known ?? 0);
  }

  /** One removal at a time. */
  private remove(limit: () => number, isUrgent: boolean): Promise<number> {
    const { cache, isStored } = this.options;
    const sweep = () =>
      sweepCopies({
        cache,
        isStored,
        cacheBytes: limit(),
        onFound: (bytes) => {
          this.known = bytes;
        },
        isInUse: (key) => this.isInUse(key, isUrgent),
        remove: async ({ key, file, bytes }) => {
          if (this.isInUse(key, isUrgent)) return false;
          // A copy that cannot be removed stays counted.
          const removal = rm(file, { recursive: true, force: true }).then(
            () => true,
            () => false,
          );
          this.evictions.set(key, removal);
          const isRemoved = await removal;
          this.evictions.delete(key);
          if (isRemoved) this.known = Math.max(0, (this.known ?? 0) - bytes);
          return isRemoved;
        },
      });
    this.sweeping = this.sweeping.catch(() => undefined).then(sweep);
    return this.sweeping;
  }

  private async sweepRegularly(): Promise<void> {
    const now = performance.now();
    for (const [key, at] of this.handedOut) if (now - at > HANDED_OUT_MILLISECONDS) this.handedOut.delete(key);
    // A slow one would be repeated behind itself.
    if (this.isSweeping) return;
    this.isSweeping = true;
    await this.evict(0, false, SPARE_SHARE.sweep).catch(() => undefined);
    this.isSweeping = false;
  }
}
