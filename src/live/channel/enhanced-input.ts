// The audio of one channel on its way through the enhancer: in order, in whole frames, the enhancer's delay taken off
// again, so that every sample keeps its place.
import { type Enhancer, FRAME_SAMPLES } from "../../audio/enhance/enhancer.ts";

/** Frames handed over together: a tenth of a second at most waits for nothing. */
const MOST_SAMPLES = FRAME_SAMPLES * 64;

/** What the enhancer did over some time. */
export interface Enhancement {
  noiseDecibels: number;
  /** 0 to 1. */
  share: number;
}

export class EnhancedInput {
  private waiting = new Float32Array(0);
  private draining: Promise<void> | undefined;
  private isFirstFrame = true;
  private shares = 0;
  private samples = 0;
  private noiseDecibels = Number.NEGATIVE_INFINITY;

  /** @param take  gets the enhanced samples in their order */
  constructor(
    private readonly stream: string,
    private readonly enhancer: Enhancer,
    private readonly take: (samples: Float32Array) => void,
  ) {}

  /** Samples that have not come out. */
  get pendingSamples(): number {
    return this.waiting.length;
  }

  append(samples: Float32Array): void {
    const joined = new Float32Array(this.waiting.length + samples.length);
    joined.set(this.waiting);
    joined.set(samples, this.waiting.length);
    this.waiting = joined;
    this.drain();
  }

  /** What was done since this was last asked. */
  report(): Enhancement {
    const done = { noiseDecibels: this.noiseDecibels, share: this.samples === 0 ? 0 : this.shares / this.samples };
    this.shares = 0;
    this.samples = 0;
    return done;
  }

  /** No more audio: resolves when the last sample is out. */
  async finish(): Promise<void> {
    await this.draining;
    const rest = this.waiting.length;
    const padded = new Float32Array(Math.ceil(rest / FRAME_SAMPLES + 1) * FRAME_SAMPLES);
    padded.set(this.waiting);
    this.waiting = new Float32Array(0);
    const { samples } = await this.enhancer.enhance(this.stream, padded);
    const start = this.isFirstFrame ? FRAME_SAMPLES : 0;
    this.take(samples.slice(start, start + rest + (this.isFirstFrame ? 0 : FRAME_SAMPLES)));
    await this.enhancer.end(this.stream);
  }

  private drain(): void {
    this.draining ??= this.pump().finally(() => {
      this.draining = undefined;
      if (this.waiting.length >= FRAME_SAMPLES) this.drain();
    });
  }

  private async pump(): Promise<void> {
    while (this.waiting.length >= FRAME_SAMPLES) {
      const count = Math.min(MOST_SAMPLES, Math.floor(this.waiting.length / FRAME_SAMPLES) * FRAME_SAMPLES);
      const { samples, noiseDecibels, share } = await this.enhancer.enhance(this.stream, this.waiting.slice(0, count));
      this.waiting = this.waiting.slice(count);
      this.noiseDecibels = noiseDecibels;
      this.shares += share * count;
      this.samples += count;
      this.take(this.isFirstFrame ? samples.slice(FRAME_SAMPLES) : samples);
      this.isFirstFrame = false;
    }
  }
}
