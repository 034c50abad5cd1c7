// Times at which a channel has no voice of its own, but what leaks into it from another channel.
import type { LeakedSound } from "../../../speech/audio/leaks/leak-removal.ts";

interface Period {
  from: number;
  until: number;
  sound: LeakedSound;
}

export class LeakTimes {
  private readonly periods: Period[] = [];

  /** @param from, until  samples; periods are added in order, a part of one may be added again */
  add(from: number, until: number, sound: LeakedSound): void {
    const last = this.periods.at(-1);
    if (last && last.sound === sound && from <= last.until) last.until = Math.max(last.until, until);
    else this.periods.push({ from: Math.max(from, last?.until ?? 0), until, sound });
  }

  /** @param sample  not before that of the last call: earlier periods are forgotten */
  at(sample: number): LeakedSound | undefined {
    const past = this.periods.findIndex(({ until }) => until > sample);
    this.periods.splice(0, past < 0 ? this.periods.length : past);
    const [first] = this.periods;
    return first && first.from <= sample ? first.sound : undefined;
  }
}
