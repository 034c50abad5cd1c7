// Finds the leaks between the channels of a recording or session, block by block: one adaptive path for each ordered
// pair of channels.
import { BINS, BLOCK_SAMPLES, emptySpectrum, inverse, type Spectrum, transform } from "./blocks.ts";
import { ChannelPower } from "./channel-power.ts";
import { GainBound } from "./gain-bound.ts";
import { LeakEvidence } from "./leak-evidence.ts";
import { constrain, LeakPath, PARTITIONS } from "./leak-path.ts";

/** Every pair of channels takes about 2 % of the duration of the audio on one core. */
export const MOST_LEAKING_CHANNELS = 4;
/** Most blocks that wait for the decision on a leak (0.77 s); their spectra are kept. */
export const HELD_BLOCKS = 24;
const SLOTS = PARTITIONS + HELD_BLOCKS + 1;
/**
 * A channel is the source of a sound only if it is not quieter than the other by more than this. Below 1, because a
 * room makes parts of the spectrum louder.
 */
const LOUDER = 0.9;
/**
 * -3 dB: the same for the source of a leak that was found, in a live session. There, the filter must follow the leak soon. The first
 * pass over a recording has adapted it, and the voice of the channel itself would disturb it.
 */
const LOUDER_THAN_LEAK = 0.5;
/** A channel has sound above this multiple of its background: 6 dB. */
const ABOVE_BACKGROUND = 4;
/** Weighted power of a block at about -75 dBFS. */
const SILENT_POWER = 0.01;
const LEAK_AGREEMENT = 0.16;
const LASTING_AGREEMENT = 0.1;
/** -12 dB: a louder copy without a delay belongs to the same source. */
const LOUD_LEAK = 0.063;
/** A loud copy belongs to the same source if more than this share of its filter's energy has no delay. Otherwise, it is a leak. */
const IMMEDIATE_SHARE = 0.5;
/** A filter is not exact before LASTING_BLOCKS: until then, a share from this one on decides nothing (docs/decisions/2026-11-27-leaks.md). */
const EARLY_IMMEDIATE_SHARE = 0.2;
const LEAK_BLOCKS = 8;
/** The same for a filter that had taken a voice of the channel for a leak: it soon agrees with that voice again, or with a noise. */
const [RESTARTED_BLOCKS, RESTARTED_AGREEMENT] = [24, 0.18];
const LASTING_BLOCKS = 48;
/** 1.3 s of sound. */
const NONE_BLOCKS = 40;
const NONE_AGREEMENT = 0.08;
/** Channels without leaks are examined for 4 s of every 32 s: a loudspeaker may be switched on. */
const [CHECK_BLOCKS, CHECK_INTERVAL_BLOCKS] = [125, 1_000];
/** A path becomes less certain if the levels allow a leak this much stronger. */
const STRONGER = 4;
const MOST_PRIOR = 0.5;
/** 0.64 s. In this much sound of a source, its leak arrives: the levels until then show less than what leaks. */
const ARRIVAL_BLOCKS = 20;
const FADED = 0.5;
/** 1.9 s. Live, a leak that was found in less sound may have been found in a background noise: it may be stronger. */
const EARLY_BLOCKS = 60;
/** 9.6 s of sound, in which the search for a weak leak continues. */
const SEARCH_BLOCKS = 300;
/** 2.6 s of sound of one source, in all. Later, samples are not held back for a decision. */
const MOST_SUSPECT_BLOCKS = 80;

export type Verdict = "unknown" | "leak" | "none";

export interface DirectedPath {
  /** Channel of the source, and channel that it leaks into. */
  from: number;
  to: number;
  path: LeakPath;
  /** The highest possible power of the leak, relative to its source. */
  prior: number;
  bound: GainBound;
  evidence: LeakEvidence;
  /** Whether the filter had taken a voice of the channel itself for a leak, and started again. */
  isRestarted: boolean;
  verdict: Verdict;
  /** Whether the last block may contain the leak of a path that is not decided, and number of such blocks. */
  isPossible: boolean;
  possibleBlocks: number;
}

interface PairPaths {
  forward: DirectedPath;
  backward: DirectedPath;
}

/** Whether samples are held back until a leak is decided. */
export const isSuspect = ({ isPossible, possibleBlocks }: DirectedPath): boolean =>
  isPossible && possibleBlocks <= MOST_SUSPECT_BLOCKS;

export class LeakAnalysis {
  readonly pairs: PairPaths[] = [];
  readonly powers: ChannelPower[];
  private readonly first: number;
  private readonly spectra: Spectrum[][];
  private readonly errors: [Spectrum, Spectrum] = [emptySpectrum(), emptySpectrum()];
  private readonly estimates: [Spectrum, Spectrum] = [emptySpectrum(), emptySpectrum()];
  private readonly nears: [Spectrum, Spectrum] = [emptySpectrum(), emptySpectrum()];
  private readonly spare = emptySpectrum();
  private readonly references: Spectrum[] = Array.from({ length: PARTITIONS });

  /**
   * @param blocks      number of the first block
   * @param isRecorded  whether two passes are made over the audio
   */
  constructor(
    readonly channels: number,
    public blocks = 0,
    private readonly isRecorded = false,
  ) {
    this.first = blocks;
    this.powers = Array.from({ length: channels }, () => new ChannelPower());
    this.spectra = this.powers.map(() => Array.from({ length: SLOTS }, emptySpectrum));
    for (let to = 0; to < channels; to++) {
      for (let from = 0; from < to; from++)
        this.pairs.push({ forward: directed(from, to), backward: directed(to, from) });
    }
  }

  /** Begins again at the start of the same audio, with what was found. */
  restart(): void {
    this.blocks = this.first;
    for (const { real, imaginary } of this.spectra.flat()) {
      real.fill(0);
      imaginary.fill(0);
    }
    for (const at of this.powers.keys()) this.powers[at] = new ChannelPower();
  }

  get paths(): DirectedPath[] {
    return this.pairs.flatMap(({ forward, backward }) => [forward, backward]);
  }

  /** Leaks that were found. */
  get leaks(): DirectedPath[] {
    return this.paths.filter(({ verdict }) => verdict === "leak");
  }

  /** @param block, before  BLOCK_SAMPLES samples of each channel; nothing before the first block */
  add(block: readonly Float32Array[], before: readonly Float32Array[]): void {
    const { spectra, powers } = this;
    this.preview(block, before);
    const slot = this.blocks % SLOTS;
    for (const [channel, power] of powers.entries()) power.add(spectra[channel]?.[slot] as Spectrum);
    this.blocks++;
    for (const pair of this.pairs) this.analyse(pair, block);
  }

  /** Spectra of a block that is not complete yet, as those of block number `blocks`. Parameters as for `add`. */
  preview(block: readonly Float32Array[], before: readonly Float32Array[]): void {
    const { spectra } = this;
    const slot = this.blocks % SLOTS;
    const fill = (into: Float64Array, channel: number) => {
      const [late, early] = [block[channel], before[channel]];
      into.fill(0);
      if (early) into.set(early);
      if (late) into.set(late, BLOCK_SAMPLES);
    };
    for (let channel = 0; channel < this.channels; channel += 2) {
      transform(
        (real, imaginary) => {
          fill(real, channel);
          fill(imaginary, channel + 1);
        },
        spectra[channel]?.[slot] as Spectrum,
        spectra[channel + 1]?.[slot] ?? this.spare,
      );
    }
  }

  /** Spectra of a channel for a block and those before it, the newest first; valid until the next call. */
  history(channel: number, block: number): readonly Spectrum[] {
    const slots = this.spectra[channel] as Spectrum[];
    for (let part = 0; part < PARTITIONS; part++) {
      this.references[part] = slots[(block - part + SLOTS * PARTITIONS) % SLOTS] as Spectrum;
    }
    return this.references;
  }

  private analyse({ forward, backward }: PairPaths, signals: readonly Float32Array[]): void {
    const isSettled = forward.verdict === "none" && backward.verdict === "none";
    const searched = Math.max(forward.evidence.blocks, backward.evidence.blocks);
    const isPause = this.blocks % CHECK_INTERVAL_BLOCKS >= CHECK_BLOCKS;
    if (isSettled && searched > SEARCH_BLOCKS && isPause) return;
    const isForward = this.isSource(forward);
    const isBackward = this.isSource(backward);
    for (const [one, is] of [
      [forward, isForward],
      [backward, isBackward],
    ] as const) {
      one.isPossible = is && one.verdict === "unknown";
      if (one.isPossible) one.possibleBlocks++;
    }
    if (!isForward && !isBackward) return;
    const { estimates, errors, nears } = this;
    const block = this.blocks - 1;
    const directions = [forward, backward] as const;
    for (const [at, one] of directions.entries())
      one.path.estimate(this.history(one.from, block), estimates[at] as Spectrum);
    const left = new Float64Array(BLOCK_SAMPLES);
    const right = new Float64Array(BLOCK_SAMPLES);
    inverse(estimates[0], estimates[1], (one, other) => {
      left.set(one.subarray(BLOCK_SAMPLES));
      right.set(other.subarray(BLOCK_SAMPLES));
    });
    const [near, far] = [signals[forward.to] as Float32Array, signals[backward.to] as Float32Array];
    transform(
      (real, imaginary) => {
        real.fill(0);
        imaginary.fill(0);
        real.set(near, BLOCK_SAMPLES);
        imaginary.set(far, BLOCK_SAMPLES);
      },
      nears[0],
      nears[1],
    );
    transform(
      (real, imaginary) => {
        real.fill(0);
        imaginary.fill(0);
        real.set(left, BLOCK_SAMPLES);
        imaginary.set(right, BLOCK_SAMPLES);
      },
      estimates[0],
      estimates[1],
    );
    for (const [at, one] of directions.entries()) {
      if (!(at === 0 ? isForward : isBackward)) continue;
      const [estimate, error, present] = [estimates[at], errors[at], nears[at]] as [Spectrum, Spectrum, Spectrum];
      for (let bin = 0; bin < BINS; bin++) {
        error.real[bin] = (present.real[bin] as number) - (estimate.real[bin] as number);
        error.imaginary[bin] = (present.imaginary[bin] as number) - (estimate.imaginary[bin] as number);
      }
      one.evidence.add(estimate, present);
      one.path.adapt(this.history(one.from, block), error);
    }
    if (isForward) decide(forward, backward, isBackward);
    if (isBackward) decide(backward, forward, isForward);
    const part = block % PARTITIONS;
    constrain(forward.path.parts[part] as Spectrum, backward.path.parts[part] as Spectrum);
  }

  /** Adjusts the highest possible power of a leak to the levels of the channels. */
  private limit(one: DirectedPath, source: ChannelPower, near: ChannelPower): void {
    const { bound } = one;
    const isLeak = one.verdict === "leak";
    // While the source fades, its channel may contain nothing but the end of an earlier sound from the other one.
    if (source.mean > FADED * source.earlierMean)
      bound.add(near.mean / (Math.min(source.mean, source.earlierMean) + 1e-20));
    if (isLeak && (this.isRecorded || one.evidence.blocks >= EARLY_BLOCKS)) return;
    const ratio = near.mean / source.mean;
    const possible = isLeak || one.evidence.blocks < ARRIVAL_BLOCKS ? ratio : Math.min(ratio, bound.least);
    if (one.prior === 0 || possible > STRONGER * one.prior) {
      one.prior = Math.min(MOST_PRIOR, possible);
      one.path.raise(one.prior);
    } else if (!isLeak && bound.least < one.prior / STRONGER) {
      // The filter took a voice of the channel itself for a leak.
      one.prior = 2 * bound.least;
      one.path = new LeakPath(one.prior);
      one.evidence = new LeakEvidence();
      one.isRestarted = one.possibleBlocks > ARRIVAL_BLOCKS;
    }
  }

  /** Whether the sound of the last blocks may be that of this path's source. */
  private isSource(one: DirectedPath): boolean {
    const [source, near] = [this.powers[one.from], this.powers[one.to]] as [ChannelPower, ChannelPower];
    if (source.mean < SILENT_POWER || source.mean < ABOVE_BACKGROUND * source.background) return false;
    if (near.mean < SILENT_POWER * 1e-3) return false;
    const louder = one.verdict === "leak" && !this.isRecorded ? LOUDER_THAN_LEAK : LOUDER;
    if (source.mean - source.background < louder * (near.mean - near.background)) return false;
    this.limit(one, source, near);
    return true;
  }
}

function directed(from: number, to: number): DirectedPath {
  return {
    ...{ from, to, prior: 0, verdict: "unknown", isPossible: false, possibleBlocks: 0 },
    ...{ path: new LeakPath(0), bound: new GainBound(), evidence: new LeakEvidence(), isRestarted: false },
  };
}

/** @param isEqual  whether the channels are equally loud, so that each may be the source */
function decide(one: DirectedPath, reverse: DirectedPath, isEqual: boolean): void {
  const { agreement, lastingAgreement, blocks } = one.evidence;
  if (one.verdict === "leak") return;
  // The source of a leak agrees with its own leak where that is loud and sound repeats: then only clear evidence counts.
  const isWeakAllowed = reverse.verdict !== "leak" && blocks >= LASTING_BLOCKS;
  const isLasting = isWeakAllowed && lastingAgreement > LASTING_AGREEMENT;
  const isClear = one.isRestarted
    ? blocks >= RESTARTED_BLOCKS && agreement > RESTARTED_AGREEMENT
    : blocks >= LEAK_BLOCKS && agreement > LEAK_AGREEMENT;
  if (isLasting || isClear) one.verdict = verdictOnCopy(one, isEqual ? reverse.evidence.agreement : 0);
  else if (one.verdict === "unknown" && blocks >= NONE_BLOCKS && agreement < NONE_AGREEMENT) one.verdict = "none";
}

/** One voice in several channels is no leak: nothing of it is late, and where it is equally loud, each channel seems to leak. */
function verdictOnCopy({ prior, path, verdict, evidence }: DirectedPath, reverseAgreement: number): Verdict {
  if (prior <= LOUD_LEAK) return "leak";
  const { immediateShare } = path;
  if (immediateShare > IMMEDIATE_SHARE) return "none";
  const most = evidence.blocks < LASTING_BLOCKS ? EARLY_IMMEDIATE_SHARE : IMMEDIATE_SHARE;
  return immediateShare > most || reverseAgreement > LEAK_AGREEMENT ? verdict : "leak";
}
