// Local copies of objects in a bucket, within a limit. A reader has a lease on its copy, which ends with the use. A new copy evicts copies without
// a lease, the least recently used first. Leased copies may exceed the limit, because running jobs read them.
import { rm } from "node:fs/promises";
import type { FreeSpace } from "../free-space.ts";
import { isCopied, sweepCopies } from "./sweep-copies.ts";

export interface LocalCopiesOptions {
  /** Folder of the copies. */
  cache: string;
  /** Unused copies beyond this go. */
  cacheBytes: number;
  /** Whether the store has the object of this size. @throws storage.unavailable */
  isStored(key: string, bytes: number): Promise<boolean>;
  /** Free space of the disk with the copies; undefined checks none. */
  space?: Pick<FreeSpace, "check" | "changed"> | undefined;
}

/** A path without a lease counts as in use for this time after it was handed out. */
const HANDED_OUT_MILLISECONDS = 600_000;
const SWEEP_MILLISECONDS = 60_000;
/** Share of the limit that a sweep leaves free, so that not every new copy reads the folders. */
const SPARE_SHARE = 0.05;

export class LocalCopies {
  /** Readers of each copy. */
  private readonly leases = new Map<string, number>();
  /** Times at which paths without a lease were handed out last. */
  private readonly handedOut = new Map<string, number>();
  /** Removals of files that have begun. */
  private readonly evictions = new Map<string, Promise<void>>();
  /** Bytes of the copies in the folder: as of the last look, and what was added since. Undefined before the first look. */
  private known: number | undefined;
  /** Bytes of copies that are being made. */
  private reserved = 0;
  private sweeping: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: LocalCopiesOptions) {
    this.timer = setInterval(() => void this.sweepRegularly(), SWEEP_MILLISECONDS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Keeps a copy until the lease ends. The copy may be made later. @returns ends the lease */
  async lease(key: string): Promise<() => void> {
    this.leases.set(key, (this.leases.get(key) ?? 0) + 1);
    await this.evictions.get(key);
    return () => {
      const left = (this.leases.get(key) ?? 1) - 1;
      if (left > 0) this.leases.set(key, left);
      else this.leases.delete(key);
    };
  }

  /** Keeps a copy for a time: a path was handed out for which the reader has no lease. */
  async handOut(key: string): Promise<void> {
    if (!isCopied(key)) return;
    this.handedOut.set(key, performance.now());
    await this.evictions.get(key);
  }

  /** A file is complete. */
  added(key: string, bytes: number): void {
    if (isCopied(key) && this.known !== undefined) this.known += bytes;
  }

  /**
   * Evicts unused copies until a new one has room, as far as there are any.
   * @returns to be called when the copy is complete or has failed
   * @throws storage.full if the disk has no room
   */
  async reserve(key: string, bytes: number): Promise<() => void> {
    const counted = isCopied(key) ? bytes : 0;
    this.reserved += counted;
    try {
      if (counted > 0) await this.keepLimit();
      await this.checkSpace(bytes);
    } catch (error) {
      this.reserved -= counted;
      throw error;
    }
    return () => {
      this.reserved -= counted;
    };
  }

  private isWithinLimit(): boolean {
    return this.known !== undefined && this.known + this.reserved <= this.options.cacheBytes;
  }

  /** On a full disk, the unused copies go before the new one fails. */
  private async checkSpace(bytes: number): Promise<void> {
    const { space } = this.options;
    if (!space) return;
    try {
      await space.check("begun", bytes);
    } catch {
      if (this.known === undefined) await this.evict(Number.POSITIVE_INFINITY);
      await this.evict((this.known ?? 0) - bytes);
      space.changed();
      await space.check("begun", bytes);
    }
  }

  private isInUse(key: string): boolean {
    const isRecent = (at: number | undefined) => at !== undefined && performance.now() - at < HANDED_OUT_MILLISECONDS;
    if (this.leases.has(key) || isRecent(this.handedOut.get(key))) return true;
    if (!key.startsWith("peaks/") || key.endsWith(".json")) return false;
    // A folder with the peaks of the tracks of a recording.
    const isBelow = (one: string) => one.startsWith(`${key}/`);
    return (
      [...this.leases.keys()].some(isBelow) || [...this.handedOut].some(([one, at]) => isBelow(one) && isRecent(at))
    );
  }

  /** Many new copies may wait for one removal that makes room for all of them. */
  private async keepLimit(): Promise<void> {
    if (this.isWithinLimit()) return;
    await this.inTurn(() => {
      if (this.isWithinLimit()) return undefined;
      return this.sweep(this.options.cacheBytes * (1 - SPARE_SHARE) - this.reserved);
    });
  }

  /** Removes unused copies until at most so many bytes are left. */
  private evict(bytes: number): Promise<void> {
    return this.inTurn(() => this.sweep(bytes));
  }

  /** One removal runs at a time. */
  private inTurn(remove: () => Promise<void> | undefined): Promise<void> {
    // While the store does not answer, its copies are the only ones: none is removed.
    this.sweeping = this.sweeping.then(remove).catch(() => undefined);
    return this.sweeping;
  }

  private sweep(cacheBytes: number): Promise<void> {
    const { cache, isStored } = this.options;
    return sweepCopies({
      cache,
      isStored,
      cacheBytes,
      onFound: (found) => {
        this.known = found;
      },
      isInUse: (key) => this.isInUse(key),
      remove: async ({ key, file, bytes }) => {
        if (this.isInUse(key)) return false;
        const removal = rm(file, { recursive: true, force: true }).finally(() => this.evictions.delete(key));
        this.evictions.set(
          key,
          removal.catch(() => undefined),
        );
        await removal;
        if (this.known !== undefined) this.known = Math.max(0, this.known - bytes);
        return true;
      },
    });
  }

  private async sweepRegularly(): Promise<void> {
    const now = performance.now();
    for (const [key, at] of this.handedOut) if (now - at > HANDED_OUT_MILLISECONDS) this.handedOut.delete(key);
    // Files were replaced and removed since the last look.
    this.known = undefined;
    await this.keepLimit();
  }
}
