// Guessing keys and tokens is made slow: an address that has been wrong too often is not even looked up for a while, unless
// what it sends was right before.
import { errors } from "../../errors.ts";

/** Wrong ones of one address before it has to wait. */
const MOST_WRONG = 20;
/** So often is one of them forgiven. */
const FORGIVE_MILLISECONDS = 3_000;
const MOST_REMEMBERED = 10_000;

export class Guesses {
  private readonly wrong = new Map<string, { count: number; at: number }>();
  private readonly right = new Set<string>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param hash  of what was sent
   * @throws account.too_many_guesses
   */
  check(address: string, hash: string): void {
    const count = this.countOf(address);
    if (count < MOST_WRONG || this.right.has(hash)) return;
    throw errors.tooManyGuesses(Math.ceil(((count - MOST_WRONG + 1) * FORGIVE_MILLISECONDS) / 1000));
  }

  wasRight(hash: string): void {
    if (this.right.size >= MOST_REMEMBERED) this.right.clear();
    this.right.add(hash);
  }

  wasWrong(address: string, hash: string): void {
    this.right.delete(hash);
    if (this.wrong.size >= MOST_REMEMBERED) this.wrong.clear();
    this.wrong.set(address, { count: Math.min(2 * MOST_WRONG, this.countOf(address) + 1), at: this.now() });
  }

  private countOf(address: string): number {
    const known = this.wrong.get(address);
    return known ? Math.max(0, known.count - Math.floor((this.now() - known.at) / FORGIVE_MILLISECONDS)) : 0;
  }
}
