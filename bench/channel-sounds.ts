// Signals for the variants of bench/channels.ts: speech, stereo music, noises, rooms, and operations that combine them.
import { noise } from "../test/fixtures/recordings.ts";
import { random, SAMPLE_RATE } from "./recordings.ts";

export type Samples = Float32Array;
/** One array of samples per channel. */
export type Channels = Samples[];

/** RMS level to which every signal is normalised: -26 dBFS. */
const LEVEL = 0.05;

export const factor = (decibels: number) => 10 ** (decibels / 20);

export function levelled(samples: Samples): Samples {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  const gain = power > 0 ? LEVEL / Math.sqrt(power) : 0;
  return samples.map((value) => value * gain);
}

/** Part of a signal, repeated if it is too short. */
export function excerpt(samples: Samples, seconds: number, fromSeconds = 0): Samples {
  const from = Math.round(fromSeconds * SAMPLE_RATE);
  const part = Float32Array.from(
    { length: Math.round(seconds * SAMPLE_RATE) },
    (_, at) => samples[(from + at) % samples.length] as number,
  );
  return levelled(part);
}

/** @param parts  signals of one length, each with its level in decibels */
export function mixed(...parts: [samples: Samples, decibels: number][]): Samples {
  const [first] = parts;
  const sum = new Float32Array(first?.[0].length ?? 0);
  for (const [samples, decibels] of parts) {
    const gain = factor(decibels);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + gain * (samples[at] as number);
  }
  return sum;
}

export const louder = (samples: Samples, decibels: number) => samples.map((value) => value * factor(decibels));
export const inverted = (samples: Samples) => samples.map((value) => -value);
export const hiss = (seconds: number, seed: number) => {
  const next = random(seed);
  return levelled(noise(seconds, 1).map(() => next() - 0.5));
};

const TAPS = 16;

/** @param milliseconds  may be fractional */
export function delayed(samples: Samples, milliseconds: number): Samples {
  const shift = (milliseconds / 1000) * SAMPLE_RATE;
  const whole = Math.floor(shift);
  const fraction = shift - whole;
  return samples.map((_, at) => {
    if (fraction === 0) return samples[at - whole] ?? 0;
    let sum = 0;
    for (let tap = -TAPS; tap <= TAPS; tap++) {
      const place = tap - fraction;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * place) / (TAPS + 1));
      sum += (samples[at - whole - tap] ?? 0) * ((window * Math.sin(Math.PI * place)) / (Math.PI * place));
    }
    return sum;
  });
}

/** Samples of the turns of one of two speakers; silence in the other's turns. */
export function turns(samples: Samples, seconds: number, isFirst: boolean): Samples {
  return samples.map((value, at) => {
    const isOdd = Math.floor(at / (seconds * SAMPLE_RATE)) % 2 === 1;
    return isOdd === isFirst ? 0 : value;
  });
}

/** One short stretch of a signal, with silence before and after it. */
export function only(samples: Samples, fromSeconds: number, seconds: number): Samples {
  const [from, to] = [fromSeconds * SAMPLE_RATE, (fromSeconds + seconds) * SAMPLE_RATE];
  return samples.map((value, at) => (at >= from && at < to ? value : 0));
}

/** Low-pass filtered, as the low-frequency channel of a surround mix. */
export function bassOf(samples: Samples, hertz = 100): Samples {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / SAMPLE_RATE);
  const poles = new Float64Array(4);
  return samples.map((value) => {
    let input = value;
    for (let pole = 0; pole < poles.length; pole++) {
      poles[pole] = (poles[pole] as number) + share * (input - (poles[pole] as number));
      input = poles[pole] as number;
    }
    return input;
  });
}

const CHORDS = [
  [220, 277.2, 329.6],
  [174.6, 220, 261.6],
  [261.6, 329.6, 392],
  [196, 246.9, 293.7],
];

/** Plucked chords, a melody and drums, each panned to its own position. */
export function stereoMusic(seconds: number, seed: number, tempoSeconds = 0.4): Channels {
  const next = random(seed);
  const length = Math.round(seconds * SAMPLE_RATE);
  const sides: [Samples, Samples] = [new Float32Array(length), new Float32Array(length)];
  const add = (at: number, place: number, duration: number, sound: (time: number) => number) => {
    for (let step = 0; step < duration * SAMPLE_RATE && at + step < length; step++) {
      const value = sound(step / SAMPLE_RATE);
      sides[0][at + step] = (sides[0][at + step] as number) + value * Math.cos((place * Math.PI) / 2);
      sides[1][at + step] = (sides[1][at + step] as number) + value * Math.sin((place * Math.PI) / 2);
    }
  };
  const tone = (hertz: number, decay: number, level: number) => (time: number) =>
    [1, 2, 3, 4, 5].reduce((sum, partial) => sum + Math.sin(2 * Math.PI * hertz * partial * time) / partial, 0) *
    level *
    Math.exp(-time * decay);
  for (let beat = 0; beat * tempoSeconds < seconds; beat++) {
    const at = Math.round(beat * tempoSeconds * SAMPLE_RATE);
    const chord = CHORDS[Math.floor(beat / 4) % CHORDS.length] as number[];
    for (const [voice, hertz] of chord.entries()) add(at, voice / 2, 1, tone(hertz, 3, 0.3));
    add(at, 0.2 + 0.6 * next(), 0.6, tone((chord[Math.floor(next() * 3)] as number) * 2, 5, 0.5));
    add(at, next(), 0.15, (time) => (next() - 0.5) * Math.exp(-time * 40));
  }
  return sides.map(levelled);
}
