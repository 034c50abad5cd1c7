// Duration of a track by the timestamps of its packets, without decoding: 0.3 s for an hour. Declared durations are
// unreliable: missing in browser recordings, estimated for MPEG streams, and wrong for truncated files.
import type { Demuxer, Packet, Stream } from "node-av";
import { errors } from "../../../platform/errors.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import type { AsyncSteps, Steps } from "../steps.ts";
import { type AudioFile, type OpenFile, timelineOf } from "./audio-file.ts";
import { hasLongTail, isTransportStream } from "./continuations.ts";
import { knownPosition, packetsOf } from "./frames.ts";
import { secondsOf, secondsPerTickOf } from "./packet-time.ts";
import { noFaults } from "./resampled.ts";
import { Timeline } from "./timeline.ts";
import { TrackChange } from "./track-change.ts";
import { audioStreams } from "./tracks.ts";

const { AV_CODEC_ID_AAC, AV_PKT_DATA_SKIP_SAMPLES, AV_PKT_FLAG_DISCARD } = await import("node-av");

/** Formats of which FFmpeg derives the durations of packets from the bit rate: they differ from those of the samples. */
const MISSTATING = /^(asf|xwma|rm)$/;
/** Byte offset of the samples to skip at the end; those at the start are at 0. */
const SKIP_AT_END_BYTE = 4;
/** Less than a sample: a packet that consists only of encoder delay. */
const SHORTEST_SECONDS = 1e-6;

const MICROSECONDS = 1e6;

interface Span {
  seconds: number;
  durationSeconds: number;
}

/** Computes when the samples of a packet play, without encoder delay and padding. */
class PacketClock {
  private readonly secondsPerTick: number;
  private readonly frameSeconds: number;
  private readonly sampleRate: number;
  private readonly hasFixedFrames: boolean;
  /** Encoder delay still to be skipped; it may be longer than a packet. */
  private delaySeconds = 0;
  private lastDurationSeconds = 0;
  /** Whether the last packet's duration is known. */
  hasDuration = true;

  constructor(stream: Stream) {
    const { frameSize, sampleRate, codecId } = stream.codecpar;
    this.secondsPerTick = secondsPerTickOf(stream);
    this.sampleRate = sampleRate;
    this.frameSeconds = frameSize > 0 && sampleRate > 0 ? frameSize / sampleRate : 0;
    this.hasFixedFrames = codecId === AV_CODEC_ID_AAC;
  }

  spanOf(packet: Packet): Span {
    const seconds = secondsOf(packet.pts, this.secondsPerTick);
    const statedSeconds = Number(packet.duration) * this.secondsPerTick;
    // Containers round durations to their ticks, and MP4 shortens the last one.
    const isRounded = Math.abs(statedSeconds - this.frameSeconds) < 2 * this.secondsPerTick || statedSeconds === 0;
    const isFrame = this.frameSeconds > 0 && (isRounded || (this.hasFixedFrames && statedSeconds < this.frameSeconds));
    this.hasDuration = isFrame || statedSeconds > 0;
    let durationSeconds = isFrame ? this.frameSeconds : statedSeconds;
    const skipped = this.sampleRate > 0 ? packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES) : null;
    if (skipped && skipped.length >= 2 * SKIP_AT_END_BYTE) {
      this.delaySeconds += skipped.readUInt32LE(0) / this.sampleRate;
      // WebM and Ogg state the duration of the last packet without its padding.
      const isPadded = durationSeconds > this.lastDurationSeconds - 2 * this.secondsPerTick;
      if (isPadded) durationSeconds -= skipped.readUInt32LE(SKIP_AT_END_BYTE) / this.sampleRate;
    }
    this.lastDurationSeconds = durationSeconds;
    const delay = Math.min(this.delaySeconds, durationSeconds);
    this.delaySeconds -= delay;
    return { seconds: seconds + delay, durationSeconds: durationSeconds - delay };
  }
}

/** @returns a function of the next frame: whether it has the sample rate and channels of the first one (ISO/IEC 14496-3, ADTS) */
function uniformAac() {
  let first: string | undefined;
  return (frame: Buffer | null) => {
    const rate = (frame?.[2] ?? 0) & 0x3d;
    const channels = (frame?.[3] ?? 0) & 0xc0;
    first ??= `${rate} ${channels}`;
    return first === `${rate} ${channels}`;
  };
}

/**
 * @returns undefined if a packet does not state its duration, as in joined FLAC files, if its format misstates it, if the sample rate of
 *   AAC changes, or if a transport stream may continue in another format
 */
function* partEnd(
  path: string,
  input: Demuxer,
  stream: Stream,
  startSeconds: number,
  limitSeconds: number,
): Steps<number | undefined> {
  if (MISSTATING.test(input.formatName ?? "")) return undefined;
  const timing = timelineOf(input, stream);
  const timeline = new Timeline<undefined>({ ...timing, startSeconds, limitSeconds });
  const clock = new PacketClock(stream);
  let passedSeconds = 0;
  const notesPosition = isTransportStream(input.formatName);
  const change = notesPosition ? new TrackChange(input, stream) : undefined;
  const isUniform = input.formatName === "aac" ? uniformAac() : () => true;
  let lastBytes = 0;
  for (const packet of packetsOf(input, noFaults())) {
    if (!packet) {
      // Packets may claim any duration.
      yield Math.min(passedSeconds, limitSeconds);
      passedSeconds = 0;
      continue;
    }
    if (change?.isAt(packet)) return undefined;
    if (packet.streamIndex !== stream.index || packet.size === 0 || packet.hasFlags(AV_PKT_FLAG_DISCARD)) continue;
    if (!isUniform(packet.data)) return undefined;
    const { seconds, durationSeconds } = clock.spanOf(packet);
    if (!clock.hasDuration) return undefined;
    if (notesPosition) lastBytes = knownPosition(packet, lastBytes);
    if (durationSeconds > SHORTEST_SECONDS) {
      passedSeconds += durationSeconds;
      const time = seconds - timing.originSeconds;
      if (!timeline.follows(time, durationSeconds)) timeline.push(time, durationSeconds, undefined);
    }
  }
  timeline.end();
  if (notesPosition && hasLongTail(path, lastBytes)) return undefined;
  return timeline.endSeconds;
}

/**
 * @returns end of the chosen track in seconds from the file's start, undefined if it can only be determined by
 *   decoding; reads the file to its end
 * @throws media.no_audio if the track has no packets
 */
export async function* scannedEnd(
  path: string,
  { input: first, stream: firstStream, track, parts }: AudioFile,
  open: OpenFile,
  limitSeconds: number,
): AsyncSteps<number | undefined> {
  let end = yield* partEnd(path, first, firstStream, 0, limitSeconds);
  for (const part of parts.slice(1)) {
    if (end === undefined) return undefined;
    try {
      const input = await open(path, part);
      try {
        const streams = audioStreams(input);
        const stream = streams[track] ?? streams[0];
        if (stream) end = yield* partEnd(path, input, stream, end, limitSeconds);
      } finally {
        await input.close();
      }
    } catch (thrown) {
      if (shortageOf(thrown)) throw thrown;
      // Decoding skips this part too, and reports it.
    }
  }
  if (end === undefined) return undefined;
  if (end <= 0) throw errors.noAudio();
  // Removes rounding errors of the summed packet durations.
  return Math.round(end * MICROSECONDS) / MICROSECONDS;
}
