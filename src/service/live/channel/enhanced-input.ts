// Passes the audio of one channel through the enhancer: in order, in whole frames. Compensates the enhancer's delay, so
// that every sample keeps its position.
import { type Enhancer, FRAME_SAMPLES } from "../../../speech/audio/enhance/enhancer.ts";

/** Largest batch sent to the enhancer: bounds the time that one channel occupies it. */
const MOST_SAMPLES = FRAME_SAMPLES * 64;

/** Noise level and strength of the enhancement over a period. */
export interface Enhancement {
  noiseDecibels: number;
  /** 0 to 1. */
  share: number;
}

/** What the enhancer did to one batch. */
interface EnhancedBatch extends Enhancement {
  /** Samples of the channel. */
  start: number;
  end: number;
}

export class EnhancedInput {
  private pending = new Float32Array(0);
  private received = 0;
  private draining: Promise<void> | undefined;
  private isFirstFrame = true;
  /** In order. Batches before the last reported period, or before forgotten samples, are dropped. */
  private batches: EnhancedBatch[] = [];

  /**
   * @param emitted  position of the first sample in the channel
   * @param onSamples  gets the enhanced samples in their order
   */
  constructor(
    private readonly stream: string,
    private readonly enhancer: Enhancer,
    private emitted: number,
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

  /** Drops what was done before a sample of the channel: no period before it will be requested. */
  forgetBefore(sample: number): void {
    const kept = this.batches.findIndex(({ end }) => end > sample);
    if (kept !== 0) this.batches.splice(0, kept < 0 ? this.batches.length : kept);
  }

  /** Summary of a period, in samples of the channel. Periods must be requested in order. */
  report(start: number, end: number): Enhancement {
    this.forgetBefore(start);
    const own = this.batches.filter((batch) => batch.start < end);
    let [shares, samples] = [0, 0];
    for (const batch of own) {
      const shared = Math.min(end, batch.end) - Math.max(start, batch.start);
      shares += shared * batch.share;
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
    const { samples, ...enhancement } = await this.enhancer.enhance(this.stream, padded);
    const start = this.isFirstFrame ? FRAME_SAMPLES : 0;
    this.emit(samples.slice(start, start + rest + (this.isFirstFrame ? 0 : FRAME_SAMPLES)), enhancement);
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
      const { samples, ...enhancement } = await this.enhancer.enhance(this.stream, this.pending.slice(0, count));
      this.pending = this.pending.slice(count);
      this.emit(this.isFirstFrame ? samples.slice(FRAME_SAMPLES) : samples, enhancement);
      this.isFirstFrame = false;
    }
  }

  private emit(samples: Float32Array, { noiseDecibels, share }: Enhancement): void {
    const start = this.emitted;
    this.emitted += samples.length;
    this.batches.push({ start, end: this.emitted, noiseDecibels, share });
    this.onSamples(samples);
  }
}
