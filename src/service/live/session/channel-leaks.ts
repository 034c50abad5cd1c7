// Removes from the channels of a session what leaks into them from each other, before anything is detected. Keeps no
// state: another process finds the leaks again in the stored audio before the position at which it continues.
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import type { Pair } from "../../../speech/audio/channels/channel-comparison.ts";
import { BLOCK_SAMPLES } from "../../../speech/audio/leaks/blocks.ts";
import { LeakAnalysis, MOST_LEAKING_CHANNELS } from "../../../speech/audio/leaks/leak-analysis.ts";
import { type LeakedSound, LeakRemoval } from "../../../speech/audio/leaks/leak-removal.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { ChannelLeakTimes } from "../channel/channel-contract.ts";

interface Period {
  from: number;
  until: number;
  sound: LeakedSound;
}

/** Times at which a channel has no voice of its own, but what leaks into it from another channel. */
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

/** Stored audio in which leaks are found again. */
const WARM_UP_SAMPLES = 30 * SAMPLE_RATE;
/** Audio after which other work of the process gets a turn. */
const STEP_SAMPLES = SAMPLE_RATE;

type Deliver = (pieces: readonly Float32Array[]) => void;

interface Sources {
  carrierOf(channel: number): number | undefined;
  prefer(from: number, to: number): void;
  separate(pair: Pair): void;
}

export class ChannelLeaks implements ChannelLeakTimes {
  private removal: LeakRemoval | undefined;
  /** Times at which each channel has nothing but a leak. */
  private readonly times: LeakTimes[];
  private sinceTurn = 0;

  constructor(
    private readonly channels: number,
    private readonly sources: Sources,
  ) {
    this.times = Array.from({ length: channels }, () => new LeakTimes());
    this.startFor(0);
  }

  leakAt(channel: number, sample: number): LeakedSound | undefined {
    return this.times[channel]?.at(sample);
  }

  /** Begins at a later position. @returns first sample that must be added, to emit all samples from this one on */
  startFor(sample: number): number {
    if (this.channels < 2 || this.channels > MOST_LEAKING_CHANNELS) return sample;
    const block = Math.floor(Math.max(0, sample - WARM_UP_SAMPLES) / BLOCK_SAMPLES);
    // A channel that carries the source of another one is transcribed in its place.
    const isKept = (from: number, to: number) => this.sources.carrierOf(from) === to;
    const onLeakOnly = (channel: number, from: number, until: number, sound: LeakedSound) =>
      this.times[channel]?.add(from, until, sound);
    const options = { holds: true, isKept, onLeakOnly };
    this.removal = new LeakRemoval(this.channels, options, new LeakAnalysis(this.channels, block));
    return block * BLOCK_SAMPLES;
  }

  /** @param deliver  receives samples of each channel without leaks, in order; the last ones follow later */
  async add(pieces: readonly Float32Array[], deliver: Deliver): Promise<void> {
    const { removal } = this;
    if (!removal) return deliver(pieces);
    this.sinceTurn += pieces[0]?.length ?? 0;
    if (this.sinceTurn > STEP_SAMPLES) {
      this.sinceTurn = 0;
      await eventLoopTurn();
    }
    deliver(removal.add(pieces));
    for (const { from, to } of removal.analysis.leaks) this.sources.prefer(from, to);
    for (const pair of removal.mutualLeaks) this.sources.separate(pair);
  }

  /** All samples that were not delivered: a turn ends. */
  release(): readonly Float32Array[] {
    return this.removal?.release() ?? [];
  }

  /** The last samples. */
  flush(): readonly Float32Array[] {
    const last = this.removal?.release() ?? [];
    this.removal = undefined;
    return last;
  }
}
