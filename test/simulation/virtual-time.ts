// Virtual time for code that runs unchanged. The places of a simulation (processes, clients, servers) run in this process, each with its own
// clocks. While a schedule runs, the timers and clocks of JavaScript are those of the place whose event runs; a place can be
// stopped, frozen or killed. All that places exchange are events of this queue, so that each
// effect of an event belongs to one place.
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import type { Random } from "../fixtures/random.ts";

/** The time of day at which every simulation begins, milliseconds. */
const BEGINNING = Date.UTC(2026, 0, 1);

export class Place {
  isDead = false;
  pausedUntil = 0;
  /** Of the clock of the day, milliseconds. */
  wallOffset = 0;
  /** By how much its monotonic clock is behind: the machine was frozen. */
  frozenMilliseconds = 0;

  constructor(readonly name: string) {}
}

interface Occurrence {
  at: number;
  /** After a pause, timers precede messages, as in the loop of Node. */
  isTimer: boolean;
  number: number;
  place: Place;
  run: () => void;
  isCancelled: boolean;
}

const precedes = (one: Occurrence, other: Occurrence) =>
  one.at !== other.at ? one.at < other.at : one.isTimer !== other.isTimer ? one.isTimer : one.number < other.number;

/** What timers return. */
class Timer {
  occurrence: Occurrence | undefined;
  unref = () => this;
  ref = () => this;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  now: performance.now,
  random: Math.random,
  cpuUsage: process.cpuUsage,
  pause: timersPromises.setTimeout,
  timeout: AbortSignal.timeout,
};

/** What modules have imported as a timer; replaced once, because that is slow. */
let pauseNow = real.pause;
timersPromises.setTimeout = ((...given: Parameters<typeof real.pause>) => pauseNow(...given)) as typeof real.pause;
syncBuiltinESMExports();

/**
 * Runs the promises and ticks that an event made. This function of Node is not documented, and much faster than a turn of the event loop for
 * each event.
 */
const settle = (process as unknown as { _tickCallback(): void })._tickCallback;

export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  events = 0;
  private readonly heap: Occurrence[] = [];
  private count = 0;
  private current: Place = new Place("outside");

  constructor(private readonly random: Random) {}

  /** Runs something later as part of a place. */
  at(place: Place, time: number, run: () => void): void {
    this.add(place, Math.max(time, this.now), false, run);
  }

  after(place: Place, milliseconds: number, run: () => void): void {
    this.at(place, this.now + milliseconds, run);
  }

  /**
   * Stops a place, as the signal SIGSTOP does.
   * @param isFrozen  its monotonic clock stands still as well, as in a virtual machine that is suspended
   */
  pause(place: Place, milliseconds: number, isFrozen: boolean): void {
    const until = Math.max(this.now + milliseconds, place.pausedUntil);
    const added = until - Math.max(this.now, place.pausedUntil);
    place.pausedUntil = until;
    if (!isFrozen) return;
    place.frozenMilliseconds += added;
    const due = this.heap.filter((one) => one.place === place && one.isTimer && !one.isCancelled);
    for (const one of due) {
      one.isCancelled = true;
      const moved = this.add(place, one.at + added, true, one.run);
      this.moved.set(one, moved);
    }
  }

  /** Timers that a frozen place continues later. */
  private readonly moved = new WeakMap<Occurrence, Occurrence>();

  /** Runs events until a time, or until `isOver`. */
  async run(until: number, isOver: () => boolean = () => false): Promise<void> {
    // Outside of a promise: within one, those of the events would wait for its end.
    await new Promise<void>((resolve, reject) => {
      real.setImmediate(() => {
        try {
          this.runNow(until, isOver);
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  private runNow(until: number, isOver: () => boolean): void {
    while (!isOver()) {
      const next = this.heap[0];
      if (!next || next.at > until) break;
      this.pop();
      if (next.isCancelled || next.place.isDead) continue;
      if (next.at < next.place.pausedUntil) {
        next.at = next.place.pausedUntil;
        this.push(next);
        continue;
      }
      this.now = next.at;
      this.current = next.place;
      this.events++;
      next.run();
      settle();
    }
    this.now = Math.max(this.now, Math.min(until, this.now));
  }

  /** Replaces timers, clocks and random numbers. Call `uninstall` afterwards. */
  install(): void {
    const start = (milliseconds: number, run: () => void): Timer => {
      const timer = new Timer();
      timer.occurrence = this.add(this.current, this.now + Math.max(1, milliseconds || 0), true, run);
      return timer;
    };
    const cancel = (timer: Timer | undefined): void => {
      for (let one = timer?.occurrence; one; one = this.moved.get(one)) one.isCancelled = true;
    };
    const setInterval = (run: () => void, milliseconds: number): Timer => {
      const timer = new Timer();
      const again = () => {
        timer.occurrence = this.add(this.current, this.now + Math.max(1, milliseconds), true, () => {
          again();
          run();
        });
      };
      again();
      return timer;
    };
    const wall = () => BEGINNING + this.now + this.current.wallOffset;
    class VirtualDate extends real.Date {
      constructor(...given: unknown[]) {
        if (given.length === 0) super(wall());
        else super(...(given as [number]));
      }
      static override now = wall;
    }
    const pause = (milliseconds?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          cancel(timer);
          reject(signal?.reason);
        };
        const timer = start(milliseconds ?? 1, () => {
          signal?.removeEventListener("abort", abort);
          resolve(value);
        });
        signal?.addEventListener("abort", abort);
      });
    Object.assign(globalThis, {
      setTimeout: (run: (...given: unknown[]) => void, milliseconds = 1, ...given: unknown[]) =>
        start(milliseconds, () => run(...given)),
      clearTimeout: cancel,
      setInterval,
      clearInterval: cancel,
      setImmediate: (run: () => void) => start(0, run),
      Date: VirtualDate,
    });
    process.cpuUsage = () => ({ user: 0, system: 0 });
    AbortSignal.timeout = (milliseconds: number) => {
      const controller = new AbortController();
      start(milliseconds, () => controller.abort(new DOMException("the time is over", "TimeoutError")));
      return controller.signal;
    };
    performance.now = () => this.now - this.current.frozenMilliseconds;
    Math.random = this.random;
    pauseNow = pause as typeof real.pause;
  }

  uninstall(): void {
    const { now, random, pause, cpuUsage, timeout, ...globals } = real;
    process.cpuUsage = cpuUsage;
    AbortSignal.timeout = timeout;
    Object.assign(globalThis, globals);
    performance.now = now;
    Math.random = random;
    pauseNow = pause;
  }

  /** A time by the clock of the servers. */
  get serverTime(): Date {
    return new real.Date(BEGINNING + this.now);
  }

  private add(place: Place, at: number, isTimer: boolean, run: () => void): Occurrence {
    const one = { at, isTimer, number: this.count++, place, run, isCancelled: false };
    this.push(one);
    return one;
  }

  private push(one: Occurrence): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(one);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Occurrence;
      if (!precedes(one, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = one;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const right = heap[below + 1];
      if (right && precedes(right, heap[below] as Occurrence)) below++;
      const child = heap[below] as Occurrence;
      if (!precedes(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
  }
}
