// Reads the packets of one audio stream and decodes them. Damage only affects its own packets, never the rest of the
// file.
import type { CodecContext, Demuxer, Frame, Packet, Stream } from "node-av";
import { errors } from "../../../platform/errors.ts";
import { isTransportStream } from "./continuations.ts";
import { isUntimed, secondsOf, secondsPerTickOf } from "./packet-time.ts";
import { TrackChange } from "./track-change.ts";
import "./promise-with-resolvers.ts";

const { AVERROR_EAGAIN, AVERROR_EOF, FFmpegError, Frame: EmptyFrame, Packet: EmptyPacket } = await import("node-av");

/** Consecutive failed reads after which the rest of the file counts as unreadable. */
const FAILED_READS_IN_A_ROW = 64;
/** Packets, or bytes of them, per step: a few milliseconds of reading and decoding. */
const PACKETS_A_STEP = 100;
const BYTES_A_STEP = 4e6;

export interface DecodedFrame {
  /** Valid until the next frame is read. */
  frame: Frame;
  samples: number;
  sampleRate: number;
  /** Timestamp of the stream; NaN if it has none. */
  seconds: number;
}

export interface ReadFaults {
  /** Packets that the decoder rejected. */
  damagedPackets: number;
  /** Failed reads that were followed by a successful one. */
  failedReads: number;
  /** Whether the rest of the file could not be read. */
  hasUnreadableEnd: boolean;
  /** Packets rejected since the last accepted one. */
  damagedAtEnd: number;
  /** Position of the last accepted packet, or of the first one in its transport packet; only for transport streams. */
  lastPacketBytes: number;
  /** Whether reading ended where another track took the place of the track; only for transport streams. */
  hasTrackChanged: boolean;
  /** Accepted packets. */
  decodedPackets: number;
  /** End of the last packet of any track in the file, or in the last of its parts; 0 if the format does not state it. */
  endBytes: number;
}

/** Of several audio frames in one packet of a transport stream, FFmpeg states the position of the first; it is -1 for the others. */
export const knownPosition = ({ pos }: Packet, lastBytes: number): number => (pos >= 0n ? Number(pos) : lastBytes);

/**
 * Packets of all streams, each valid until the next is read. Yields undefined at intervals, so that the caller can
 * pause, and after a failed read, which may have skipped much of the file.
 */
export function* packetsOf(input: Demuxer, faults: ReadFaults): Generator<Packet | undefined> {
  const format = input.getFormatContext();
  const packet = new EmptyPacket();
  packet.alloc();
  let failures = 0;
  let packets = 0;
  let bytes = 0;
  try {
    for (;;) {
      const status = format.readFrameSync(packet);
      if (status === AVERROR_EOF) return;
      if (status < 0) {
        if (++failures < FAILED_READS_IN_A_ROW) {
          yield undefined;
          continue;
        }
        faults.hasUnreadableEnd = true;
        return;
      }
      if (failures > 0) faults.failedReads++;
      failures = 0;
      bytes += packet.size;
      // The position is -1 where the demuxer does not state it.
      if (packet.pos >= 0n) faults.endBytes = Math.max(faults.endBytes, Number(packet.pos) + packet.size);
      yield packet;
      packet.unref();
      if (++packets < PACKETS_A_STEP && bytes < BYTES_A_STEP) continue;
      packets = 0;
      bytes = 0;
      yield undefined;
    }
  } finally {
    packet.free();
  }
}

/**
 * Lowest sample rate, Hz: speech needs a higher one, and resampling makes at most eight samples of each. A header that states 1 Hz would
 * make gigabytes of a few hundred kilobytes.
 */
export const LEAST_SAMPLE_RATE = 2_000;
export const MOST_SAMPLE_RATE = 1_536_000;

/** @throws media.not_decodable */
export function checkSampleRate(sampleRate: number): void {
  if (sampleRate >= LEAST_SAMPLE_RATE && sampleRate <= MOST_SAMPLE_RATE) return;
  throw errors.notDecodable(
    `it states a sample rate of ${sampleRate} Hz; from ${LEAST_SAMPLE_RATE} to ${MOST_SAMPLE_RATE} Hz are possible`,
  );
}

/**
 * Decoded frames of one stream; undefined at intervals.
 * @throws FFmpegError if nothing could be decoded; media.not_decodable for an impossible sample rate
 */
export function* framesOf(
  input: Demuxer,
  stream: Stream,
  decoder: CodecContext,
  faults: ReadFaults,
): Generator<DecodedFrame | undefined> {
  const { index } = stream;
  const secondsPerTick = secondsPerTickOf(stream);
  const notesPosition = isTransportStream(input.formatName);
  const frame = new EmptyFrame();
  frame.alloc();
  let failure = 0;
  let hasFrames = false;
  let positionBytes = 0;
  const isTimed = !isUntimed(input.formatName);
  const change = notesPosition ? new TrackChange(input, stream) : undefined;
  faults.hasTrackChanged = false;
  function* decoded(sent: Packet | null): Generator<DecodedFrame> {
    const refusal = decoder.sendPacketSync(sent);
    let status = decoder.receiveFrameSync(frame);
    for (; status >= 0; status = decoder.receiveFrameSync(frame)) {
      const samples = frame.nbSamples;
      if (samples > 0) {
        hasFrames = true;
        checkSampleRate(frame.sampleRate);
        const seconds = isTimed ? secondsOf(frame.pts, secondsPerTick) : Number.NaN;
        yield { frame, samples, sampleRate: frame.sampleRate, seconds };
      }
      frame.unref();
    }
    const isWaiting = status === AVERROR_EAGAIN || status === AVERROR_EOF;
    if (refusal >= 0 && isWaiting) {
      if (!sent) return;
      faults.damagedAtEnd = 0;
      faults.decodedPackets++;
      if (notesPosition) faults.lastPacketBytes = positionBytes;
      return;
    }
    failure = refusal < 0 ? refusal : status;
    faults.damagedPackets++;
    faults.damagedAtEnd++;
  }
  try {
    for (const packet of packetsOf(input, faults)) {
      if (packet && change?.isAt(packet)) {
        faults.hasTrackChanged = true;
        break;
      }
      if (!packet) yield undefined;
      else if (packet.streamIndex === index && packet.size > 0) {
        positionBytes = knownPosition(packet, positionBytes);
        yield* decoded(packet);
      }
    }
    yield* decoded(null);
    if (!hasFrames) FFmpegError.throwIfError(failure);
  } finally {
    frame.free();
  }
}
