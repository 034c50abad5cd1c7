// Speech without words that is not reported yet: another channel may have words at that time, as channels leak into each
// other. A stretch is held until the finals of all other channels at its time are decided.

export type Range = [start: number, end: number];

export class HeldStretches {
  private readonly held = new Map<number, Range[]>();
  private readonly pending = new Set<Promise<void>>();
  private isStopped = false;

  /**
   * @param othersDecided  resolves when all finals of the other channels up to `seconds` are stored
   * @param report         called for each stretch then
   */
  constructor(
    private readonly othersDecided: (channel: number, seconds: number) => Promise<unknown>,
    private readonly report: (channel: number, range: Range) => void,
  ) {}

  add(channel: number, range: Range): void {
    this.held.set(channel, [...this.of(channel), range]);
    const work = this.release(channel, range).finally(() => this.pending.delete(work));
    this.pending.add(work);
  }

  /** Stretches of a channel that another process must hold if this one ends. */
  of(channel: number): Range[] {
    return this.held.get(channel) ?? [];
  }

  /** Resolves when all stretches so far are reported. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** Nothing is reported any more. */
  stop(): void {
    this.isStopped = true;
  }

  private async release(channel: number, range: Range): Promise<void> {
    await this.othersDecided(channel, range[1]);
    if (this.isStopped) return;
    this.report(channel, range);
    const rest = this.of(channel).filter((one) => one !== range);
    if (rest.length > 0) this.held.set(channel, rest);
    else this.held.delete(channel);
  }
}
