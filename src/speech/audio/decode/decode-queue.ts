// Chooses the file that a decoder process works on next. Accounts share the decoders by the time that each has used;
// within an account, short files precede long ones.
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import type { MediaAnswer, MediaTask } from "./message.ts";

/** A requested file. */
export interface MediaFile {
  readonly id: number;
  /** Account. */
  readonly tenant: string;
  readonly task: MediaTask;
  /** Its process died or hung: it is retried in a process without other files. */
  isSuspect: boolean;
  /** Process that has it open. */
  place: DecoderSlot | undefined;
  /** Process id of the child that has it open; a restarted child does not know the file. */
  openedBy: number | undefined;
  /** Reason for cancelling it; it only has to be closed. */
  cancellation: ParlanceError | undefined;
  /** Time spent on it in the current attempt. */
  spentMilliseconds: number;
  /** Number of processes lost during the turns of other files. */
  losses: number;
  resolve(answer: MediaAnswer): void;
  reject(error: ParlanceError): void;
  progress(share: number): void;
}

/** A decoder process, as seen by the queue. */
export interface DecoderSlot {
  /** Only takes suspects, one at a time. */
  readonly isIsolated: boolean;
}

/** Open files per process; each takes some megabytes. */
const MOST_OPEN = 32;
/** From this number of open files on, a process only opens the first file of an account. */
const MOST_OPEN_SHARED = 8;
/** Open files of one account per process. */
const MOST_OPEN_PER_TENANT = 4;
/** Most recordings of up to ten minutes are decoded within this time. */
const SHORT_MILLISECONDS = 2_000;
/** Bounds of waiting uploads, per account and in total; further ones are answered 503. */
const MOST_WAITING_PER_TENANT = 256;
const MOST_WAITING = 4_096;

interface TenantUse {
  files: number;
  usedMilliseconds: number;
  lastTurn: number;
}

export class DecodeQueue {
  private readonly files = new Set<MediaFile>();
  private readonly tenants = new Map<string, TenantUse>();
  private turns = 0;

  add(file: MediaFile): void {
    this.files.add(file);
    const known = this.tenants.get(file.tenant);
    if (known) {
      known.files++;
      return;
    }
    // A new account starts with the lowest usage of the others: idle time gives it no credit.
    const used = [...this.tenants.values()].map(({ usedMilliseconds }) => usedMilliseconds);
    this.tenants.set(file.tenant, {
      files: 1,
      usedMilliseconds: used.length === 0 ? 0 : Math.min(...used),
      lastTurn: 0,
    });
  }

  remove(file: MediaFile): void {
    if (!this.files.delete(file)) return;
    const use = this.tenants.get(file.tenant);
    if (use && --use.files === 0) this.tenants.delete(file.tenant);
  }

  /** Rejects all files. */
  clear(error: ParlanceError): void {
    for (const file of [...this.files]) {
      this.remove(file);
      file.reject(error);
    }
  }

  /** @throws decode.queue_full if the bound for this account, or for all, is reached */
  checkRoom(tenant: string): void {
    let waiting = 0;
    let own = 0;
    for (const file of this.files) {
      if (file.place) continue;
      waiting++;
      if (file.tenant === tenant) own++;
    }
    if (own >= MOST_WAITING_PER_TENANT || waiting >= MOST_WAITING) throw errors.decodersBusy();
  }

  openIn(place: DecoderSlot): MediaFile[] {
    return [...this.files].filter((file) => file.place === place);
  }

  /** The next file for this process; undefined if there is none. */
  next(place: DecoderSlot): MediaFile | undefined {
    const open = this.openIn(place);
    const cancellation = open.find((file) => file.cancellation);
    if (cancellation) return cancellation;
    let chosen: MediaFile | undefined;
    for (const file of this.files) {
      const isCandidate = file.place === place || (!file.place && this.mayOpen(file, place, open));
      if (isCandidate && !file.cancellation && (!chosen || this.isBefore(file, chosen))) chosen = file;
    }
    return chosen;
  }

  begin(file: MediaFile): void {
    const use = this.tenants.get(file.tenant);
    if (use) use.lastTurn = ++this.turns;
  }

  end(file: MediaFile, milliseconds: number): void {
    file.spentMilliseconds += milliseconds;
    const use = this.tenants.get(file.tenant);
    if (use) use.usedMilliseconds += milliseconds;
  }

  private mayOpen(file: MediaFile, place: DecoderSlot, open: readonly MediaFile[]): boolean {
    if (file.isSuspect !== place.isIsolated) return false;
    if (place.isIsolated) return open.length === 0;
    const own = open.filter(({ tenant }) => tenant === file.tenant).length;
    if (own === 0) return open.length < MOST_OPEN;
    return open.length < MOST_OPEN_SHARED && own < MOST_OPEN_PER_TENANT;
  }

  private isBefore(left: MediaFile, right: MediaFile): boolean {
    if (left.tenant !== right.tenant) {
      const [one, other] = [left, right].map(({ tenant }) => this.tenants.get(tenant) as TenantUse) as [
        TenantUse,
        TenantUse,
      ];
      const difference = one.usedMilliseconds - other.usedMilliseconds;
      return difference === 0 ? one.lastTurn < other.lastTurn : difference < 0;
    }
    const [one, other] = [rankOf(left), rankOf(right)];
    return one === other ? left.id < right.id : one < other;
  }
}

/**
 * Priority within one account: probes first, because an upload waits for them; then files that may be short; then long
 * ones.
 */
function rankOf({ task, spentMilliseconds }: MediaFile): number {
  if (spentMilliseconds >= SHORT_MILLISECONDS) return 2;
  return task.kind === "probe" ? 0 : 1;
}
