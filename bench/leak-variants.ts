// Dialogues of two people on two channels that leak into each other: the cases of bench/leaks.ts.
import { Fourier } from "../src/speech/audio/channels/fourier.ts";
import { factor, hiss, levelled, type Samples } from "./channel-sounds.ts";
import { SAMPLE_RATE } from "./recordings.ts";

const GAINS = [-3, -6, -12, -18, -25, -30, -40, -50];
const DELAYS = [3, 20, 60, 120, 180, 250];
const OVERLAPS = [0, 1, 2.5];
const NOISES = ["quiet", "hiss", "recorded noise"] as const;
/** Relative to speech. */
const NOISE_LEVELS = { quiet: -50, hiss: -34, "recorded noise": -24 };
const SECONDS = 26;
const TURN_SECONDS = 6;
const PAUSE_SECONDS = 0.6;
/** One in so many variants leaks in both directions. */
const MUTUAL_EVERY = 4;

export interface LeakMaterial {
  near: Samples[];
  far: Samples[];
  noises: Samples[];
  rooms: Samples[];
}

export interface LeakVariant {
  name: string;
  /** Of the near and the far person, without leaks and with them. */
  clean: [near: Samples, far: Samples];
  leaking: [near: Samples, far: Samples];
  /** Variants of one dialogue differ in the leaks only. */
  dialogue: string;
  /** Turns of the near person, seconds. */
  turns: [from: number, until: number][];
}

interface Dialogue {
  voices: [near: Samples, far: Samples];
  turns: LeakVariant["turns"];
}

function dialogue({ near, far }: LeakMaterial, overlapSeconds: number, isNearFirst: boolean): Dialogue {
  const voices = [0, 1].map(() => new Float32Array(SECONDS * SAMPLE_RATE)) as [Samples, Samples];
  const turns: LeakVariant["turns"] = [];
  const next = [0, 0];
  let from = 0.5;
  for (let turn = 0, until = 0; until < SECONDS - 0.5; turn++) {
    const isNear = (turn % 2 === 0) === isNearFirst;
    const sources = isNear ? near : far;
    const source = sources[(next[isNear ? 0 : 1] as number) % sources.length] as Samples;
    next[isNear ? 0 : 1] = (next[isNear ? 0 : 1] as number) + 1;
    until = Math.min(SECONDS - 0.5, from + Math.min(TURN_SECONDS, source.length / SAMPLE_RATE));
    const length = Math.round((until - from) * SAMPLE_RATE);
    voices[isNear ? 0 : 1].set(source.subarray(0, length), Math.round(from * SAMPLE_RATE));
    if (isNear) turns.push([from, until]);
    from = until + (overlapSeconds > 0 ? -Math.min(overlapSeconds, (until - from) / 2) : PAUSE_SECONDS);
  }
  return { voices, turns };
}

const plus = (one: Samples, other: Samples, decibels = 0) =>
  one.map((value, at) => value + factor(decibels) * (other[at] as number));

const late = (samples: Samples, milliseconds: number) => {
  const shift = Math.round((milliseconds / 1000) * SAMPLE_RATE);
  return samples.map((_, at) => samples[at - shift] ?? 0);
};

const fourier = new Fourier(2 ** Math.ceil(Math.log2((SECONDS + 2) * SAMPLE_RATE)));

/** Convolved with an impulse response from its direct sound on; the level stays. */
function inRoom(samples: Samples, answer: Samples): Samples {
  const { real, imaginary, size } = fourier;
  const peaks = answer.map(Math.abs);
  const direct = peaks.indexOf(Math.max(...peaks));
  real.fill(0);
  imaginary.fill(0);
  real.set(samples);
  imaginary.set(answer.subarray(direct));
  fourier.transform();
  // Spectra of two real signals in one: their product is (Z(k)^2 - Z*(-k)^2) / 4i. Real and imaginary parts are exchanged,
  // so that a second transform computes the inverse.
  const [re, im] = [real.slice(), imaginary.slice()];
  for (let bin = 0; bin < size; bin++) {
    const mirror = (size - bin) % size;
    const [a, b] = [re[bin] as number, im[bin] as number];
    const [c, d] = [re[mirror] as number, -(im[mirror] as number)];
    real[bin] = -(a * a - b * b - c * c + d * d) / 4;
    imaginary[bin] = (a * b - c * d) / 2;
  }
  fourier.transform();
  const wet = Float32Array.from(samples, (_, at) => imaginary[at] as number);
  const energy = (all: Samples) => all.reduce((sum, value) => sum + value * value, 0);
  const gain = Math.sqrt(energy(samples) / energy(wet));
  return wet.map((value) => gain * value);
}

/** @param count  number of variants; the first ones cover every gain, delay, room, noise and overlap */
export function* leakVariants(material: LeakMaterial, count: number, isFirstHalf: boolean): Generator<LeakVariant> {
  for (let at = 0; at < count; at++) {
    const pick = <T>(values: readonly T[], step: number, shift = 0) =>
      values[(at * step + shift + (isFirstHalf ? 0 : 1)) % values.length] as T;
    const gain = pick(GAINS, 1);
    const delay = pick(DELAYS, 5, Math.floor(at / 6));
    const room = pick([undefined, ...material.rooms], 1);
    const noise = pick(NOISES, 1, Math.floor(at / 3));
    const overlap = pick(OVERLAPS, 2, Math.floor(at / 4));
    const isNearFirst = at % 4 >= 2;
    const isMutual = at % MUTUAL_EVERY === MUTUAL_EVERY - 1;
    const { voices, turns } = dialogue(material, overlap, isNearFirst);
    const recorded = material.noises[at % material.noises.length] as Samples;
    const background = (seed: number): Samples => {
      if (noise !== "recorded noise") return hiss(SECONDS, 1 + 2 * at + seed);
      const shift = (seed + 1) * 3 * SAMPLE_RATE;
      return levelled(
        Float32Array.from(voices[0], (_, place) => recorded[(place + shift) % recorded.length] as number),
      );
    };
    const clean = voices.map((voice, channel) => plus(voice, background(channel), NOISE_LEVELS[noise])) as [
      Samples,
      Samples,
    ];
    const arrived = (voice: Samples) => late(room ? inRoom(voice, room) : voice, delay);
    const leaking: [Samples, Samples] = [
      plus(clean[0], arrived(voices[1]), gain),
      isMutual ? plus(clean[1], arrived(voices[0]), gain - 3) : clean[1],
    ];
    const places = `${overlap} s overlap, ${isNearFirst ? "near" : "far"} person first, ${noise}`;
    const name = `${gain} dB, ${delay} ms, ${room ? "room" : "direct"}${isMutual ? ", both directions" : ""}, ${places}`;
    yield { name, clean, leaking, turns, dialogue: places };
  }
}
