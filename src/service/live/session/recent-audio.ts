// The last seconds of a session's channels, for voice activity detection on the difference between two channels.
import { retry } from "../../../platform/process/retry.ts";
import type { FindSpeech } from "../../../speech/audio/channels/difference.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/channels/windows.ts";
import { DELAY_REACH_SAMPLES, withoutChannel } from "../../../speech/audio/channels/without-channel.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES as DETECTOR_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import { pauseAfterTransient } from "../../inference/transient-errors.ts";

const WINDOW_SAMPLES = Math.round(WINDOW_SECONDS * SAMPLE_RATE);
const DETECTOR_WINDOWS = WINDOW_SAMPLES / DETECTOR_SAMPLES;
/** Audio before a window that the detector needs to settle. */
const LEAD_WINDOWS = 4;
/** 8 s: the windows that may wait, their lead, and the longest delay between two channels. */
const KEPT_SAMPLES = 8 * SAMPLE_RATE;
const LEAST_PROBABILITY = 0.5;
const RETRY_MILLISECONDS = 100;
const MOST_CRASHES = 3;

export class RecentAudio {
  private readonly samples: Float32Array[];
  private start = 0;
  private length = 0;

  constructor(
    channels: number,
    private readonly detection: Pick<RecognitionPool, "voiceActivity">,
    private readonly signal: AbortSignal,
  ) {
    const kept = channels > 1 ? 2 * KEPT_SAMPLES : 0;
    this.samples = Array.from({ length: channels }, () => new Float32Array(kept));
  }

  append(pieces: readonly Float32Array[]): void {
    const count = pieces[0]?.length ?? 0;
    this.makeRoom(count);
    for (const [channel, piece] of pieces.entries()) this.samples[channel]?.set(piece, this.length);
    this.length += count;
  }

  readonly findSpeech: FindSpeech = async ({ channel, without }, [from, to]) => {
    const first = Math.max(0, from - LEAD_WINDOWS);
    const own = this.slice(channel, first * WINDOW_SAMPLES, to * WINDOW_SAMPLES);
    const rest = without ? this.remainder(own, first * WINDOW_SAMPLES, without) : own;
    const { signal } = this;
    const detect = () => this.detection.voiceActivity(rest, undefined, { priority: "live", signal });
    const pauseAfter = pauseAfterTransient(RETRY_MILLISECONDS, MOST_CRASHES);
    const { probabilities } = await retry(detect, { pauseAfter, signal });
    return Array.from({ length: to - from }, (_, at) => {
      const start = (from - first + at) * DETECTOR_WINDOWS;
      const window = probabilities.subarray(start, start + DETECTOR_WINDOWS);
      return window.reduce((sum, value) => sum + value, 0) >= LEAST_PROBABILITY * DETECTOR_WINDOWS;
    });
  };

  private remainder(
    own: Float32Array,
    start: number,
    { channel, gain, delaySeconds }: { channel: number; gain: number; delaySeconds: number },
  ): Float32Array {
    const delaySamples = delaySeconds * SAMPLE_RATE;
    const from = Math.floor(start - delaySamples) - DELAY_REACH_SAMPLES;
    const other = this.slice(channel, from, from + own.length + 2 * DELAY_REACH_SAMPLES + 1);
    return withoutChannel(own, other, { gain, delaySamples: delaySamples + from - start });
  }

  /** Samples of a channel; zeros outside the kept range. */
  private slice(channel: number, from: number, to: number): Float32Array {
    const slice = new Float32Array(to - from);
    const [first, last] = [Math.max(from, this.start), Math.min(to, this.start + this.length)];
    const kept = this.samples[channel];
    if (kept && last > first) slice.set(kept.subarray(first - this.start, last - this.start), first - from);
    return slice;
  }

  private makeRoom(count: number): void {
    const size = this.samples[0]?.length ?? 0;
    if (this.length + count <= size) return;
    const kept = Math.min(this.length, KEPT_SAMPLES);
    const from = this.length - kept;
    for (const [channel, samples] of this.samples.entries()) {
      const target = kept + count > size ? new Float32Array(2 * (kept + count)) : samples;
      target.set(samples.subarray(from, this.length));
      this.samples[channel] = target;
    }
    this.start += from;
    this.length = kept;
  }
}
