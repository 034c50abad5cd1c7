// Stored samples: 16 kHz, 16-bit signed little-endian, one file per channel. Whoever needs them reads them where
// they lie; a recogniser process reads its segment itself, so that audio does not pass through the service.
import { type FileHandle, open } from "node:fs/promises";

export const BYTES_PER_SAMPLE = 2;
const FULL_SCALE = 32_768;

/** Part of a file of samples. */
export interface SampleSlice {
  file: string;
  startSample: number;
  sampleCount: number;
}

/** Samples at hand, or where to read them. */
export type AudioSource = Float32Array | SampleSlice;

/** 16-bit samples, as every machine that this runs on has them in memory, as -1 to 1. */
export function fromPcm16(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % BYTES_PER_SAMPLE === 0 ? bytes : bytes.slice();
  const count = Math.floor(bytes.byteLength / BYTES_PER_SAMPLE);
  const integers = new Int16Array(aligned.buffer, aligned.byteOffset, count);
  const samples = new Float32Array(count);
  for (let at = 0; at < count; at++) samples[at] = (integers[at] as number) / FULL_SCALE;
  return samples;
}

async function readSlice(handle: FileHandle, { startSample, sampleCount }: SampleSlice): Promise<Float32Array> {
  const bytes = Buffer.alloc(sampleCount * BYTES_PER_SAMPLE);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, startSample * BYTES_PER_SAMPLE);
  return fromPcm16(bytes.subarray(0, bytesRead));
}

/** @returns mono samples in -1 to 1; fewer than asked for at the end of the file */
export async function samplesOf(source: AudioSource): Promise<Float32Array> {
  if (source instanceof Float32Array) return source;
  const handle = await open(source.file);
  try {
    return await readSlice(handle, source);
  } finally {
    await handle.close();
  }
}
