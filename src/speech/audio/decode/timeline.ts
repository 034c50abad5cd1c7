// Decides from timestamps where each decoded frame belongs. Pure: independent of FFmpeg and samples, so that every kind
// of broken timestamp can be tested. A frame follows the previous one unless several timestamps agree that it does not.

/**
 * Steps between frames up to this are rounding or jitter: WebM rounds to 1 ms, RTP recordings vary by a frame of 20 ms.
 */
const STEP_TOLERANCE_SECONDS = 0.04;
/** Larger lasting distances between samples and timestamps are corrected. */
export const DRIFT_TOLERANCE_SECONDS = 0.06;
/** Audio over which the distance is averaged, so that jitter is not corrected. */
const DRIFT_AVERAGE_SECONDS = 1;
/** A late start loses no samples, so it is followed more exactly than later differences. */
const START_TOLERANCE_SECONDS = 0.005;
/** Longest overlap that is removed; after a longer step back, the new timestamps are relative to the samples so far. */
const LONGEST_OVERLAP_SECONDS = 0.25;
/**
 * Up to this length, one later frame confirms a gap: codecs that send nothing during silence send a frame every 0.4 s.
 */
const SHORT_GAP_SECONDS = 1;
const FRAMES_TO_CONFIRM_SHORT_GAP = 1;
const FRAMES_TO_CONFIRM_JUMP = 4;
/** Minimum time between insertions; more frequent ones mean timestamps that run over 60 % too fast. */
const LEAST_SECONDS_BETWEEN_INSERTIONS = 0.45;
/**
 * Minimum time between cuts; more frequent ones mean timestamps that run over 5 % too slow, and would remove speech.
 */
const LEAST_SECONDS_BETWEEN_CUTS = 1.5;
/** A declared duration may end this long before the last frame. */
const DURATION_TOLERANCE_SECONDS = 1;
/** Timestamps are ignored after this many contradictions, if more than one in so many frames contradicts. */
const CONTRADICTIONS_ALLOWED = 20;
const FRAMES_PER_CONTRADICTION = 50;
/**
 * Number of earlier offsets that are remembered, so that audio after a few misplaced seconds returns to its position.
 */
const REMEMBERED_SHIFTS = 4;

export interface TimelineOptions {
  /** Position of the first frame whose time is 0, in seconds. */
  startSeconds: number;
  /** Maximum duration of the audio; a jump beyond it is ignored. */
  limitSeconds: number;
  /** Declared duration of the file; a jump beyond it is ignored. */
  declaredSeconds?: number;
  /** Timestamps wrap to 0 after this; 26.5 hours in MPEG transport streams. */
  wrapSeconds?: number;
}

export interface PlacedFrame<Frame> {
  frame: Frame;
  /** Silence before the frame, in seconds. */
  gapSeconds: number;
  /** Samples to insert (above 0) or remove (below 0) near this frame, in seconds: slow drift or a small overlap. */
  correctionSeconds: number;
}

/** Faults of the timestamps. */
export interface TimelineFaults {
  /** Ignored jumps beyond the declared duration or the limit. */
  ignoredJumps: number;
  /** Steps back; later times are relative to the samples so far. */
  stepsBack: number;
  /** Position from which timestamps were ignored because of too many contradictions, in seconds. */
  ignoredFromSeconds?: number;
}

interface Waiting<Frame> {
  seconds: number;
  durationSeconds: number;
  frame: Frame;
}

export class Timeline<Frame> {
  readonly faults: TimelineFaults = { ignoredJumps: 0, stepsBack: 0 };
  /** Position of the next frame if it follows the last one. */
  private positionSeconds: number;
  /** Position minus timestamp. */
  private shiftSeconds: number;
  private readonly earlierShifts: number[] = [];
  private wrappedSeconds = 0;
  /** Timestamp after the last frame; NaN if unknown. */
  private followingSeconds = Number.NaN;
  private driftSeconds = 0;
  private correctedAtSeconds = Number.NEGATIVE_INFINITY;
  private isFirst = true;
  private frames = 0;
  private contradictions = 0;
  private waiting: Waiting<Frame>[] = [];

  constructor(private readonly options: TimelineOptions) {
    this.positionSeconds = options.startSeconds;
    this.shiftSeconds = options.startSeconds;
  }

  /** Position after the last placed frame. */
  get endSeconds(): number {
    return this.positionSeconds;
  }

  /**
   * Fast path without copying the frame: whether it follows the last one.
   * @param seconds  its timestamp; NaN if it has none
   * @returns false if `push` has to place it
   */
  follows(seconds: number, durationSeconds: number): boolean {
    if (this.waiting.length > 0 || this.isFirst) return false;
    const drift = this.nextDrift(seconds, durationSeconds);
    if (drift === undefined || Math.abs(drift) > DRIFT_TOLERANCE_SECONDS) return false;
    this.driftSeconds = drift;
    this.advance(seconds, durationSeconds);
    return true;
  }

  /** @returns the frames whose position is certain now, in order; the others follow later */
  push(seconds: number, durationSeconds: number, frame: Frame): PlacedFrame<Frame>[] {
    const placed: PlacedFrame<Frame>[] = [];
    this.take({ seconds: this.unwrapped(seconds), durationSeconds, frame }, placed);
    return placed;
  }

  /** The frames whose position was still uncertain. */
  end(): PlacedFrame<Frame>[] {
    const placed: PlacedFrame<Frame>[] = [];
    while (this.waiting[0]) {
      const isConfirmed =
        this.isFirst || this.waiting.length > 1 || Math.abs(this.distanceOf(this.waiting[0])) <= SHORT_GAP_SECONDS;
      if (isConfirmed) this.jump(placed);
      else this.placeFirst(placed);
    }
    return placed;
  }

  /** Returns the waiting frames, for their owner to release. */
  drop(): Frame[] {
    return this.waiting.splice(0).map(({ frame }) => frame);
  }

  private get isIgnoring(): boolean {
    return this.faults.ignoredFromSeconds !== undefined;
  }

  private unwrapped(seconds: number): number {
    const { wrapSeconds } = this.options;
    const last = this.waiting.at(-1);
    const following = last ? last.seconds + last.durationSeconds : this.followingSeconds;
    if (wrapSeconds === undefined || Number.isNaN(following) || Number.isNaN(seconds)) {
      return seconds + this.wrappedSeconds;
    }
    const step = seconds + this.wrappedSeconds - following;
    if (step < -wrapSeconds / 2) this.wrappedSeconds += wrapSeconds;
    else if (step > wrapSeconds / 2) this.wrappedSeconds -= wrapSeconds;
    return seconds + this.wrappedSeconds;
  }

  /** Average distance including this frame; undefined if the frame does not follow the last one. */
  private nextDrift(seconds: number, durationSeconds: number): number | undefined {
    if (this.isIgnoring || Number.isNaN(seconds)) return this.driftSeconds;
    const unwrapped = seconds + this.wrappedSeconds;
    const distance = unwrapped + this.shiftSeconds - this.positionSeconds;
    const step = Number.isNaN(this.followingSeconds) ? distance : unwrapped - this.followingSeconds;
    const hasReturned = Math.abs(distance) <= DRIFT_TOLERANCE_SECONDS;
    // Written so that a timestamp that is not finite fails the check.
    if (!(Math.abs(step) <= STEP_TOLERANCE_SECONDS || hasReturned)) return undefined;
    return this.driftSeconds + (distance - this.driftSeconds) * Math.min(1, durationSeconds / DRIFT_AVERAGE_SECONDS);
  }

  private advance(seconds: number, durationSeconds: number): void {
    this.isFirst = false;
    this.frames++;
    this.positionSeconds += durationSeconds;
    this.followingSeconds = seconds + this.wrappedSeconds + durationSeconds;
  }

  private place(
    { seconds, durationSeconds, frame }: Waiting<Frame>,
    placed: PlacedFrame<Frame>[],
    { gapSeconds = 0, correctionSeconds = 0 } = {},
  ): void {
    placed.push({ frame, gapSeconds, correctionSeconds });
    this.positionSeconds += gapSeconds + correctionSeconds;
    if (gapSeconds !== 0 || correctionSeconds !== 0) this.driftSeconds = 0;
    this.advance(seconds - this.wrappedSeconds, durationSeconds);
  }

  /** Places the first waiting frame after the last placed one, whatever its timestamp. */
  private placeFirst(placed: PlacedFrame<Frame>[]): void {
    const [first, ...rest] = this.waiting;
    this.waiting = [];
    if (!first) return;
    // Its own timestamp is wrong: the next one is compared with the samples.
    this.place({ ...first, seconds: Number.NaN }, placed);
    for (const next of rest) this.take(next, placed);
  }

  private distanceOf({ seconds }: Waiting<Frame>): number {
    return seconds + this.shiftSeconds - this.positionSeconds;
  }

  private take(next: Waiting<Frame>, placed: PlacedFrame<Frame>[]): void {
    if (this.waiting.length > 0) {
      this.waiting.push(next);
      this.decide(placed);
      return;
    }
    if (this.isFirst && !Number.isNaN(next.seconds)) {
      if (Math.abs(this.distanceOf(next)) <= START_TOLERANCE_SECONDS) this.place(next, placed);
      else this.waiting.push(next);
      return;
    }
    const drift = this.nextDrift(next.seconds - this.wrappedSeconds, next.durationSeconds);
    if (drift === undefined) {
      this.waiting.push(next);
    } else if (Math.abs(drift) > DRIFT_TOLERANCE_SECONDS) {
      // Inserting silence loses no speech: it corrects the whole distance, so that many lost packets are followed too.
      this.correct(next, drift > 0 ? Math.max(drift, this.distanceOf(next) || 0) : drift, placed);
    } else {
      this.driftSeconds = drift;
      this.place(next, placed);
    }
  }

  private correct(next: Waiting<Frame>, seconds: number, placed: PlacedFrame<Frame>[]): void {
    const least = seconds > 0 ? LEAST_SECONDS_BETWEEN_INSERTIONS : LEAST_SECONDS_BETWEEN_CUTS;
    const isTooSoon = this.positionSeconds - this.correctedAtSeconds < least;
    this.correctedAtSeconds = this.positionSeconds;
    if (isTooSoon) {
      this.countContradiction();
      this.rebase(next, placed);
    } else this.place(next, placed, { correctionSeconds: seconds });
  }

  /** Reconsiders the first waiting frame, now that another one follows. */
  private decide(placed: PlacedFrame<Frame>[]): void {
    const first = this.waiting[0] as Waiting<Frame>;
    const previous = this.waiting.at(-2) as Waiting<Frame>;
    const last = this.waiting.at(-1) as Waiting<Frame>;
    const before = this.waiting.slice(0, -1).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    const hasReturned = Math.abs(this.distanceOf(last) - before) <= DRIFT_TOLERANCE_SECONDS && !this.isFirst;
    const step = last.seconds - previous.seconds - previous.durationSeconds;
    if (hasReturned || step < -STEP_TOLERANCE_SECONDS || !Number.isFinite(first.seconds)) {
      this.countContradiction();
      this.placeFirst(placed);
      return;
    }
    const distance = this.distanceOf(first);
    const isShort = distance > 0 && distance <= SHORT_GAP_SECONDS;
    const needed = isShort ? FRAMES_TO_CONFIRM_SHORT_GAP : FRAMES_TO_CONFIRM_JUMP;
    if (this.waiting.length > needed) this.jump(placed);
  }

  private countContradiction(): void {
    this.contradictions++;
    const isOften = this.contradictions > CONTRADICTIONS_ALLOWED;
    if (isOften && this.contradictions * FRAMES_PER_CONTRADICTION > this.frames && !this.isIgnoring) {
      this.faults.ignoredFromSeconds = this.positionSeconds;
    }
  }

  /** Places the first waiting frame at its timestamp. */
  private jump(placed: PlacedFrame<Frame>[]): void {
    const [first, ...rest] = this.waiting as [Waiting<Frame>, ...Waiting<Frame>[]];
    this.waiting = [];
    const distance = this.distanceOf(first);
    if (this.isIgnoring || !Number.isFinite(distance)) this.place({ ...first, seconds: Number.NaN }, placed);
    else if (distance > 0) this.jumpForward(first, distance, placed);
    else if (distance >= -LONGEST_OVERLAP_SECONDS && !this.isFirst) {
      this.correct(first, distance, placed);
    } else {
      if (!this.isFirst) {
        this.faults.stepsBack++;
        this.countContradiction();
      }
      this.rebase(first, placed);
    }
    for (const next of rest) this.take(next, placed);
  }

  private jumpForward(first: Waiting<Frame>, distance: number, placed: PlacedFrame<Frame>[]): void {
    const { limitSeconds, declaredSeconds = Number.POSITIVE_INFINITY } = this.options;
    const earlier = this.earlierShifts.find(
      (shift) => Math.abs(first.seconds + shift - this.positionSeconds) <= DRIFT_TOLERANCE_SECONDS,
    );
    const isBeyondLimit = first.seconds + this.shiftSeconds > limitSeconds;
    const isBeyondEnd = first.seconds > declaredSeconds + DURATION_TOLERANCE_SECONDS;
    if (earlier !== undefined) {
      this.shiftSeconds = earlier;
      this.place(first, placed);
    } else if (isBeyondLimit || isBeyondEnd) {
      this.faults.ignoredJumps++;
      this.countContradiction();
      this.rebase(first, placed);
    } else this.place(first, placed, { gapSeconds: distance });
  }

  /** Makes timestamps from this one on relative to the samples so far. */
  private rebase(first: Waiting<Frame>, placed: PlacedFrame<Frame>[]): void {
    this.earlierShifts.unshift(this.shiftSeconds);
    this.earlierShifts.length = Math.min(this.earlierShifts.length, REMEMBERED_SHIFTS);
    this.shiftSeconds = this.positionSeconds - first.seconds;
    this.driftSeconds = 0;
    this.place(first, placed);
  }
}
