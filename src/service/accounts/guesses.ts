// Slows down guessing of keys: after too many wrong keys, an address is refused without a look-up for a while, unless its key
// was right before.
import ipaddr from "ipaddr.js";
import { errors } from "../../platform/errors.ts";

/** Wrong keys of one address before it is throttled. */
const MOST_WRONG = 20;
/** Interval after which one wrong key is no longer counted. */
const FORGIVE_MILLISECONDS = 3_000;
/**
 * Wrong keys of all addresses together before those are throttled that could be guesses of an operator's own key: an attacker
 * with many addresses gets about 860,000 guesses a day, far from what even 8 random characters take.
 */
const MOST_WRONG_EVERYWHERE = 600;
const FORGIVE_EVERYWHERE_MILLISECONDS = 100;
const MOST_REMEMBERED = 10_000;
/** What a provider gives to one customer at least (RFC 6177): its single addresses are free to choose. */
const IPV6_NETWORK_BITS = 64;
const BITS_PER_GROUP = 16;

/** The network whose guesses are counted together: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const bare = address.split("%")[0] ?? "";
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_NETWORK_BITS / BITS_PER_GROUP);
  return `${groups.map((group) => group.toString(16)).join(":")}::/${IPV6_NETWORK_BITS}`;
}

interface Wrong {
  count: number;
  at: number;
}

/** Number of wrong keys that still count at this time. */
function leftOf({ count, at }: Wrong, now: number, forgiveMilliseconds: number): number {
  return Math.max(0, count - Math.floor((now - at) / forgiveMilliseconds));
}

/** Forgets the oldest entry of a map or set that is full, never all: one client must not free another one's count. */
function makeRoom(known: Map<string, unknown> | Set<string>): void {
  if (known.size < MOST_REMEMBERED) return;
  const [oldest] = known.keys();
  known.delete(oldest as string);
}

export interface Attempt {
  /** Address of the client. */
  address: string;
  /** Hash of the key that was sent. */
  hash: string;
  /** Whether the key could be one that an operator chose; keys that the service makes have 256 random bits. */
  isGuessable: boolean;
}

export class Guesses {
  private readonly wrong = new Map<string, Wrong>();
  private everywhere: Wrong = { count: 0, at: 0 };
  private readonly right = new Set<string>();
  /** Look-ups under way of keys not known to be right, by network and hash: as many as may still be wrong. */
  private readonly pending = new Map<string, Map<string, Promise<void>>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Looks a key up unless its network has sent too many wrong ones.
   * @returns what `lookUp` finds
   * @throws account.too_many_guesses, and whatever `lookUp` throws, which counts as no guess
   */
  async attempt<Found>(attempt: Attempt, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const { hash } = attempt;
    const network = networkOf(attempt.address);
    const release = await this.reserve(network, attempt);
    try {
      const found = await lookUp();
      if (found === undefined) this.wasWrong(network, attempt);
      else this.wasRight(hash);
      return found;
    } finally {
      release();
    }
  }

  /** Parallel guesses do not slip through: no more are looked up at once than may still be wrong. The others wait. */
  private async reserve(network: string, { hash, isGuessable }: Attempt): Promise<() => void> {
    for (;;) {
      const pending = this.pending.get(network) ?? new Map<string, Promise<void>>();
      // The same key again is no further guess.
      if (this.right.has(hash) || pending.has(hash)) return () => undefined;
      this.check(network, isGuessable);
      if (this.countOf(network) + pending.size < MOST_WRONG) {
        let settle = () => {};
        pending.set(hash, new Promise((resolve) => (settle = resolve)));
        this.pending.set(network, pending);
        return () => {
          pending.delete(hash);
          if (pending.size === 0) this.pending.delete(network);
          settle();
        };
      }
      await Promise.race(pending.values());
    }
  }

  private check(network: string, isGuessable: boolean): void {
    const count = this.countOf(network);
    if (count >= MOST_WRONG) throw errors.tooManyGuesses(((count - MOST_WRONG + 1) * FORGIVE_MILLISECONDS) / 1000);
    const everywhere = leftOf(this.everywhere, this.now(), FORGIVE_EVERYWHERE_MILLISECONDS);
    if (isGuessable && everywhere >= MOST_WRONG_EVERYWHERE) throw errors.tooManyGuesses(1);
  }

  private wasRight(hash: string): void {
    if (this.right.has(hash)) return;
    makeRoom(this.right);
    this.right.add(hash);
  }

  private wasWrong(network: string, { hash, isGuessable }: Attempt): void {
    this.right.delete(hash);
    const now = this.now();
    const count = Math.min(2 * MOST_WRONG, this.countOf(network) + 1);
    // Set again, so that the map's order is that of the last wrong key.
    this.wrong.delete(network);
    makeRoom(this.wrong);
    this.wrong.set(network, { count, at: now });
    if (!isGuessable) return;
    this.everywhere = { count: leftOf(this.everywhere, now, FORGIVE_EVERYWHERE_MILLISECONDS) + 1, at: now };
  }

  private countOf(network: string): number {
    const known = this.wrong.get(network);
    return known ? leftOf(known, this.now(), FORGIVE_MILLISECONDS) : 0;
  }
}
