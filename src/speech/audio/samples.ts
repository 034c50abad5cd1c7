// Stored samples: 16 kHz, 16-bit signed little-endian, one file per channel. A recogniser process reads its segment
// from the file, so that audio does not pass through the service.
import { type FileHandle, open } from "node:fs/promises";
import { DELAY_REACH_SAMPLES, withoutChannel } from "./channels/without-channel.ts";
import { SAMPLE_RATE } from "./sample-rate.ts";

export const BYTES_PER_SAMPLE = 2;
const FULL_SCALE = 32_768;

/** Section of a sample file. */
export interface SampleSlice {
  file: string;
  startSample: number;
  sampleCount: number;
  /** Another channel of the same recording to subtract. The remainder is scaled to a usual level. */
  minus?: Channel;
}

export interface Channel {
  file: string;
  gain: number;
  /** Time by which it is earlier. */
  delaySeconds: number;
}

/** Samples, or where to read them. */
export type AudioSource = Float32Array | SampleSlice;

/** 16-bit samples in the machine's (little-endian) byte order, as -1 to 1. */
export function fromPcm16(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % BYTES_PER_SAMPLE === 0 ? bytes : bytes.slice();
  const count = Math.floor(bytes.byteLength / BYTES_PER_SAMPLE);
  const integers = new Int16Array(aligned.buffer, aligned.byteOffset, count);
  const samples = new Float32Array(count);
  for (let at = 0; at < count; at++) samples[at] = (integers[at] as number) / FULL_SCALE;
  return samples;
}

/** All samples, one part after another. */
export function joinedSamples(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function readSlice(handle: FileHandle, { startSample, sampleCount }: SampleSlice): Promise<Float32Array> {
  const bytes = Buffer.alloc(sampleCount * BYTES_PER_SAMPLE);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, startSample * BYTES_PER_SAMPLE);
  return fromPcm16(bytes.subarray(0, bytesRead));
}

/** @returns mono samples in -1 to 1; fewer than requested at the end of the file */
export async function samplesOf(source: AudioSource): Promise<Float32Array> {
  if (source instanceof Float32Array) return source;
  const handle = await open(source.file);
  try {
    const samples = await readSlice(handle, source);
    return source.minus ? await remainder(samples, source, source.minus) : samples;
  } finally {
    await handle.close();
  }
}

/** Remainder of samples after subtracting another channel. */
async function remainder(samples: Float32Array, { startSample }: SampleSlice, minus: Channel): Promise<Float32Array> {
  const delaySamples = minus.delaySeconds * SAMPLE_RATE;
  const from = Math.max(0, Math.floor(startSample - delaySamples) - DELAY_REACH_SAMPLES);
  const sampleCount = samples.length + 2 * DELAY_REACH_SAMPLES + 1;
  const handle = await open(minus.file);
  try {
    const other = await readSlice(handle, { file: minus.file, startSample: from, sampleCount });
    return withoutChannel(samples, other, { gain: minus.gain, delaySamples: delaySamples + from - startSample });
  } finally {
    await handle.close();
  }
}
