// Bounds how many of something each account has at once, in this process. FairSlots lets callers wait; this refuses them.
import type { ParlanceError } from "../../errors.ts";

export class AccountPlaces {
  private readonly taken = new Map<string, number>();

  /**
   * @param most     of one account
   * @param refusal  makes the error for an account that has as many
   */
  constructor(
    private readonly most: number,
    private readonly refusal: (most: number) => ParlanceError,
  ) {}

  /** @returns gives the place back; further calls do nothing @throws the refusal */
  take(accountId: string): () => void {
    const count = this.taken.get(accountId) ?? 0;
    if (count >= this.most) throw this.refusal(this.most);
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
