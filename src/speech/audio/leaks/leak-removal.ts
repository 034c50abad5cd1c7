// Removes from every channel of a recording or session what leaks into it from other channels, while the audio arrives.
// Samples keep their positions. Where a leak is possible but not yet certain, samples are held back for up to
// 0.8 s. The division of the audio into pieces does not change the output; an early `release` may.
import { joinedSamples } from "../samples.ts";
import { BLOCK_SAMPLES, emptySpectrum, inverse } from "./blocks.ts";
import { type DirectedPath, HELD_BLOCKS, isSuspect, LeakAnalysis } from "./leak-analysis.ts";
import { LeakSuppressor, type SuppressedBlock } from "./leak-suppressor.ts";
import { NearVoice } from "./near-voice.ts";

/** A source counts as louder from 1 dB on. */
const LOUDER = 1.26;
/** -10 dB: in a louder channel, a leak that is only possible does not count. Louder leaks are found sooner. */
const QUIETER = 0.1;
/** 6 dB: a channel this much louder than the others and its background has a voice of its own. */
const VOICE = 4;
/** 0.32 s. */
const VOICE_BLOCKS = 10;

interface ChannelOutput {
  suppressor: LeakSuppressor | undefined;
  /** Rendered samples that were not emitted yet, from sample `start` on. */
  ready: Float32Array[];
  start: number;
  /** Number of blocks that were put into `ready`. */
  blocks: number;
  /** The last block in which the channel had a voice that is not from another one. */
  voiceBlock: number;
}

/** A channel without a near voice contains a leak that was found, or a sound quieter than that of a channel that may leak into it. */
export type LeakedSound = "found" | "possible";

export interface LeakRemovalOptions {
  /** Whether samples may be held back until a possible leak is decided. */
  holds: boolean;
  /** Whether the sound of channel `from` stays in channel `to`, because `to` is transcribed in place of `from`. */
  isKept?: (from: number, to: number) => boolean;
  /**
   * Reports a range of samples in which a channel has no near voice, before these samples are emitted. Ranges are in order.
   */
  onLeakOnly?: (channel: number, from: number, until: number, sound: LeakedSound) => void;
}

export class LeakRemoval {
  private readonly pending: Float32Array[];
  private pendingSamples = 0;
  /** Unprocessed blocks: the last rendered one, and those that are not rendered. */
  private raw: Float32Array[][] = [];
  private readonly suspect: boolean[] = [];
  /** Channels into which something may leak that is not decided, for each block that is not rendered. */
  private readonly possible: boolean[][] = [];
  private readonly outputs: ChannelOutput[];
  private rendered = 0;
  /** Samples of each channel that were emitted. */
  private emitted = 0;
  private readonly estimate = emptySpectrum();
  private readonly spare = emptySpectrum();

  constructor(
    channels: number,
    private readonly options: LeakRemovalOptions,
    readonly analysis = new LeakAnalysis(channels),
  ) {
    this.pending = Array.from({ length: channels }, () => new Float32Array(BLOCK_SAMPLES));
    this.outputs = this.pending.map(() => ({
      suppressor: undefined,
      ready: [],
      start: 0,
      blocks: 0,
      voiceBlock: Number.NEGATIVE_INFINITY,
    }));
    this.raw.push(this.pending.map(() => new Float32Array(BLOCK_SAMPLES)));
  }

  /**
   * @param pieces  the next 16 kHz samples of each channel, -1 to 1, all of one length
   * @returns samples of each channel whose leaks are removed, in order, all of one length
   */
  add(pieces: readonly Float32Array[]): Float32Array[] {
    const length = pieces[0]?.length ?? 0;
    for (let at = 0; at < length; ) {
      const count = Math.min(length - at, BLOCK_SAMPLES - this.pendingSamples);
      for (const [channel, piece] of pieces.entries())
        this.pending[channel]?.set(piece.subarray(at, at + count), this.pendingSamples);
      at += count;
      this.pendingSamples += count;
      if (this.pendingSamples === BLOCK_SAMPLES) this.addBlock();
    }
    return this.emit();
  }

  /**
   * Emits everything up to the last sample that was added: a turn ends here, or the audio. Samples that follow are as they
   * would be without this call.
   */
  release(): Float32Array[] {
    while (this.raw.length > 1) this.render();
    const first = this.emit();
    const total = this.rendered * BLOCK_SAMPLES + this.pendingSamples;
    const last = this.incomplete(total - this.emitted);
    this.emitted = total;
    return first.map((samples, channel) => joinedSamples([samples, last[channel] as Float32Array]));
  }

  /** Pairs of channels that leak into each other, and so have different sources. */
  get mutualLeaks(): [left: number, right: number][] {
    return this.analysis.pairs
      .filter(({ forward, backward }) => forward.verdict === "leak" && backward.verdict === "leak")
      .map(({ forward }) => [forward.from, forward.to]);
  }

  private addBlock(): void {
    this.pendingSamples = 0;
    const block = this.pending.map((samples) => samples.slice());
    this.analysis.add(block, this.raw.at(-1) as Float32Array[]);
    this.raw.push(block);
    this.suspect.push(this.options.holds && this.analysis.paths.some(isSuspect));
    for (const [channel, output] of this.outputs.entries()) {
      if (this.hasVoice(channel)) output.voiceBlock = this.analysis.blocks - 1;
    }
    this.possible.push(this.outputs.map((_, channel) => this.mayBeLeak(channel)));
    const isUndecided = this.options.holds && this.analysis.paths.some(({ verdict }) => verdict === "unknown");
    while (this.raw.length > 1 && !(isUndecided && this.suspect[0] && this.raw.length <= HELD_BLOCKS)) this.render();
  }

  /** Renders the first block that is not rendered. */
  private render(): void {
    const { analysis, raw, outputs } = this;
    const block = analysis.blocks - (raw.length - 1);
    for (const [channel, output] of outputs.entries()) {
      const [before, near] = [raw[0]?.[channel], raw[1]?.[channel]] as [Float32Array, Float32Array];
      if (!output.suppressor && this.pathsInto(channel).length === 0) {
        if (this.possible[0]?.[channel]) this.report(channel, block, "possible");
        output.ready.push(near);
        output.blocks++;
        continue;
      }
      output.suppressor ??= new LeakSuppressor(before, new NearVoice(block - output.voiceBlock <= VOICE_BLOCKS));
      const done = output.suppressor.add(this.suppressed(channel, near, block));
      if (output.suppressor.isOnlyLeak) this.report(channel, block - 1, "found");
      // The block before the first leak was emitted without the suppressor.
      if (output.blocks === this.rendered) continue;
      output.ready.push(done);
      output.blocks++;
    }
    this.rendered++;
    raw.shift();
    this.suspect.shift();
    this.possible.shift();
  }

  private report(channel: number, block: number, sound: LeakedSound): void {
    this.options.onLeakOnly?.(channel, block * BLOCK_SAMPLES, (block + 1) * BLOCK_SAMPLES, sound);
  }

  /** Whether a channel is quieter than one that may leak into it. */
  private mayBeLeak(channel: number): boolean {
    const { powers, paths } = this.analysis;
    const near = powers[channel]?.mean ?? 0;
    return paths.some(
      ({ from, to, isPossible }) => isPossible && to === channel && near < QUIETER * (powers[from]?.mean ?? 0),
    );
  }

  /** Whether a channel has a voice that is not from another one. */
  private hasVoice(channel: number): boolean {
    const { powers } = this.analysis;
    const { mean, background } = powers[channel] as LeakAnalysis["powers"][number];
    const others = powers.filter((_, other) => other !== channel).map((other) => other.mean);
    return mean > VOICE * Math.max(background, ...others);
  }

  /**
   * The last samples of each channel, which are not in a complete block. The state stays: the block is completed by what
   * follows.
   * @param count  number of samples up to the last one that was added
   */
  private incomplete(count: number): Float32Array[] {
    const { analysis, raw, outputs, pendingSamples } = this;
    if (count === 0) return this.pending.map(() => new Float32Array(0));
    const block = this.pending.map((samples) => samples.slice().fill(0, pendingSamples));
    analysis.preview(block, raw[0] as Float32Array[]);
    return outputs.map((output, channel) => {
      const near = block[channel] as Float32Array;
      const end = BLOCK_SAMPLES + pendingSamples;
      if (!output.suppressor) {
        return joinedSamples([raw[0]?.[channel] as Float32Array, near]).slice(end - count, end);
      }
      const input = this.suppressed(channel, near, analysis.blocks);
      const last = { ...input, near: new Float32Array(BLOCK_SAMPLES), leak: new Float32Array(BLOCK_SAMPLES) };
      const copy = output.suppressor.copy();
      const whole = copy.add(input);
      if (copy.isOnlyLeak) this.report(channel, analysis.blocks - 1, "found");
      const samples = joinedSamples([whole, copy.add(last)]);
      return samples.slice(end - count, end);
    });
  }

  private pathsInto(channel: number): DirectedPath[] {
    return this.analysis.paths.filter((one) => one.to === channel && this.isRemoved(one));
  }

  /** @param block  number of the block */
  private suppressed(channel: number, near: Float32Array, block: number): SuppressedBlock {
    const paths = this.pathsInto(channel);
    return {
      near,
      leak: this.leakOf(paths, block),
      background: (this.analysis.powers[channel] as LeakAnalysis["powers"][number]).backgroundPowers(),
      isSourceLouder: paths.some(({ from, to }) => this.isLouder(from, to)),
    };
  }

  private isRemoved({ from, to, verdict }: DirectedPath): boolean {
    return verdict === "leak" && !this.options.isKept?.(from, to);
  }

  private isLouder(from: number, to: number): boolean {
    const { powers } = this.analysis;
    return (powers[from]?.mean ?? 0) > LOUDER * (powers[to]?.mean ?? 0);
  }

  private leakOf(paths: readonly DirectedPath[], block: number): Float32Array {
    const leak = new Float32Array(BLOCK_SAMPLES);
    for (const { path, from } of paths) {
      path.estimate(this.analysis.history(from, block), this.estimate);
      inverse(this.estimate, this.spare, (samples) => {
        for (let at = 0; at < BLOCK_SAMPLES; at++)
          leak[at] = (leak[at] as number) + (samples[BLOCK_SAMPLES + at] as number);
      });
    }
    return leak;
  }

  private emit(): Float32Array[] {
    const { outputs, emitted } = this;
    const until = Math.min(...outputs.map(({ blocks }) => blocks)) * BLOCK_SAMPLES;
    if (until <= emitted) return outputs.map(() => new Float32Array(0));
    this.emitted = until;
    return outputs.map((output) => {
      const joined = new Float32Array(until - emitted);
      for (; output.start < until; output.start += BLOCK_SAMPLES) {
        const block = output.ready.shift() as Float32Array;
        // A part of it was released before the block was complete.
        const known = Math.max(0, emitted - output.start);
        if (known < BLOCK_SAMPLES) joined.set(block.subarray(known), output.start + known - emitted);
      }
      return joined;
    });
  }
}
