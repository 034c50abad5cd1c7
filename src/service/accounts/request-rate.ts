// Requests a second of an account: a bucket of tokens, so that bursts of up to a second's worth pass. With several processes, the bucket is
// a row, from which each process leases several tokens at once. A lease is valid for a second, so each process may exceed the limit by one
// lease: a tenth of a second's worth, and at least one request. While the database does not answer, each process limits alone.
import { leaseTokens } from "../../platform/storage/db/accounts/request-tokens.ts";
import type { Database } from "../../platform/storage/db/database.ts";

/** A lease is valid for this time. */
const LEASE_MILLISECONDS = 1_000;
const LEASE_SHARE = 10;
const SWEEP_MILLISECONDS = 60_000;

interface Bucket {
  /** Requests that this process may still allow: leased from the row, or its own while it limits alone. */
  tokens: number;
  filledAt: number;
  /** Tokens of the last lease. Each lease that is used up in time doubles it, so that a process with few requests leases few tokens. */
  batch: number;
  refusedUntil: number;
  leasing: Promise<void> | undefined;
  /** The database did not answer the last time. */
  isAlone: boolean;
}

export class RequestRate {
  private readonly buckets = new Map<string, Bucket>();
  private readonly sweeping: NodeJS.Timeout;

  /** @param shared  the database of several processes; undefined if there is one process */
  constructor(private readonly shared: Database | undefined) {
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MILLISECONDS);
    this.sweeping.unref();
  }

  stop(): void {
    clearInterval(this.sweeping);
  }

  /** @param rate  requests a second @returns seconds until a request is allowed; 0: this one is */
  async take(accountId: string, rate: number): Promise<number> {
    const capacity = Math.max(1, rate);
    const bucket = this.bucketOf(accountId, capacity);
    if (!this.shared) return this.takeAlone(bucket, rate, capacity);
    for (;;) {
      const now = performance.now();
      if (now - bucket.filledAt > LEASE_MILLISECONDS) bucket.tokens = 0;
      if (bucket.tokens >= 1) {
        bucket.tokens--;
        return 0;
      }
      if (now < bucket.refusedUntil) return (bucket.refusedUntil - now) / 1000;
      bucket.leasing ??= this.lease(this.shared, accountId, bucket, rate, capacity).finally(() => {
        bucket.leasing = undefined;
      });
      try {
        await bucket.leasing;
      } catch {
        if (!bucket.isAlone) Object.assign(bucket, { isAlone: true, tokens: capacity, filledAt: performance.now() });
        return this.takeAlone(bucket, rate, capacity);
      }
    }
  }

  private bucketOf(accountId: string, capacity: number): Bucket {
    const now = performance.now();
    const tokens = this.shared ? 0 : capacity;
    const made = { tokens, filledAt: now, batch: 1, refusedUntil: 0, leasing: undefined, isAlone: false };
    const bucket = this.buckets.get(accountId) ?? made;
    this.buckets.set(accountId, bucket);
    return bucket;
  }

  private takeAlone(bucket: Bucket, rate: number, capacity: number): number {
    const now = performance.now();
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) / 1000) * rate);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return (1 - bucket.tokens) / rate;
    bucket.tokens--;
    return 0;
  }

  private async lease(
    database: Database,
    accountId: string,
    bucket: Bucket,
    rate: number,
    capacity: number,
  ): Promise<void> {
    const isSoon = performance.now() - bucket.filledAt <= LEASE_MILLISECONDS;
    const most = Math.max(1, Math.floor(rate / LEASE_SHARE));
    const wanted = isSoon ? Math.min(most, bucket.batch * 2) : 1;
    const { granted, left } = await leaseTokens(database, accountId, { wanted, rate, capacity });
    const now = performance.now();
    Object.assign(bucket, { tokens: granted, filledAt: now, batch: wanted, isAlone: false });
    if (granted === 0) bucket.refusedUntil = now + ((1 - left) / rate) * 1000;
  }

  private sweep(): void {
    const before = performance.now() - SWEEP_MILLISECONDS;
    for (const [id, bucket] of this.buckets) if (bucket.filledAt < before && !bucket.leasing) this.buckets.delete(id);
  }
}
