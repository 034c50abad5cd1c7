// The recordings of the benchmarks, decoded once, and harder ones derived from them.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { childEnvironment } from "../src/platform/config/load.ts";
import { DecoderPool } from "../src/speech/audio/decode/decoder-pool.ts";
import { SAMPLE_RATE } from "../src/speech/audio/sample-rate.ts";
import { hasShared, type Reference, references, SHARED } from "../test/fixtures/recordings.ts";

export { SAMPLE_RATE };

export interface Recording extends Reference {
  samples: Float32Array;
}

/** Samples of each file, in order. @throws Error if the shared recordings are missing */
async function decoded(files: readonly string[]): Promise<Float32Array[]> {
  if (!hasShared) throw new Error("the bench needs the recordings of ../shared/data");
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
  const decoders = new DecoderPool({ processes: 1, memoryLimitBytes: 1e9, environment: childEnvironment(folder) });
  try {
    const all: Float32Array[] = [];
    for (const file of files) {
      const output = path.join(folder, "samples.pcm");
      await decoders.decode(file, { tenant: "", outputs: [output], maximumSeconds: 3600 });
      const bytes = await readFile(output);
      const integers = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
      all.push(Float32Array.from(integers, (value) => value / 32_768));
    }
    return all;
  } finally {
    await decoders.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The recordings that `wanted` selects. @throws Error if the shared recordings are missing */
export async function loadRecordings(
  wanted: (reference: Reference) => boolean,
  languages: "English" | "all languages" = "English",
): Promise<Recording[]> {
  const isHeard = ({ language }: Reference) => languages === "all languages" || language === "en";
  const picked = references().filter((one) => isHeard(one) && wanted(one));
  const samples = await decoded(picked.map((reference) => reference.path));
  return picked.map((reference, at) => ({ ...reference, samples: samples[at] as Float32Array }));
}

/** Shared recordings without speech: real noises, or impulse responses of real rooms. */
export function loadSounds(kind: "noise" | "room"): Promise<Float32Array[]> {
  const names = readdirSync(SHARED)
    .filter((name) => name.startsWith(`${kind}-`))
    .sort();
  return decoded(names.map((name) => path.join(SHARED, name)));
}

/** Samples of files of any kind; undefined for files without audio. */
export async function loadFiles(files: readonly string[]): Promise<(Float32Array | undefined)[]> {
  const all: (Float32Array | undefined)[] = [];
  for (const file of files)
    all.push(
      await decoded([file]).then(
        ([samples]) => samples,
        () => undefined,
      ),
    );
  return all;
}

/** Random numbers from a fixed seed, so that every run uses the same noise. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const energy = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0) / samples.length;

/** Kitchen-like noise: pink noise with occasional clatter, at this many decibels below the speech. */
export function withNoise(samples: Float32Array, decibels: number, seed = 7): Float32Array {
  const next = random(seed);
  const noise = new Float32Array(samples.length);
  const rows = new Float64Array(8);
  let clatter = 0;
  for (let at = 0; at < noise.length; at++) {
    for (let row = 0; row < rows.length; row++) if (at % (1 << row) === 0) rows[row] = next() - 0.5;
    if (next() < 2 / SAMPLE_RATE) clatter = 3;
    clatter *= 0.9985;
    noise[at] = rows.reduce((sum, value) => sum + value, 0) + clatter * (next() - 0.5) * 4;
  }
  const gain = Math.sqrt(energy(samples) / energy(noise) / 10 ** (decibels / 10));
  return samples.map((value, at) => value + gain * (noise[at] as number));
}

/** A recorded noise, looped from `offset`, at this many decibels below the speech. */
export function withSound(samples: Float32Array, noise: Float32Array, decibels: number, offset: number): Float32Array {
  const under = Float32Array.from(samples, (_, at) => noise[(offset + at) % noise.length] as number);
  const gain = Math.sqrt(energy(samples) / energy(under) / 10 ** (decibels / 10));
  return samples.map((value, at) => value + gain * (under[at] as number));
}

/** Parts of an impulse response below this share of its peak are ignored. */
const MIN_ECHO = 10 ** (-50 / 20);

/** The speech convolved with a room's impulse response. */
export function inRoom(samples: Float32Array, answer: Float32Array): Float32Array {
  const loudest = answer.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const first = answer.findIndex((value) => Math.abs(value) === loudest);
  const wet = new Float32Array(samples.length);
  for (let tap = first; tap < answer.length; tap++) {
    const weight = answer[tap] as number;
    if (Math.abs(weight) < loudest * MIN_ECHO) continue;
    for (let at = tap - first; at < wet.length; at++) {
      wet[at] = (wet[at] as number) + weight * (samples[at - tap + first] as number);
    }
  }
  const gain = Math.sqrt(energy(samples) / energy(wet));
  return wet.map((value) => value * gain);
}

/** A room of this reverberation time: its impulse response is exponentially decaying noise. */
export function withReverberation(samples: Float32Array, seconds: number): Float32Array {
  const next = random(11);
  const length = Math.round(seconds * SAMPLE_RATE);
  const answer = Float32Array.from({ length }, (_, at) => (next() - 0.5) * 10 ** ((-3 * at) / length) * 0.25);
  answer[0] = 1;
  const wet = new Float32Array(samples.length);
  for (let tap = 0; tap < length; tap++) {
    const weight = answer[tap] as number;
    for (let at = tap; at < wet.length; at++) wet[at] = (wet[at] as number) + weight * (samples[at - tap] as number);
  }
  const gain = Math.sqrt(energy(samples) / energy(wet));
  return wet.map((value) => value * gain);
}

/** A telephone line: 300 to 3400 Hz, eight bits of mu-law. */
export function throughTelephone(samples: Float32Array): Float32Array {
  const band = bandPass(samples, 300, 3400);
  return band.map((value) => {
    const magnitude = Math.log1p(255 * Math.min(1, Math.abs(value))) / Math.log(256);
    const coded = Math.round(magnitude * 127) / 127;
    return (Math.sign(value) * (256 ** coded - 1)) / 255;
  });
}

function bandPass(samples: Float32Array, low: number, high: number): Float32Array {
  const taps = 255;
  const middle = (taps - 1) / 2;
  const filter = Float64Array.from({ length: taps }, (_, tap) => {
    const at = tap - middle;
    const ideal = (hertz: number) =>
      at === 0 ? (2 * hertz) / SAMPLE_RATE : Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE) / (Math.PI * at);
    const window = 0.54 - 0.46 * Math.cos((2 * Math.PI * tap) / (taps - 1));
    return (ideal(high) - ideal(low)) * window;
  });
  return samples.map((_, at) => {
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) sum += (filter[tap] as number) * (samples[at + middle - tap] ?? 0);
    return sum;
  });
}

/** Faster speech of the same pitch: overlap-add at the best matching offset (WSOLA). */
export function faster(samples: Float32Array, factor: number): Float32Array {
  const window = 640;
  const hop = window / 2;
  const search = 160;
  const out = new Float32Array(Math.floor(samples.length / factor) + window);
  let source = 0;
  for (let at = 0; at + window < out.length; at += hop) {
    const wanted = Math.round(at * factor);
    let best = wanted;
    if (at > 0) {
      let highest = Number.NEGATIVE_INFINITY;
      for (let shift = -search; shift <= search; shift += 4) {
        let similarity = 0;
        for (let step = 0; step < hop; step += 2) {
          similarity += (samples[wanted + shift + step] ?? 0) * (samples[source + hop + step] ?? 0);
        }
        if (similarity > highest) {
          highest = similarity;
          best = wanted + shift;
        }
      }
    }
    for (let step = 0; step < window; step++) {
      const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * step) / window);
      out[at + step] = (out[at + step] as number) + weight * (samples[best + step] ?? 0);
    }
    source = best;
  }
  return out;
}

/** Recordings one after another, repeated, cut at this length. @param pauseSeconds  silence after each */
export function joined(recordings: readonly Recording[], seconds: number, pauseSeconds = 0): Float32Array {
  const long = new Float32Array(seconds * SAMPLE_RATE);
  for (let at = 0, index = 0; at < long.length; index++) {
    const { samples } = recordings[index % recordings.length] as Recording;
    long.set(samples.subarray(0, long.length - at), at);
    at += samples.length + pauseSeconds * SAMPLE_RATE;
  }
  return long;
}

/** Stretches of a meeting in which one person talks alone. */
export function alone({ samples, speakers = [] }: Recording, person: string | number): Float32Array[] {
  const rest = speakers.filter(({ speaker }) => speaker !== person);
  return speakers
    .filter(({ speaker }) => speaker === person)
    .flatMap((turn) => {
      let stretches = [turn];
      for (const { start, end } of rest) {
        stretches = stretches.flatMap((one) => [
          { ...one, end: Math.min(one.end, start) },
          { ...one, start: Math.max(one.start, end) },
        ]);
        stretches = stretches.filter((one) => one.end - one.start > 0.5);
      }
      return stretches.map(({ start, end }) => samples.slice(start * SAMPLE_RATE, end * SAMPLE_RATE));
    });
}
