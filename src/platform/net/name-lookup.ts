// Names of hosts → addresses, in fair turns between accounts. The system looks names up in blocking calls on a few threads;
// a name whose server does not answer keeps one of them for many seconds, and a handful of such names from one account
// would keep every other name waiting.
import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { withoutBrackets } from "../addresses/web-url.ts";
import { errors } from "../errors.ts";
import { FairSlots } from "../process/fairness/fair-slots.ts";

/** libuv gives look-ups half of its threads, which are four by default. */
const lookups = new FairSlots({ slots: 2, slotsPerTenant: 1 });
/** Between a look-up in turn and the connection that needs it; far below what any server lets a name be kept. */
const KNOWN_MILLISECONDS = 5_000;
const MOST_KNOWN = 1_000;

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** By name, oldest first. */
const known = new Map<string, { at: number; addresses: LookupAddress[] }>();

function remember(name: string, addresses: LookupAddress[]): void {
  known.delete(name);
  known.set(name, { at: performance.now(), addresses });
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

/** All addresses of a name: those of a recent look-up in turn, otherwise the system's answer. */
export function addressesOf(name: string, answer: Answer): void {
  const found = known.get(name);
  if (found && performance.now() - found.at < KNOWN_MILLISECONDS) {
    answer(null, found.addresses);
    return;
  }
  systemLookup(name, { all: true }, (error, addresses) => answer(error, addresses ?? []));
}

/**
 * Looks a host up when it is the account's turn, for the connection that follows.
 * @throws work.aborted; the system's error when the name has no address
 */
export async function lookUpInTurn(host: string, tenant: string, signal: AbortSignal): Promise<void> {
  const name = withoutBrackets(host);
  if (isIP(name)) return;
  const release = await lookups.acquire(tenant, signal);
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => reject(signal.reason ?? errors.aborted());
    signal.addEventListener("abort", onAbort, { once: true });
    addressesOf(name, (error, addresses) => {
      // The thread is occupied until now, even if the caller no longer waits.
      release();
      signal.removeEventListener("abort", onAbort);
      if (error) return reject(error);
      remember(name, addresses);
      resolve();
    });
  });
}
