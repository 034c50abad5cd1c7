// Upper bound for the gain of a leak: a channel is never quieter than what leaks into it.

/** The bound holds for the last 1 to 1.5 s of sound of the source: its channel may become louder. */
const PARTS = 3;
const PART_BLOCKS = 16;

export class GainBound {
  private readonly parts = new Array<number>(PARTS).fill(Number.POSITIVE_INFINITY);
  private blocks = 0;

  /** @param ratio  power of the channel, relative to that of the source when the leak left it */
  add(ratio: number): void {
    if (this.blocks++ % PART_BLOCKS === 0) {
      this.parts.shift();
      this.parts.push(Number.POSITIVE_INFINITY);
    }
    this.parts[PARTS - 1] = Math.min(this.parts[PARTS - 1] as number, ratio);
  }

  get least(): number {
    return Math.min(...this.parts);
  }
}
