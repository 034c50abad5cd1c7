// The limit of requests a second of each account, over all interfaces.
import type { Settings } from "../../platform/config/settings.ts";
import { errors } from "../../platform/errors.ts";
import type { Account } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { limitsOf } from "./limits.ts";
import { RequestRate } from "./request-rate.ts";

export class RequestRates {
  private readonly rate: RequestRate;

  /** @param shared  the database of several processes; undefined if there is one process */
  constructor(
    private readonly settings: Settings,
    shared?: Database,
  ) {
    this.rate = new RequestRate(shared);
  }

  /** Counts a request. @throws limit.requests */
  async take(account: Account): Promise<void> {
    const { requestsPerSecond } = limitsOf(account, this.settings);
    if (requestsPerSecond === 0) return;
    const seconds = await this.rate.take(account.id, requestsPerSecond);
    if (seconds > 0) throw errors.tooManyRequests(requestsPerSecond, seconds);
  }

  stop(): void {
    this.rate.stop();
  }
}
