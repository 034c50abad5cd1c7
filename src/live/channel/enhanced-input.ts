// Passes the audio of one channel through the enhancer: in order, in whole frames. Compensates the enhancer's delay, so
// that every sample keeps its position.
import { type Enhancer, FRAME_SAMPLES } from "../../audio/enhance/enhancer.ts";

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
  private shares = 0;
  private samples = 0;
  private noiseDecibels = Number.NEGATIVE_INFINITY;

  /** @param onSamples  gets the enhanced samples in their order */
  constructor(
    private readonly stream: string,
    private readonly enhancer: Enhancer,
    private readonly onSamples: (samples: Float32Array) => void,
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

  /** Summary since the previous call. */
  report(): Enhancement {
    const done = { noiseDecibels: this.noiseDecibels, share: this.samples === 0 ? 0 : this.shares / this.samples };
    this.shares = 0;
    this.samples = 0;
    return done;
  }

  /** Ends the audio; resolves when the last sample was emitted. */
  async finish(): Promise<void> {
    await this.draining;
    const rest = this.pending.length;
    const padded = new Float32Array(Math.ceil(rest / FRAME_SAMPLES + 1) * FRAME_SAMPLES);
    padded.set(this.pending);
    this.pending = new Float32Array(0);
    const { samples } = await this.enhancer.enhance(this.stream, padded);
    const start = this.isFirstFrame ? FRAME_SAMPLES : 0;
    this.onSamples(samples.slice(start, start + rest + (this.isFirstFrame ? 0 : FRAME_SAMPLES)));
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
      const { samples, noiseDecibels, share } = await this.enhancer.enhance(this.stream, this.pending.slice(0, count));
      this.pending = this.pending.slice(count);
      this.noiseDecibels = noiseDecibels;
      this.shares += share * count;
      this.samples += count;
      this.onSamples(this.isFirstFrame ? samples.slice(FRAME_SAMPLES) : samples);
      this.isFirstFrame = false;
    }
  }
}
