// Notices outages of the database. Until the workers have renewed the leases that expired meanwhile, no lease says that a job was abandoned.
import { LEASE_SECONDS } from "../../platform/storage/db/jobs/leases.ts";

/** Times are of a clock that is never set back, in milliseconds. */
export class OutageWatch {
  private sparedUntil = Number.NEGATIVE_INFINITY;

  /** Called when the database could not be reached. A slow answer is no outage: a busy database must not suspend the recovery. */
  failed(now: number): void {
    this.sparedUntil = now + LEASE_SECONDS * 1000;
  }

  /** Whether workers may not have renewed their leases since an outage. */
  isRecent(now: number): boolean {
    return now < this.sparedUntil;
  }
}
