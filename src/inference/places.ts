// Places for work that is begun only when it can be done at once: what it is about is then as new as it can be. Whoever
// has waited longest is told first that there is a place.
export class Places {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** @param count  how many there are */
  constructor(private readonly count: number) {}

  /**
   * @param tell  called once when there is a place and none is now; whoever still wants it asks again
   * @returns what gives the place back; undefined when there is none
   */
  take(tell: () => void): (() => void) | undefined {
    if (this.taken >= this.count) {
      this.waiting.add(tell);
      return undefined;
    }
    this.taken++;
    return () => {
      this.taken--;
      this.offer();
    };
  }

  private offer(): void {
    for (const tell of [...this.waiting]) {
      if (this.taken >= this.count) return;
      this.waiting.delete(tell);
      tell();
    }
  }
}
