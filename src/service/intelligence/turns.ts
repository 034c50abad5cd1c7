// Schedules calls of several accounts in one result process. They compute one after another, in fair turns; they wait for
// providers concurrently, so that a slow provider delays only the add-on that uses it.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { errors } from "../../platform/errors.ts";
import { FairSlots } from "../../platform/process/fairness/fair-slots.ts";
import { Stopwatch } from "./stopwatch.ts";

/** The call for which add-ons run. */
export interface AddonCall {
  /** Account. */
  tenant: string;
  /** Aborted when the result is no longer needed. */
  signal: AbortSignal;
  /** Called whenever a turn of this call begins. */
  onTurn(): void;
}

export interface ProviderLimits {
  /** Most concurrent requests to providers. */
  requests: number;
  /** Most concurrent requests of one account. */
  requestsPerTenant: number;
}

/** A piece of work with a time limit of its own. */
interface Work {
  stopwatch: Stopwatch;
  signal: AbortSignal;
}

const calls = new AsyncLocalStorage<AddonCall>();
const works = new AsyncLocalStorage<Work>();
const NO_SIGNAL = new AbortController().signal;
const ALONE: AddonCall = { tenant: "", signal: NO_SIGNAL, onTurn: () => undefined };
const computing = new FairSlots({ slots: 1 });
let providerSlots: FairSlots | undefined;

/** Limits requests to providers; unlimited until it is called. */
export function limitProviders({ requests, requestsPerTenant }: ProviderLimits): void {
  providerSlots = new FairSlots({ slots: requests, slotsPerTenant: requestsPerTenant });
}

/** Runs `work` for a call: all turns within it count as turns of that call. */
export function onBehalfOf<Result>(call: AddonCall, work: () => Promise<Result>): Promise<Result> {
  return calls.run(call, work);
}

const pausedDuring = <Result>(wait: Promise<Result>): Promise<Result> =>
  works.getStore()?.stopwatch.pausedDuring(wait) ?? wait;

/**
 * Waits for a turn to compute. The turn lasts until the following code awaits something: until then, nothing else can run in this
 * process. Messages are read between two turns.
 * @throws work.aborted
 */
export async function nextTurn(): Promise<void> {
  const { tenant, signal, onTurn } = calls.getStore() ?? ALONE;
  const release = await pausedDuring(computing.acquire(tenant, works.getStore()?.signal ?? signal));
  setImmediate(release);
  onTurn();
}

/**
 * Runs a piece of work in turns.
 * @param timeoutMilliseconds  for computing and waiting for answers; waiting for turns and slots does not count
 * @param late                 returns the error for work that takes longer; its pending requests are then aborted
 * @throws work.aborted, the error of `late`, and errors of `work`
 */
export async function withTimeLimit<Result>(
  timeoutMilliseconds: number,
  late: () => Error,
  work: () => Promise<Result>,
): Promise<Result> {
  const outer = works.getStore();
  const outerSignal = outer?.signal ?? (calls.getStore() ?? ALONE).signal;
  const ending = new AbortController();
  // Each current request and part of the work adds a listener.
  setMaxListeners(0, ending.signal, outerSignal);
  return new Promise<Result>((resolve, reject) => {
    const stopwatch = new Stopwatch(timeoutMilliseconds, outer?.stopwatch, () => finish(() => reject(late())));
    const onAbort = () => finish(() => reject(errors.aborted()));
    const finish = (settle: () => void) => {
      settle();
      stopwatch.stop();
      outerSignal.removeEventListener("abort", onAbort);
      ending.abort();
    };
    if (outerSignal.aborted) return onAbort();
    outerSignal.addEventListener("abort", onAbort, { once: true });
    works
      .run({ stopwatch, signal: ending.signal }, async () => {
        await nextTurn();
        return work();
      })
      .then(
        (result) => finish(() => resolve(result)),
        (error: unknown) => finish(() => reject(error)),
      );
  });
}

/**
 * Waits for work on this machine that has its own time limits, then for a turn to process the result. Neither wait counts against the
 * time limit of the call.
 * @param work  as the request of withProviderSlot()
 * @throws work.aborted, and errors of `work`
 */
export async function outsideTimeLimit<Result>(
  work: (signal: AbortSignal, tenant: string) => Promise<Result>,
): Promise<Result> {
  const { tenant, signal: ofCall } = calls.getStore() ?? ALONE;
  const signal = works.getStore()?.signal ?? ofCall;
  try {
    return await pausedDuring(work(signal, tenant));
  } finally {
    if (!signal.aborted) await nextTurn();
  }
}

/**
 * Sends a request to a provider when a slot is free, then waits for a turn to process the answer.
 * @param request  receives a signal that is aborted when the answer is no longer needed, and the account of the call
 * @throws work.aborted, and errors of `request`
 */
export async function withProviderSlot<Result>(
  request: (signal: AbortSignal, tenant: string) => Promise<Result>,
): Promise<Result> {
  const { tenant, signal: ofCall } = calls.getStore() ?? ALONE;
  const signal = works.getStore()?.signal ?? ofCall;
  const release = await pausedDuring(providerSlots?.acquire(tenant, signal) ?? Promise.resolve(() => undefined));
  try {
    return await request(signal, tenant);
  } finally {
    release();
    if (!signal.aborted) await nextTurn();
  }
}
