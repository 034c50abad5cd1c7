// Removes the leaks between the channels of a decoded recording. The first pass finds the leaks, so that the second one
// also removes those before the moment at which they are certain. If a leak is later than the
// filter reaches, its source is delayed, and the leak is removed in further passes.
import { closeSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { BYTES_PER_SAMPLE, fromPcm16 } from "../samples.ts";
import type { Steps } from "../steps.ts";
import { writeWhole } from "../write-whole.ts";
import { BLOCK_SAMPLES } from "./blocks.ts";
import { type LateLeak, LateLeakSearch } from "./late-leaks.ts";
import { LeakAnalysis } from "./leak-analysis.ts";
import { LeakRemoval } from "./leak-removal.ts";
import { type LeakStretch, LeakStretches } from "./leak-stretches.ts";

/** The sound of one channel is also in another. */
export interface Leak {
  from: number;
  to: number;
}

export interface FoundLeaks {
  leaks: Leak[];
  /** For each channel, where it has only a leak. Late leaks do not count. */
  leakOnly: LeakStretch[][];
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

  /** @param delayBlocks  silence before the samples of each file, blocks */
  constructor(
    files: readonly string[],
    private readonly delayBlocks: readonly number[] = [],
  ) {
    for (const file of files) this.handles.push(openSync(file, "r"));
  }

  /** Samples of each channel from a step on; fewer at the end. */
  read(step: number): Float32Array[] {
    const pieces = this.handles.map((handle, at) => {
      const from = step * this.bytes.length - (this.delayBlocks[at] ?? 0) * BLOCK_SAMPLES * BYTES_PER_SAMPLE;
      const silent = Math.min(this.bytes.length, Math.max(0, -from));
      this.bytes.fill(0, 0, silent);
      const length = readSync(handle, this.bytes, silent, this.bytes.length - silent, Math.max(0, from));
      return fromPcm16(this.bytes.subarray(0, silent + length).slice());
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
 */
export function* removeLeaks(files: readonly string[], outputs: readonly string[]): Steps<FoundLeaks> {
  const search = new LateLeakSearch(files.length);
  const { leaks, leakOnly } = yield* removed(files, outputs, { search });
  for (const late of search.end()) {
    const isKnown = leaks.some(({ from, to }) => from === late.from && to === late.to);
    if (!isKnown && (yield* removeLate(late, files, outputs, leaks))) leaks.push({ from: late.from, to: late.to });
  }
  return { leaks, leakOnly };
}

/** Part of the delay that the filter estimates, 96 ms: the delay is not exact, and may change. */
const KEPT_BLOCKS = 3;

/** @param leaks  those that were removed before @returns whether the leak is in the channel */
function* removeLate(
  { from, to, delaySeconds }: LateLeak,
  files: readonly string[],
  outputs: readonly string[],
  leaks: readonly Leak[],
): Steps<boolean> {
  const output = outputs[to] as string;
  const near = leaks.some((leak) => leak.to === to) ? output : (files[to] as string);
  const written = `${output}.late`;
  const delayBlocks = [Math.max(0, Math.floor((delaySeconds * SAMPLE_RATE) / BLOCK_SAMPLES) - KEPT_BLOCKS), 0];
  const pair = [files[from] as string, near];
  try {
    const { leaks: found } = yield* removed(pair, ["", written], { delayBlocks, only: { from: 0, to: 1 } });
    if (found.length === 0) return false;
    renameSync(written, output);
    return true;
  } finally {
    rmSync(written, { force: true });
  }
}

interface RemovalOptions {
  /** Receives the samples. */
  search?: LateLeakSearch;
  /** Silence before the samples of each file. */
  delayBlocks?: readonly number[];
  /** The only leak that is removed. */
  only?: Leak;
}

function* removed(
  files: readonly string[],
  outputs: readonly string[],
  { search, delayBlocks, only }: RemovalOptions,
): Steps<FoundLeaks> {
  const reader = new SampleReader(files, delayBlocks);
  const analysis = new LeakAnalysis(files.length, 0, true);
  try {
    yield* find(reader, analysis, search);
    const isWanted = ({ from, to }: Leak) => !only || (from === only.from && to === only.to);
    const leaks = analysis.leaks.filter(isWanted).map(({ from, to }) => ({ from, to }));
    const changed = new Set(leaks.map(({ to }) => to));
    const stretches = files.map(() => new LeakStretches());
    if (changed.size > 0) {
      analysis.restart();
      const onLeakOnly = (channel: number, from: number, until: number) => stretches[channel]?.add(from, until);
      yield* write(reader, new LeakRemoval(files.length, { holds: false, onLeakOnly }, analysis), outputs, changed);
    }
    return { leaks, leakOnly: stretches.map((one) => one.end()) };
  } finally {
    reader.close();
  }
}

function* find(reader: SampleReader, analysis: LeakAnalysis, search: LateLeakSearch | undefined): Steps<void> {
  let before: Float32Array[] = [];
  for (let step = 0; ; step++) {
    const pieces = reader.read(step);
    const length = pieces[0]?.length ?? 0;
    search?.add(pieces);
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
