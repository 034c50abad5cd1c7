// Bounds the connections of each account that have no session yet: no limit of sessions counts them.
import { errors } from "../../../platform/errors.ts";

/** More than a client's pool of reserved connections has. */
const MOST_OF_ACCOUNT = 100;

export class WaitingPlaces {
  private readonly taken = new Map<string, number>();

  /** @returns gives the place back @throws limit.live_connections */
  take(accountId: string): () => void {
    const count = this.taken.get(accountId) ?? 0;
    if (count >= MOST_OF_ACCOUNT) throw errors.tooManyOpening(MOST_OF_ACCOUNT);
    this.taken.set(accountId, count + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.taken.get(accountId) ?? 1) - 1;
      if (left === 0) this.taken.delete(accountId);
      else this.taken.set(accountId, left);
    };
  }
}
