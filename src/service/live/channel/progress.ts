// How far work has come, for others that wait until it has come further.

export class Progress {
  private position = Number.NEGATIVE_INFINITY;
  private waiting: { position: number; resolve: () => void }[] = [];

  /** The position that is reached: minus infinity before the first, infinity when no more work follows. */
  get current(): number {
    return this.position;
  }

  /** @param position  an earlier one than before changes nothing */
  advance(position: number): void {
    if (position <= this.position) return;
    this.position = position;
    const reached = this.waiting.filter((one) => one.position <= position);
    if (reached.length === 0) return;
    this.waiting = this.waiting.filter((one) => one.position > position);
    for (const { resolve } of reached) resolve();
  }

  /** No more work follows. */
  end(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }

  /** Resolves when this position is reached, or no more work follows. */
  async reached(position: number): Promise<void> {
    if (position > this.position) await new Promise<void>((resolve) => this.waiting.push({ position, resolve }));
  }
}
