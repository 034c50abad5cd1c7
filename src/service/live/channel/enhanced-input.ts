// Passes the audio of one channel through the enhancer: in order, in whole frames. Compensates the enhancer's delay of
// one frame, so that every sample keeps its position. Where the enhancer fails, the audio is passed on as it is.
import { type Enhancer, FRAME_SAMPLES } from "../../../speech/audio/enhance/enhancer.ts";

/** Largest batch sent to the enhancer: bounds the time that one channel occupies it. */
const MOST_SAMPLES = FRAME_SAMPLES * 64;

/** Noise level and strength of the enhancement over a period. */
export interface Enhancement {
  noiseDecibels: number;
  /** 0 to 1. */
  share: number;
}

export class EnhancedInput {
  private pending = new Float32Array(0);
  private received = 0;
  private draining: Promise<void> | undefined;
  private isFirstFrame = true;
  /** The frame that the enhancer holds back, as it was received. */
  private heldFrame = new Float32Array(FRAME_SAMPLES);
  /** What the enhancer did to each frame, except those before the last reported period or before forgotten samples. */
  private readonly frames: Enhancement[] = [];

  /**
   * @param framesStart  start of the first of `frames`, samples of the channel; at the beginning, position of the first sample
   * @param onSamples  gets the enhanced samples in their order
   */
  constructor(
    private readonly stream: string,
    private readonly enhancer: Enhancer,
    private framesStart: number,
    private readonly onSamples: (samples: Float32Array) => void,
    private readonly events: { enhancementFailed(): void },
  ) {}

  /** Samples that were received and not yet emitted. */
  get pendingSamples(): number {
    return this.pending.length;
  }

  /** Samples that the audio received so far produces; the enhancer holds one frame back. */
  get reach(): number {
    return Math.max(0, Math.floor(this.received / FRAME_SAMPLES) - 1) * FRAME_SAMPLES;
  }

  append(samples: Float32Array): void {
    this.received += samples.length;
    const joined = new Float32Array(this.pending.length + samples.length);
    joined.set(this.pending);
    joined.set(samples, this.pending.length);
    this.pending = joined;
    this.drain();
  }

  /** Drops what was done before a sample of the channel: no period before it will be requested. */
  forgetBefore(sample: number): void {
    const past = Math.min(this.frames.length, Math.floor((sample - this.framesStart) / FRAME_SAMPLES));
    if (past <= 0) return;
    this.frames.splice(0, past);
    this.framesStart += past * FRAME_SAMPLES;
  }

  /** Summary of a period, in samples of the channel. Periods must be requested in order. */
  report(start: number, end: number): Enhancement {
    this.forgetBefore(start);
    const { framesStart } = this;
    const own = this.frames.slice(0, Math.max(0, Math.ceil((end - framesStart) / FRAME_SAMPLES)));
    let [shares, samples] = [0, 0];
    for (const [at, { share }] of own.entries()) {
      const frameStart = framesStart + at * FRAME_SAMPLES;
      const shared = Math.min(end, frameStart + FRAME_SAMPLES) - Math.max(start, frameStart);
      shares += shared * share;
      samples += shared;
    }
    return {
      noiseDecibels: own.at(-1)?.noiseDecibels ?? Number.NEGATIVE_INFINITY,
      share: samples === 0 ? 0 : shares / samples,
    };
  }

  /** Ends the audio; resolves when the last sample was emitted. */
  async finish(): Promise<void> {
    await this.draining;
    const rest = this.pending.length;
    const padded = new Float32Array(Math.ceil(rest / FRAME_SAMPLES + 1) * FRAME_SAMPLES);
    padded.set(this.pending);
    this.pending = new Float32Array(0);
    // The padding makes the enhancer return its last frame.
    const most = rest + (this.isFirstFrame ? 0 : FRAME_SAMPLES);
    this.onSamples((await this.enhanced(padded)).slice(0, most));
    await this.enhancer.end(this.stream);
  }

  private drain(): void {
    this.draining ??= this.pump().finally(() => {
      this.draining = undefined;
      if (this.pending.length >= FRAME_SAMPLES) this.drain();
    });
  }

  private async pump(): Promise<void> {
    while (this.pending.length >= FRAME_SAMPLES) {
      const count = Math.min(MOST_SAMPLES, Math.floor(this.pending.length / FRAME_SAMPLES) * FRAME_SAMPLES);
      const samples = await this.enhanced(this.pending.slice(0, count));
      this.pending = this.pending.slice(count);
      this.onSamples(samples);
    }
  }

  /** @returns the frame that was held back, and all of these but the last @param samples  whole frames */
  private async enhanced(samples: Float32Array): Promise<Float32Array> {
    const enhanced = await this.enhancer.enhance(this.stream, samples);
    if (!enhanced) this.events.enhancementFailed();
    const delayed = new Float32Array(samples.length);
    delayed.set(this.heldFrame);
    delayed.set(samples.subarray(0, -FRAME_SAMPLES), FRAME_SAMPLES);
    const result = enhanced?.samples ?? delayed;
    // A process that begins within the stream has not received the held frame.
    if (enhanced?.isBeginning) result.set(this.heldFrame);
    this.heldFrame = samples.subarray(samples.length - FRAME_SAMPLES).slice();
    const first = this.isFirstFrame ? 1 : 0;
    this.isFirstFrame = false;
    for (let frame = first; frame * FRAME_SAMPLES < result.length; frame++) {
      const noiseDecibels = enhanced?.noiseDecibels[frame] ?? Number.NEGATIVE_INFINITY;
      this.frames.push({ noiseDecibels, share: enhanced?.shares[frame] ?? 0 });
    }
    return result.subarray(first * FRAME_SAMPLES);
  }
}
