// Requests a second of each account, over all interfaces of this process. A bucket of tokens: bursts of up to a second's worth pass.
import type { Settings } from "../../platform/config/settings.ts";
import { errors } from "../../platform/errors.ts";
import type { Account } from "../../platform/storage/db/accounts/accounts.ts";
import { limitsOf } from "./limits.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

const SWEEP_MILLISECONDS = 60_000;

export class RequestRates {
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt = performance.now();

  constructor(private readonly settings: Settings) {}

  /** Counts a request. @throws limit.requests */
  take(account: Account): void {
    const { requestsPerSecond } = limitsOf(account, this.settings);
    if (requestsPerSecond === 0) return;
    const now = performance.now();
    this.sweep(now);
    const capacity = Math.max(1, requestsPerSecond);
    const bucket = this.buckets.get(account.id) ?? { tokens: capacity, filledAt: now };
    const filled = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) / 1000) * requestsPerSecond);
    const isAllowed = filled >= 1;
    this.buckets.set(account.id, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    if (!isAllowed) throw errors.tooManyRequests(requestsPerSecond, (1 - filled) / requestsPerSecond);
  }

  /** Accounts without requests for a minute need no bucket: theirs is full. */
  private sweep(now: number): void {
    if (now - this.sweptAt < SWEEP_MILLISECONDS) return;
    for (const [id, { filledAt }] of this.buckets) if (filledAt < this.sweptAt) this.buckets.delete(id);
    this.sweptAt = now;
  }
}
