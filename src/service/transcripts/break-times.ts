// Times at which paragraphs begin, in order, each once.
import { lowestPlace } from "./word-middles.ts";

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

  /** @returns whether there were times above `above` and at most `most` */
  remove([above, most]: readonly [above: number, most: number]): boolean {
    const [from, until] = [above, most].map((bound) =>
      lowestPlace(this.times.length, (place) => (this.times[place] as number) > bound),
    ) as [number, number];
    return this.times.splice(from, until - from).length > 0;
  }
}
