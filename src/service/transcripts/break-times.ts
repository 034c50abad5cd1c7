// Times at which paragraphs begin, in order, each once.

import { lowestPlace } from "../../contract/lowest-place.ts";

type Bounds = readonly [above: number, most: number];

export class BreakTimes {
  private times: number[] = [];

  get all(): readonly number[] {
    return this.times;
  }

  add(time: number): void {
    const at = lowestPlace(this.times.length, (place) => (this.times[place] as number) >= time);
    if (this.times[at] !== time) this.times.splice(at, 0, time);
  }

  addAll({ times }: BreakTimes): void {
    if (times.length < 8) for (const time of times) this.add(time);
    else this.times = [...new Set([...this.times, ...times])].sort((left, right) => left - right);
  }

  /** Whether there are times above the first one and at most the second one. */
  has([above, most]: Bounds): boolean {
    return this.placeAfter(above) < this.placeAfter(most);
  }

  /** @returns whether there were times above the first one and at most the second one */
  remove(bounds: Bounds): boolean {
    if (!this.has(bounds)) return false;
    const [from, until] = [this.placeAfter(bounds[0]), this.placeAfter(bounds[1])];
    this.times.splice(from, until - from);
    return true;
  }

  private placeAfter(time: number): number {
    return lowestPlace(this.times.length, (place) => (this.times[place] as number) > time);
  }
}
