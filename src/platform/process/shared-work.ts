// Work whose result several requests need, such as the peaks of a recording: it runs once, and stops when the clients of all of them
// have disconnected.

interface Shared {
  done: Promise<void>;
  waiting: number;
  abort: AbortController;
}

export class SharedWork {
  private readonly underWay = new Map<string, Shared>();

  has(key: string): boolean {
    return this.underWay.has(key);
  }

  /**
   * @param signal  aborted when this request's client has left
   * @param begin   starts the work, unless it is under way
   * @throws what the work throws
   */
  async run(key: string, signal: AbortSignal, begin: (allLeft: AbortSignal) => Promise<void>): Promise<void> {
    const shared = this.underWay.get(key) ?? this.start(key, begin);
    shared.waiting++;
    const onAbort = () => {
      if (--shared.waiting > 0) return;
      // A request that comes now starts the work again.
      this.forget(key, shared);
      shared.abort.abort();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    try {
      await shared.done;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  private start(key: string, begin: (allLeft: AbortSignal) => Promise<void>): Shared {
    const abort = new AbortController();
    const shared: Shared = { done: begin(abort.signal), waiting: 0, abort };
    this.underWay.set(key, shared);
    shared.done.catch(() => undefined).finally(() => this.forget(key, shared));
    return shared;
  }

  private forget(key: string, shared: Shared): void {
    if (this.underWay.get(key) === shared) this.underWay.delete(key);
  }
}
