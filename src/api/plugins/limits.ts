// Requests a second of one account. A bucket of tokens: short bursts of up to a second's worth pass.

import { errors } from "../../platform/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import type { Api, ApiContext } from "../context.ts";

interface Bucket {
  tokens: number;
  filledAt: number;
}

const SWEEP_MILLISECONDS = 60_000;

export function addRequestLimits(app: Api, { settings }: Pick<ApiContext, "settings">): void {
  const buckets = new Map<string, Bucket>();
  const sweep = setInterval(() => {
    const before = performance.now() - SWEEP_MILLISECONDS;
    for (const [id, bucket] of buckets) if (bucket.filledAt < before) buckets.delete(id);
  }, SWEEP_MILLISECONDS);
  sweep.unref();
  app.addHook("onClose", async () => clearInterval(sweep));

  app.addHook("onRequest", async (request) => {
    // Routes without a key have no account.
    if (!request.account) return;
    const { requestsPerSecond } = limitsOf(request.account, settings);
    if (requestsPerSecond === 0) return;
    const now = performance.now();
    const capacity = Math.max(1, requestsPerSecond);
    const bucket = buckets.get(request.account.id) ?? { tokens: capacity, filledAt: now };
    const filled = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) / 1000) * requestsPerSecond);
    const isAllowed = filled >= 1;
    buckets.set(request.account.id, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    if (!isAllowed) throw errors.tooManyRequests(requestsPerSecond, (1 - filled) / requestsPerSecond);
  });
}
