// Whether the clients of the sessions of this process can return to it. While they cannot, no session ends for their absence.

/** The database is down if no access check has succeeded for this long. */
const DATABASE_DOWN_MILLISECONDS = 5_000;
/** After an outage, clients have this long to return: they try again every few seconds. */
const RETURN_MILLISECONDS = 10_000;

export class ClientReach {
  /** When an access check last succeeded, and when this process last refused clients, by performance.now(). */
  private checkedAt = performance.now();
  private refusedAt = Number.NEGATIVE_INFINITY;

  /** @param storageProblem  why the logs can store nothing */
  constructor(private readonly storageProblem: () => string | undefined) {}

  /** The database has answered a periodic check. */
  databaseAnswered(): void {
    this.checkedAt = performance.now();
  }

  /**
   * Records whether clients can return now: to look up their tokens, this process needs the database, and to store their audio, the logs.
   * Call it more often than every RETURN_MILLISECONDS, so that no outage is missed.
   */
  observe(): void {
    const now = performance.now();
    const isDatabaseDown = now - this.checkedAt > DATABASE_DOWN_MILLISECONDS;
    if (isDatabaseDown || this.storageProblem() !== undefined) this.refusedAt = now;
  }

  /** Whether clients could return at any time in the last RETURN_MILLISECONDS. */
  couldReturn(): boolean {
    this.observe();
    return performance.now() - this.refusedAt > RETURN_MILLISECONDS;
  }
}
