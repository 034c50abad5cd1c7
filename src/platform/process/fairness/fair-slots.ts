// A semaphore shared by tenants: a free slot goes to the waiting tenant that holds the fewest, and no tenant may exceed
// its share.
import { errors, type ParlanceError } from "../../errors.ts";
import { FairQueue } from "./fair-queue.ts";

export interface FairSlotsOptions {
  /** Slots of all tenants together; at least 1. */
  slots: number;
  /** Slots of one tenant; at least 1. Default: all. */
  slotsPerTenant?: number;
  /** Waiting requests of one tenant; default: unbounded. */
  waitingPerTenant?: number;
  /** Waiting requests of all tenants; default: unbounded. */
  waiting?: number;
  /** Error for a request when the queue is full. */
  full?: () => ParlanceError;
}

interface Request {
  tenant: string;
  grant(): void;
}

export class FairSlots {
  private readonly held = new Map<string, number>();
  private readonly queue = new FairQueue<Request>();
  private taken = 0;

  constructor(private readonly options: FairSlotsOptions) {}

  /** Number of waiting requests. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Waits for a slot.
   * @returns releases the slot; further calls have no effect
   * @throws the error of `full`; work.aborted
   */
  async acquire(tenant: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw errors.aborted();
    const { waitingPerTenant = Number.POSITIVE_INFINITY, waiting = Number.POSITIVE_INFINITY, full } = this.options;
    if (this.mayTake(tenant)) return this.take(tenant);
    if (this.queue.countOf(tenant) >= waitingPerTenant || this.queue.length >= waiting) {
      throw full?.() ?? errors.aborted();
    }
    return new Promise((resolve, reject) => {
      const request: Request = {
        tenant,
        grant: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve(this.take(tenant));
        },
      };
      const onAbort = () => {
        if (this.queue.remove(tenant, request)) reject(errors.aborted());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.queue.add(tenant, request);
    });
  }

  /** Runs `work` in a slot. @throws as acquire, and the errors of `work` */
  async run<Result>(tenant: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(tenant, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private loadOf(tenant: string): number | undefined {
    const held = this.held.get(tenant) ?? 0;
    return held < (this.options.slotsPerTenant ?? this.options.slots) ? held : undefined;
  }

  private mayTake(tenant: string): boolean {
    return this.taken < this.options.slots && this.loadOf(tenant) !== undefined;
  }

  private take(tenant: string): () => void {
    this.taken++;
    this.held.set(tenant, (this.held.get(tenant) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.taken--;
      const left = (this.held.get(tenant) ?? 1) - 1;
      if (left === 0) this.held.delete(tenant);
      else this.held.set(tenant, left);
      this.grantNext();
    };
  }

  private grantNext(): void {
    while (this.taken < this.options.slots) {
      const request = this.queue.next((tenant) => this.loadOf(tenant));
      if (!request) return;
      request.grant();
    }
  }
}
