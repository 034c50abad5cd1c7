// Sessions that were admitted and whose start is not in the database yet, so that concurrent connections cannot exceed
// the account's limit.

/** An admission expires after this time: the session has failed to start. */
const BEGIN_MILLISECONDS = 60_000;

export class Admissions {
  private readonly accounts = new Map<string, Set<string>>();
  private readonly ends = new Map<string, () => void>();

  /**
   * @param running  looks up the started sessions of the account
   * @param id       session to admit
   * @returns whether the limit allows one more
   */
  async admit(accountId: string, most: number, running: () => Promise<string[]>, id?: string): Promise<boolean> {
    // A session that starts during the look-up may be missing from either set alone.
    const before = [...this.of(accountId)];
    const others = new Set([...(await running()), ...before, ...this.of(accountId)]);
    if (id !== undefined) others.delete(id);
    if (others.size >= most) return false;
    if (id !== undefined) this.begin(accountId, id);
    return true;
  }

  /** Removes the admission: the start is in the database, or failed. */
  end(id: string): void {
    this.ends.get(id)?.();
  }

  private of(accountId: string): ReadonlySet<string> {
    return this.accounts.get(accountId) ?? new Set();
  }

  private begin(accountId: string, id: string): void {
    this.end(id);
    const admitted = this.accounts.get(accountId) ?? new Set();
    this.accounts.set(accountId, admitted.add(id));
    const timer = setTimeout(() => this.end(id), BEGIN_MILLISECONDS).unref();
    this.ends.set(id, () => {
      clearTimeout(timer);
      this.ends.delete(id);
      admitted.delete(id);
      if (admitted.size === 0 && this.accounts.get(accountId) === admitted) this.accounts.delete(accountId);
    });
  }
}
