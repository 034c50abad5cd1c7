// Samples of a session's stored audio.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { bytesPerSecond } from "../../../speech/audio/stream-format.ts";
import { type KnownStart, StreamReader } from "../audio/stream-reader.ts";
import type { StoredAudio } from "./log-contract.ts";

/** The resampler holds less input than this back. */
const HELD_SECONDS = 0.25;
const READ_BYTES = 1_048_576;

export interface Recording {
  audio: StoredAudio;
  /** Format of the stored bytes. */
  stored: KnownStart;
  /** Channels of the session. If the stored bytes have more, they are mixed into one. */
  channels: number;
}

/** 16 kHz samples of one channel. @param from  first sample */
export async function storedSamples(
  { audio, stored, channels }: Recording,
  channel: number,
  from: number,
  count: number,
): Promise<Float32Array> {
  const reader = new StreamReader({ ...stored.format, channels }, stored);
  reader.startAt(from);
  const start = reader.byteFor(from);
  const seconds = count / SAMPLE_RATE + HELD_SECONDS;
  const sampleBytes = start - reader.headers.within(start) + Math.ceil(seconds * bytesPerSecond(stored.format));
  const end = reader.headers.placeOf(sampleBytes);
  const until = Math.min(audio.total, end);
  const samples = new Float32Array(count);
  let at = 0;
  // Headers between the samples can be any multiple of their bytes.
  for (let place = start; place < until; place += READ_BYTES) {
    for (const pieces of reader.push(await audio.read(place, Math.min(until, place + READ_BYTES)))) {
      const piece = pieces[channel]?.subarray(0, count - at) ?? new Float32Array();
      samples.set(piece, at);
      at += piece.length;
    }
  }
  return samples.subarray(0, at);
}
