// Decodes a stream to samples of one rate, positioned by the stream's timestamps. node-av's own generators take more
// than twice the time: they copy and convert packets and frames.
import type { Demuxer, Stream } from "node-av";
import { BYTES_PER_SAMPLE } from "../samples.ts";
import { framesOf, type ReadFaults } from "./frames.ts";
import "./promise-with-resolvers.ts";
import { type OutputChannels, type ResampledChunk, Resampler } from "./resampler.ts";
import { spliced } from "./splice.ts";
import { type PlacedFrame, Timeline, type TimelineFaults, type TimelineOptions } from "./timeline.ts";

const { Decoder, Frame } = await import("node-av");
type Frame = InstanceType<typeof Frame>;

export interface PlacedChunk extends ResampledChunk {
  /** Silence before the samples, in samples. */
  gapSamples: number;
}

export interface PlacementOptions extends TimelineOptions {
  /** Output sample rate. */
  rate: number;
  /** Minimum length of every chunk except those before a gap and the last one, in samples. */
  chunkSamples: number;
  /** Timestamp of second 0 of the file. */
  originSeconds: number;
  channels: OutputChannels;
  /** Changes the samples of a frame before they are converted. */
  prepare?(frame: Frame): void;
}

/** Faults of a stream; filled during decoding. */
export interface DecodeFaults extends ReadFaults, TimelineFaults {
  /** Gaps of a second or more between samples: number, total duration, and start of the first one. */
  gaps: number;
  gapSeconds: number;
  firstGapSeconds: number;
}

export const noFaults = (): DecodeFaults => ({
  damagedPackets: 0,
  failedReads: 0,
  hasUnreadableEnd: false,
  damagedAtEnd: 0,
  lastPacketBytes: 0,
  hasTrackChanged: false,
  decodedPackets: 0,
  endBytes: 0,
  ignoredJumps: 0,
  stepsBack: 0,
  gaps: 0,
  gapSeconds: 0,
  firstGapSeconds: 0,
});

/** Shorter gaps are pauses of a codec that sends nothing during silence, or single lost packets. */
const SHORTEST_REPORTED_GAP_SECONDS = 1;

/** @throws FFmpegError if there is no decoder for the stream */
export async function openDecoder(stream: Stream) {
  // With several threads, FFmpeg synchronises them packet by packet; the other cores run other work.
  const decoder = await Decoder.create(stream, { context: { threadCount: 1 } });
  const context = decoder.getCodecContext();
  if (context) return { context, close: () => decoder.close() };
  decoder.close();
  throw new Error("the decoder could not be opened");
}

const EMPTY = Buffer.alloc(0);

/** Resampled chunks and the gaps between them. */
class Placement {
  private readonly resampler: Resampler;
  /** Samples and gaps returned so far. */
  private returned: number;
  /** Samples still to be inserted or, below 0, removed. */
  private correction = 0;

  constructor(
    private readonly options: PlacementOptions,
    private readonly faults: DecodeFaults,
  ) {
    this.resampler = new Resampler(options.rate, options.chunkSamples, options.channels);
    this.returned = Math.round(options.startSeconds * options.rate);
  }

  /** @param startSeconds  position of the frame; only used after a gap */
  *add(
    { frame, gapSeconds, correctionSeconds }: PlacedFrame<Frame>,
    startSeconds: number,
    samples: number,
    sampleRate: number,
  ): Generator<PlacedChunk> {
    this.correction += Math.round(correctionSeconds * this.options.rate);
    if (gapSeconds > 0) {
      for (const chunk of this.resampler.end()) yield this.corrected(chunk);
      // The position counts corrections for which no chunk had room: they are not applied a second time.
      const wanted = Math.round(startSeconds * this.options.rate) - this.returned;
      this.correction = Math.min(0, wanted);
      const gapSamples = Math.max(0, wanted);
      this.report(gapSeconds);
      this.returned += gapSamples;
      if (gapSamples > 0) yield { planes: [EMPTY], samples: 0, gapSamples };
    }
    for (const chunk of this.resampler.add(frame, samples, sampleRate)) yield this.corrected(chunk);
  }

  *end(): Generator<PlacedChunk> {
    for (const chunk of this.resampler.end()) yield this.corrected(chunk);
  }

  close(): void {
    this.resampler.close();
  }

  private report(gapSeconds: number): void {
    // A late start is not a gap.
    if (gapSeconds < SHORTEST_REPORTED_GAP_SECONDS || this.returned === 0) return;
    if (this.faults.gaps++ === 0) this.faults.firstGapSeconds = this.returned / this.options.rate;
    this.faults.gapSeconds += gapSeconds;
  }

  private corrected({ planes, samples }: ResampledChunk): PlacedChunk {
    if (this.correction === 0) {
      this.returned += samples;
      return { planes, samples, gapSamples: 0 };
    }
    const values = planes.map((plane) => new Int16Array(plane.buffer, plane.byteOffset, samples));
    const changed = spliced(values, this.correction);
    if (changed !== values) this.correction = 0;
    const length = changed[0]?.length ?? 0;
    this.returned += length;
    return {
      planes: changed.map(({ buffer, byteOffset }) => Buffer.from(buffer, byteOffset, length * BYTES_PER_SAMPLE)),
      samples: length,
      gapSamples: 0,
    };
  }
}

/**
 * Decodes one stream as far as possible. Yields undefined at intervals if no chunk is complete.
 * @param faults  receives the faults
 * @returns position after the last sample, in seconds
 * @throws FFmpegError if there is no decoder for it, or nothing could be decoded
 */
export async function* placedAudio(
  input: Demuxer,
  stream: Stream,
  options: PlacementOptions,
  faults: DecodeFaults,
): AsyncGenerator<PlacedChunk | undefined, number> {
  const { originSeconds } = options;
  const decoder = await openDecoder(stream);
  const timeline = new Timeline<Frame>(options);
  const placement = new Placement(options, faults);
  const follower: PlacedFrame<Frame> = { frame: undefined as never, gapSeconds: 0, correctionSeconds: 0 };
  let position = options.startSeconds;
  function* released(frames: readonly PlacedFrame<Frame>[]): Generator<PlacedChunk> {
    for (const placed of frames) {
      const { frame, gapSeconds, correctionSeconds } = placed;
      const { nbSamples, sampleRate } = frame;
      position += gapSeconds + correctionSeconds;
      yield* placement.add(placed, position, nbSamples, sampleRate);
      position += nbSamples / sampleRate;
      frame.free();
    }
  }
  try {
    for (const decoded of framesOf(input, stream, decoder.context, faults)) {
      if (!decoded) {
        yield undefined;
        continue;
      }
      const { frame, samples, sampleRate, seconds } = decoded;
      options.prepare?.(frame);
      const time = seconds - originSeconds;
      const duration = samples / sampleRate;
      if (timeline.follows(time, duration)) {
        follower.frame = frame;
        position += duration;
        yield* placement.add(follower, position, samples, sampleRate);
      } else {
        // The frame's memory is reused for the next one, but its position may only become certain later.
        const kept = frame.clone();
        if (kept) yield* released(timeline.push(time, duration, kept));
      }
    }
    yield* released(timeline.end());
    yield* placement.end();
    return timeline.endSeconds;
  } finally {
    for (const frame of timeline.drop()) frame.free();
    add(faults, timeline.faults);
    placement.close();
    decoder.close();
  }
}

function add(faults: DecodeFaults, { ignoredJumps, stepsBack, ignoredFromSeconds }: TimelineFaults): void {
  faults.ignoredJumps += ignoredJumps;
  faults.stepsBack += stepsBack;
  if (ignoredFromSeconds !== undefined) faults.ignoredFromSeconds ??= ignoredFromSeconds;
}

/** The samples of a stream without regard to timestamps; undefined at intervals. @throws as placedAudio */
export async function* wholeStream(
  input: Demuxer,
  stream: Stream,
  rate: number,
  chunkSamples: number,
): AsyncGenerator<ResampledChunk | undefined> {
  const decoder = await openDecoder(stream);
  const resampler = new Resampler(rate, chunkSamples);
  try {
    for (const decoded of framesOf(input, stream, decoder.context, noFaults())) {
      if (decoded) yield* resampler.add(decoded.frame, decoded.samples, decoded.sampleRate);
      else yield undefined;
    }
    yield* resampler.end();
  } finally {
    resampler.close();
    decoder.close();
  }
}
