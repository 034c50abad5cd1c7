// The audio of a file as samples of one rate. node-av's own generators follow the time stamps of packets and frames; nobody
// asks for these here, and without them it takes less than half the time.
import type {
  AVSampleFormat,
  ChannelLayout,
  CodecContext,
  Demuxer,
  Frame,
  Packet,
  SoftwareResampleContext,
  Stream,
} from "node-av";
import { BYTES_PER_SAMPLE } from "../samples.ts";
import "./promise-with-resolvers.ts";

const {
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_S16P,
  avChannelLayoutDefault,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVERROR_INPUT_CHANGED,
  Decoder,
  FFmpegError,
  Frame: EmptyFrame,
  Packet: EmptyPacket,
  SoftwareResampleContext: Resampling,
} = await import("node-av");

/** More than a sum of shares of samples can be off by. */
const ROUNDING = 1e-3;

export interface ResampledChunk {
  /** 16-bit samples of each channel. They stand until the next chunk is asked for. */
  planes: Buffer[];
  /** Of each channel. */
  samples: number;
}

/** Resamples frame by frame, and keeps what comes of them until it is taken. */
class Resampler {
  private readonly output = new EmptyFrame();
  private context: SoftwareResampleContext | undefined;
  /** Channels of what comes out: those of the first frame. */
  private layout: ChannelLayout | undefined;
  /** Where a file does not say which channels it has: the usual ones of their number. */
  private assumed: ChannelLayout | undefined;
  /** Samples that the frames so far come to, and how many of them were taken. */
  private due = 0;
  private given = 0;

  constructor(
    private readonly rate: number,
    private readonly chunkSamples: number,
  ) {
    this.output.alloc();
  }

  /** @returns the next chunk where it is complete */
  *add(frame: Frame): Generator<ResampledChunk> {
    this.context ??= this.opened(frame);
    if (this.assumed) frame.channelLayout = this.assumed;
    const due = this.due + (frame.nbSamples * this.rate) / frame.sampleRate;
    const isComplete = due - this.given >= this.chunkSamples;
    if (isComplete) this.prepareOutput();
    const status = this.context.convertFrame(isComplete ? this.output : null, frame);
    if (status === AVERROR_INPUT_CHANGED) {
      yield* this.end();
      yield* this.add(frame);
      return;
    }
    FFmpegError.throwIfError(status);
    this.due = due;
    if (isComplete) yield this.taken(this.output.nbSamples);
  }

  /** All that is left. */
  *end(): Generator<ResampledChunk> {
    if (!this.context) return;
    this.prepareOutput();
    FFmpegError.throwIfError(this.context.convertFrame(this.output, null));
    // What comes last may be a part of a sample.
    const left = Math.min(this.output.nbSamples, Math.floor(this.due + ROUNDING) - this.given);
    if (left > 0) yield this.taken(left);
    this.context.free();
    this.context = undefined;
    this.due = 0;
    this.given = 0;
  }

  close(): void {
    this.context?.free();
    this.output.free();
  }

  private opened({ format, sampleRate, channelLayout }: Frame): SoftwareResampleContext {
    const isKnown = channelLayout.order !== AV_CHANNEL_ORDER_UNSPEC;
    this.assumed = isKnown ? undefined : avChannelLayoutDefault(channelLayout.nbChannels);
    const from = this.assumed ?? channelLayout;
    this.layout ??= from;
    const context = new Resampling();
    const source = [from, format as AVSampleFormat, sampleRate] as const;
    FFmpegError.throwIfError(context.allocSetOpts2(this.layout, AV_SAMPLE_FMT_S16P, this.rate, ...source));
    FFmpegError.throwIfError(context.init());
    return context;
  }

  private prepareOutput(): void {
    this.output.unref();
    this.output.format = AV_SAMPLE_FMT_S16P;
    this.output.sampleRate = this.rate;
    if (this.layout) this.output.channelLayout = this.layout;
  }

  private taken(samples: number): ResampledChunk {
    this.given += samples;
    const planes = (this.output.data ?? []).map((plane) => plane.subarray(0, samples * BYTES_PER_SAMPLE));
    return { planes, samples };
  }
}

/**
 * Decoded frames; each is another's memory when the next is asked for. What is damaged is left out.
 * @throws FFmpegError when nothing else is there
 */
function* framesOf(input: Demuxer, stream: Stream, decoder: CodecContext): Generator<Frame> {
  const format = input.getFormatContext();
  const packet = new EmptyPacket();
  const frame = new EmptyFrame();
  packet.alloc();
  frame.alloc();
  let failure = 0;
  let samples = 0;
  function* decoded(sent: Packet | null): Generator<Frame> {
    const refusal = decoder.sendPacketSync(sent);
    let status = decoder.receiveFrameSync(frame);
    for (; status >= 0; status = decoder.receiveFrameSync(frame)) {
      samples += frame.nbSamples;
      if (frame.nbSamples > 0) yield frame;
      frame.unref();
    }
    if (refusal < 0) failure = refusal;
    else if (status !== AVERROR_EAGAIN && status !== AVERROR_EOF) failure = status;
  }
  try {
    while (format.readFrameSync(packet) >= 0) {
      if (packet.streamIndex === stream.index && packet.size > 0) yield* decoded(packet);
      packet.unref();
    }
    yield* decoded(null);
    if (samples === 0) FFmpegError.throwIfError(failure);
  } finally {
    frame.free();
    packet.free();
  }
}

/**
 * Decodes one stream of a file, as far as it can be decoded.
 * @param rate          samples a second that come out
 * @param chunkSamples  least length of every chunk but the last, in samples
 * @throws when there is no decoder for it
 */
export async function* resampled(
  input: Demuxer,
  stream: Stream,
  rate: number,
  chunkSamples: number,
): AsyncGenerator<ResampledChunk> {
  // With several, FFmpeg's threads wait for each other packet by packet; other work has the other cores.
  const decoder = await Decoder.create(stream, { context: { threadCount: 1 } });
  const resampler = new Resampler(rate, chunkSamples);
  try {
    const context = decoder.getCodecContext();
    if (!context) return;
    for (const frame of framesOf(input, stream, context)) yield* resampler.add(frame);
    yield* resampler.end();
  } finally {
    resampler.close();
    decoder.close();
  }
}
