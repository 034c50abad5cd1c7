// Slots for partials, which are requested only when they can run at once, so that their audio is as recent as possible.
// Callers are notified in the order of their requests.
export class AdmissionSlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** @param count  number of slots at present, at least 1; it may change */
  constructor(private readonly count: () => number) {}

  /**
   * @param onAvailable  called once when a slot becomes free, if there is none now; the caller must then try again
   * @returns releases the slot; undefined if there is none
   */
  tryAcquire(onAvailable: () => void): (() => void) | undefined {
    if (this.taken >= this.count()) {
      this.waiting.add(onAvailable);
      return undefined;
    }
    this.taken++;
    return () => {
      this.taken--;
      this.notifyWaiting();
    };
  }

  private notifyWaiting(): void {
    for (const notify of [...this.waiting]) {
      if (this.taken >= this.count()) return;
      this.waiting.delete(notify);
      notify();
    }
  }
}
