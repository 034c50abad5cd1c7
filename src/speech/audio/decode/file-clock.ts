// Time origin of a file, and the declared duration of its tracks.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Demuxer, Stream } from "node-av";
import { secondsPerTickOf } from "./packet-time.ts";

const { AV_NOPTS_VALUE } = await import("node-av");

const MICROSECONDS = 1e-6;
/** Containers whose timeline starts at 0 by definition: before the first packet there is silence. */
const FROM_ZERO = /^(mov|matroska)/;
/** In those, a start later than this and later than the audio's duration means a section of a longer timeline. */
const LATEST_START_SECONDS = 60;
/** Encoder delay makes timestamps negative by up to this; that is not the file's start. */
const LONGEST_PRIMING_SECONDS = 0.25;
/**
 * Containers that state the duration of their tracks. FFmpeg estimates others from their size, or measures them at the
 * end of the file.
 */
const DECLARING = /^(mov|matroska|wav|aiff|flac|au|avi|mp3|wv|ape|tta|mxf)/;
/** Programs that write to a pipe declare the maximum length of the header. */
const UNKNOWN_LENGTH_BYTES = 2 ** 31 - 2 ** 17;
const RIFF_HEADER_BYTES = 8;

function known(timestamp: bigint, secondsPerTick: number): number | undefined {
  return timestamp === AV_NOPTS_VALUE ? undefined : Number(timestamp) * secondsPerTick;
}

/** Segments of DASH and HLS: the header contains no samples. */
const isFragment = ({ nbFrames }: Stream) => nbFrames === 0n;

/**
 * Timestamp that players show as second 0: the start of the earliest track. A recording cut out of a broadcast thus
 * starts at 0 although its timestamps do not.
 */
export function startOfFile(input: Demuxer, stream: Stream): number {
  const format = input.getFormatContext();
  const start = known(format.startTime, MICROSECONDS) ?? 0;
  if (start < 0) return start < -LONGEST_PRIMING_SECONDS ? start : 0;
  const name = input.formatName ?? "";
  if (!FROM_ZERO.test(name) || (name.startsWith("mov") && isFragment(stream))) return start;
  const duration = known(format.duration, MICROSECONDS) ?? 0;
  const audio = duration > start ? duration - start : duration;
  return start <= Math.max(LATEST_START_SECONDS, audio) ? 0 : start;
}

/** End of the file as declared, from timestamp 0; undefined if it declares none. */
export function endOfFile(input: Demuxer): number | undefined {
  const format = input.getFormatContext();
  const duration = known(format.duration, MICROSECONDS) ?? 0;
  return duration > 0 ? duration + Math.max(0, known(format.startTime, MICROSECONDS) ?? 0) : undefined;
}

/** "00:00:21.048000000", as Matroska writers store it for each track. */
function taggedDuration(stream: Stream): number | undefined {
  const tag = stream.metadata?.get("DURATION");
  const [, hours, minutes, seconds] = /^(\d+):(\d+):([\d.]+)$/.exec(tag ?? "") ?? [];
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Ratio of the length in the RIFF header to the file's size: FFmpeg states the duration of the actual data. */
function riffScale(path: string): number {
  const header = Buffer.alloc(RIFF_HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    readSync(file, header, 0, RIFF_HEADER_BYTES, 0);
    const declared = header.readUInt32LE(4);
    const isKnown = header.toString("latin1", 0, 4) === "RIFF" && declared > 0 && declared < UNKNOWN_LENGTH_BYTES;
    return isKnown && size > 0 ? Math.max(1, (declared + RIFF_HEADER_BYTES) / size) : 1;
  } finally {
    closeSync(file);
  }
}

/** Declared end of the track, seconds from the file's start; undefined if the container declares none. */
export function declaredEnd(path: string, input: Demuxer, stream: Stream): number | undefined {
  const name = input.formatName ?? "";
  // It declares the duration of its longest track alone.
  if (name === "flv" && input.streams.length === 1) return known(input.getFormatContext().duration, MICROSECONDS);
  if (!DECLARING.test(name)) return undefined;
  if (name.startsWith("matroska")) return startOfFile(input, stream) === 0 ? taggedDuration(stream) : undefined;
  const perTick = secondsPerTickOf(stream);
  const duration = known(stream.duration, perTick);
  if (duration === undefined || duration <= 0) return undefined;
  // Only the gapless header, which shifts the start, states the number of frames.
  if (name === "mp3") return stream.startTime > 0n ? duration : undefined;
  if (name === "wav" || name === "avi") return duration * riffScale(path);
  const { channels, sampleRate, bitsPerCodedSample } = stream.codecpar;
  const bytes = (duration * channels * sampleRate * bitsPerCodedSample) / 8;
  if (bytes >= UNKNOWN_LENGTH_BYTES && !name.startsWith("mov")) return undefined;
  return (known(stream.startTime, perTick) ?? 0) - startOfFile(input, stream) + duration;
}
