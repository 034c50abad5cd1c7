// Removes the leaks between the channels of a decoded recording. The first pass finds the leaks, so that the second one
// also removes those before the moment at which they are certain.
import { closeSync, openSync, readSync } from "node:fs";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { BYTES_PER_SAMPLE, fromPcm16 } from "../samples.ts";
import type { Steps } from "../steps.ts";
import { writeWhole } from "../write-whole.ts";
import { BLOCK_SAMPLES } from "./blocks.ts";
import { LeakAnalysis } from "./leak-analysis.ts";
import { LeakRemoval } from "./leak-removal.ts";

/** The sound of one channel is also in another. */
export interface Leak {
  from: number;
  to: number;
}

/** 1 s: the length of a step. */
const STEP_BLOCKS = 31;
const STEP_SAMPLES = STEP_BLOCKS * BLOCK_SAMPLES;

function toPcm16(samples: Float32Array): Buffer {
  const integers = Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))));
  return Buffer.from(integers.buffer);
}

class SampleReader {
  private readonly handles: number[] = [];
  private readonly bytes = Buffer.alloc(STEP_SAMPLES * BYTES_PER_SAMPLE);

  constructor(files: readonly string[]) {
    for (const file of files) this.handles.push(openSync(file, "r"));
  }

  /** Samples of each channel from a step on; fewer at the end. */
  read(step: number): Float32Array[] {
    const pieces = this.handles.map((handle) => {
      const length = readSync(handle, this.bytes, 0, this.bytes.length, step * this.bytes.length);
      return fromPcm16(this.bytes.subarray(0, length).slice());
    });
    const shortest = Math.min(...pieces.map(({ length }) => length));
    return pieces.map((piece) => piece.subarray(0, shortest));
  }

  close(): void {
    for (const handle of this.handles) closeSync(handle);
  }
}

/**
 * @param files    16-bit samples of each channel
 * @param outputs  files for the samples without leaks; written for the channels that something leaks into
 * @returns the leaks
 */
export function* removeLeaks(files: readonly string[], outputs: readonly string[]): Steps<Leak[]> {
  const reader = new SampleReader(files);
  const analysis = new LeakAnalysis(files.length, 0, true);
  try {
    yield* find(reader, analysis);
    const leaks = analysis.leaks.map(({ from, to }) => ({ from, to }));
    const changed = new Set(leaks.map(({ to }) => to));
    if (changed.size > 0) {
      analysis.restart();
      yield* write(reader, new LeakRemoval(files.length, { holds: false }, analysis), outputs, changed);
    }
    return leaks;
  } finally {
    reader.close();
  }
}

function* find(reader: SampleReader, analysis: LeakAnalysis): Steps<void> {
  let before: Float32Array[] = [];
  for (let step = 0; ; step++) {
    const pieces = reader.read(step);
    const length = pieces[0]?.length ?? 0;
    for (let at = 0; at + BLOCK_SAMPLES <= length; at += BLOCK_SAMPLES) {
      const blocks = pieces.map((piece) => piece.subarray(at, at + BLOCK_SAMPLES));
      analysis.add(blocks, before);
      before = blocks;
    }
    if (length < STEP_SAMPLES) return;
    yield length / SAMPLE_RATE;
  }
}

function* write(
  reader: SampleReader,
  removal: LeakRemoval,
  outputs: readonly string[],
  changed: ReadonlySet<number>,
): Steps<void> {
  const handles = outputs.map((output, channel) => (changed.has(channel) ? openSync(output, "w") : undefined));
  const store = (pieces: readonly Float32Array[]) => {
    for (const [channel, handle] of handles.entries()) {
      if (handle !== undefined) writeWhole(handle, toPcm16(pieces[channel] as Float32Array));
    }
  };
  try {
    for (let step = 0; ; step++) {
      const pieces = reader.read(step);
      store(removal.add(pieces));
      if ((pieces[0]?.length ?? 0) < STEP_SAMPLES) break;
      yield STEP_SAMPLES / SAMPLE_RATE;
    }
    store(removal.release());
  } finally {
    for (const handle of handles) if (handle !== undefined) closeSync(handle);
  }
}
