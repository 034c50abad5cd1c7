// Converts decoded frames to 16-bit samples of one rate and collects them into chunks.
import type { AVSampleFormat, ChannelLayout, Frame, SoftwareResampleContext } from "node-av";
import { BYTES_PER_SAMPLE } from "../samples.ts";
import "./promise-with-resolvers.ts";

const {
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_S16P,
  avChannelLayoutDefault,
  AVERROR_INPUT_CHANGED,
  FFmpegError,
  Frame: EmptyFrame,
  SoftwareResampleContext: Resampling,
} = await import("node-av");

/** Bound for the rounding error of the summed frame lengths, in samples. */
const ROUNDING = 1e-3;

export interface ResampledChunk {
  /** 16-bit samples of each channel, valid until the next chunk is read. */
  planes: Buffer[];
  /** Of each channel. */
  samples: number;
}

/** Output channels, the same for all parts of a file; frames with other channels are mixed. */
export interface OutputChannels {
  /** Number stated in the file's header; undefined for that of the first frame. */
  count?: number;
  /** Layout of the first frame if its count matches; set by the first resampler. */
  layout?: ChannelLayout;
}

/** Resamples frame by frame and buffers the output until a chunk is complete. */
export class Resampler {
  private readonly output = new EmptyFrame();
  private context: SoftwareResampleContext | undefined;
  /** Replaces an unspecified channel layout by the usual one for the number of channels. */
  private assumedLayout: ChannelLayout | undefined;
  /** Output samples due for the frames so far, and samples returned. */
  private due = 0;
  private given = 0;

  constructor(
    private readonly rate: number,
    private readonly chunkSamples: number,
    private readonly channels: OutputChannels = {},
  ) {
    this.output.alloc();
  }

  /**
   * @param frameSamples  samples of the frame, at `frameRate` samples a second
   * @returns the next chunk if it is complete
   */
  *add(frame: Frame, frameSamples: number, frameRate: number): Generator<ResampledChunk> {
    this.context ??= this.openContext(frame);
    if (this.assumedLayout) frame.channelLayout = this.assumedLayout;
    const due = this.due + (frameSamples * this.rate) / frameRate;
    const isComplete = due - this.given >= this.chunkSamples;
    if (isComplete) this.prepareOutput();
    const status = this.context.convertFrame(isComplete ? this.output : null, frame);
    if (status === AVERROR_INPUT_CHANGED) {
      yield* this.end();
      yield* this.add(frame, frameSamples, frameRate);
      return;
    }
    FFmpegError.throwIfError(status);
    this.due = due;
    if (isComplete) yield this.takeOutput(this.output.nbSamples);
  }

  /** Returns the buffered rest. The next frame starts a new conversion with the same output channels. */
  *end(): Generator<ResampledChunk> {
    if (!this.context) return;
    this.prepareOutput();
    FFmpegError.throwIfError(this.context.convertFrame(this.output, null));
    // The last output sample may only be covered in part.
    const left = Math.min(this.output.nbSamples, Math.floor(this.due + ROUNDING) - this.given);
    if (left > 0) yield this.takeOutput(left);
    this.context.free();
    this.context = undefined;
    this.due = 0;
    this.given = 0;
  }

  close(): void {
    this.context?.free();
    this.output.free();
  }

  private openContext({ format, sampleRate, channelLayout }: Frame): SoftwareResampleContext {
    const isKnown = channelLayout.order !== AV_CHANNEL_ORDER_UNSPEC;
    this.assumedLayout = isKnown ? undefined : avChannelLayoutDefault(channelLayout.nbChannels);
    const from = this.assumedLayout ?? channelLayout;
    const layout = this.layoutFor(from);
    const context = new Resampling();
    const source = [from, format as AVSampleFormat, sampleRate] as const;
    FFmpegError.throwIfError(context.allocSetOpts2(layout, AV_SAMPLE_FMT_S16P, this.rate, ...source));
    FFmpegError.throwIfError(context.init());
    return context;
  }

  private layoutFor(first: ChannelLayout): ChannelLayout {
    const { count = first.nbChannels, layout } = this.channels;
    this.channels.layout = layout ?? (first.nbChannels === count ? first : avChannelLayoutDefault(count));
    return this.channels.layout;
  }

  private prepareOutput(): void {
    this.output.unref();
    this.output.format = AV_SAMPLE_FMT_S16P;
    this.output.sampleRate = this.rate;
    if (this.channels.layout) this.output.channelLayout = this.channels.layout;
  }

  private takeOutput(samples: number): ResampledChunk {
    this.given += samples;
    const planes = (this.output.data ?? []).map((plane) => plane.subarray(0, samples * BYTES_PER_SAMPLE));
    return { planes, samples };
  }
}
