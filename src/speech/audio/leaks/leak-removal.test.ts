import { describe, expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { joinedSamples } from "../samples.ts";
import { BLOCK_SAMPLES } from "./blocks.ts";
import { LeakRemoval } from "./leak-removal.ts";

const RATE = 16_000;
const SECONDS = 12;

/** Noise in syllables, coloured like a voice. @param turns  seconds in which there is sound */
function voice(seed: number, turns: [from: number, to: number][]): Float32Array {
  const random = randomOf(seed);
  let [low, slow] = [0, 0];
  const rate = 3 + random();
  return Float32Array.from({ length: SECONDS * RATE }, (_, at) => {
    const time = at / RATE;
    low += 0.3 * (random() - 0.5 - low);
    slow += 0.02 * (low - slow);
    const isOn = turns.some(([from, to]) => time >= from && time < to);
    return isOn ? 0.8 * (low - slow) * Math.max(0, Math.sin(2 * Math.PI * rate * time)) ** 2 : 0;
  });
}

const hiss = (seed: number, level = 1e-4) => {
  const random = randomOf(seed);
  return Float32Array.from({ length: SECONDS * RATE }, () => level * (2 * random() - 1));
};

/** A short room: the sound, and weaker copies of it. */
const leakOf = (samples: Float32Array, decibels: number, milliseconds: number) =>
  samples.map((_, at) => {
    const shift = at - Math.round((milliseconds * RATE) / 1000);
    const copies = (samples[shift] ?? 0) + 0.4 * (samples[shift - 173] ?? 0) - 0.2 * (samples[shift - 619] ?? 0);
    return 10 ** (decibels / 20) * copies;
  });

const sum = (...parts: Float32Array[]) =>
  (parts[0] as Float32Array).map((_, at) => parts.reduce((total, part) => total + (part[at] as number), 0));

/** Bit by bit; quicker than toEqual. */
const isSame = (one?: Float32Array, other?: Float32Array) =>
  one?.length === other?.length && one?.every((value, at) => Object.is(value, other?.[at]));

function decibels(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(from * RATE, to * RATE);
  return 10 * Math.log10(part.reduce((total, value) => total + value * value, 1e-12) / part.length);
}

/** Times at which each channel is said to have nothing but a leak: f for one that was found, p for a possible one, by block. */
type LeakOnly = string[][];

function clean(channels: Float32Array[], pieceSamples: (at: number) => number = () => 1_600, holds = true) {
  const only: LeakOnly = channels.map(() => []);
  const onLeakOnly = (channel: number, from: number, _until: number, sound: string) => {
    (only[channel] as string[])[from / BLOCK_SAMPLES] = sound;
  };
  const removal = new LeakRemoval(channels.length, { holds, onLeakOnly });
  const parts: Float32Array[][] = channels.map(() => []);
  const keep = (pieces: readonly Float32Array[]) =>
    pieces.forEach((piece, channel) => void parts[channel]?.push(piece));
  for (let at = 0; at < SECONDS * RATE; ) {
    const count = pieceSamples(at);
    keep(removal.add(channels.map((samples) => samples.subarray(at, at + count))));
    at += count;
  }
  keep(removal.release());
  return { channels: parts.map(joinedSamples), mutual: removal.mutualLeaks, only };
}

/** Share of the blocks from one second to another in which a channel is said to have nothing but a leak. */
function leakOnlyShare(only: LeakOnly, channel: number, from: number, to: number): number {
  const [first, end] = [from, to].map((seconds) => Math.round((seconds * RATE) / BLOCK_SAMPLES)) as [number, number];
  const blocks = Array.from({ length: end - first }, (_, at) => only[channel]?.[first + at] !== undefined);
  return blocks.filter((is) => is).length / blocks.length;
}

const near = voice(1, [[6, 9]]);
const far = voice(2, [
  [0.5, 5],
  [8, 12],
]);

describe.each([
  [-3, 3],
  [-12, 60],
  [-30, 235],
  [-50, 100],
])("a leak of %i dB, %i ms late", (gain, delay) => {
  const background = hiss(3, 3e-5);
  const leak = leakOf(far, gain, delay);
  const found = clean([sum(near, leak, background), sum(far, hiss(4))]);

  test("is removed while its source is alone, from the start", () => {
    const [channel = new Float32Array()] = found.channels;
    expect(channel).toHaveLength(SECONDS * RATE);
    for (const [from, to] of [
      [0.5, 2],
      [2, 5.5],
      [10, 12],
    ] as const) {
      const level = decibels(channel, from, to);
      expect(level).toBeLessThan(Math.max(decibels(leak, from, to) - 15, decibels(background, 0, 1) + 2));
    }
  });

  test("leaves the channel's own sound", () => {
    const [channel = new Float32Array()] = found.channels;
    const error = channel.map((value, at) => value - (near[at] as number));
    expect(decibels(error, 6, 8)).toBeLessThan(decibels(near, 6, 8) - 25);
    expect(decibels(error, 8, 9)).toBeLessThan(decibels(near, 8, 9) - 6);
  });

  test("leaves the channel of its source as it is", () => {
    expect(isSame(found.channels[1], sum(far, hiss(4)))).toBe(true);
    expect(found.mutual).toEqual([]);
  });

  test("is all that the channel has while only its source speaks", () => {
    expect(leakOnlyShare(found.only, 0, 0.8, 4.8)).toBeGreaterThan(0.95);
    expect(leakOnlyShare(found.only, 0, 10, 11.8)).toBeGreaterThan(0.95);
  });

  test("is not all that the channel has while its own voice speaks", () => {
    expect(leakOnlyShare(found.only, 0, 6.3, 8)).toBe(0);
    expect(leakOnlyShare(found.only, 0, 8, 8.8)).toBeLessThan(0.25);
    expect(found.only[1]).not.toContain("found");
  });
});

describe.each([-20, -40])("a leak of %i dB that begins below the channel's own voice", (gain) => {
  const first = voice(7, [[0.5, 5]]);
  const second = voice(8, [[4, 12]]);
  const leak = leakOf(second, gain, 60);
  const found = clean([sum(first, leak, hiss(3, 3e-5)), sum(second, hiss(4))]);
  const [channel = new Float32Array()] = found.channels;

  test("is removed within two seconds of its source alone", () => {
    expect(decibels(channel, 7, 12)).toBeLessThan(
      Math.max(decibels(leak, 7, 12) - 10, decibels(hiss(3, 3e-5), 7, 12) + 2),
    );
    expect(leakOnlyShare(found.only, 0, 7, 11.8)).toBeGreaterThan(0.95);
  });

  test("does not mute that voice", () => {
    const error = channel.map((value, at) => value - (first[at] as number));
    expect(decibels(error, 4, 5)).toBeLessThan(decibels(first, 4, 5) - 6);
    expect(leakOnlyShare(found.only, 0, 0.5, 4)).toBe(0);
  });
});

test("channels that leak into each other have different sources", () => {
  const channels = [sum(near, leakOf(far, -6, 20), hiss(3)), sum(far, leakOf(near, -6, 30), hiss(4))];
  const found = clean(channels);
  expect(found.mutual).toEqual([[0, 1]]);
  expect(decibels(found.channels[1] as Float32Array, 7, 8)).toBeLessThan(
    decibels(channels[1] as Float32Array, 7, 8) - 15,
  );
});

describe("channels without leaks stay bit by bit as they are", () => {
  test.each<[string, Float32Array[]]>([
    ["two voices", [sum(near, hiss(3)), sum(far, hiss(4))]],
    ["two voices at the same time", [voice(5, [[0, 12]]), voice(6, [[0, 12]])]],
    ["one voice in both", [far, far]],
    ["one voice, quieter in one of them", [far, far.map((value) => 0.5 * value)]],
    ["one voice, with a noise of its own in each", [sum(far, hiss(3)), sum(far, hiss(4))]],
    ["silence in one of them", [far, new Float32Array(far.length)]],
  ])("%s", (_what, channels) => {
    for (const holds of [true, false]) {
      const found = clean(channels, undefined, holds).channels;
      expect(found.map((samples, channel) => isSame(samples, channels[channel]))).toEqual([true, true]);
    }
  });

  test("speech in them is held back for at most two seconds of sound of the other channel", () => {
    const both = [voice(5, [[0.5, 12]]).map((value) => 0.2 * value), voice(6, [[0.5, 12]])];
    const { only } = clean(both);
    expect(only[0]?.filter((sound) => sound === "possible").length).toBeLessThan((2 * RATE) / BLOCK_SAMPLES);
    expect(only.flat()).not.toContain("found");
  });

  test("speech in channels with one voice is not held back", () => {
    expect(clean([far, far]).only).toEqual([[], []]);
  });
});

test("the output does not depend on how the audio is divided", () => {
  const channels = [sum(near, leakOf(far, -18, 35), hiss(3)), sum(far, hiss(4))];
  const random = randomOf(9);
  const whole = clean(channels);
  for (const pieceSamples of [() => 1 + Math.floor(random() * 3_000), () => SECONDS * RATE]) {
    const found = clean(channels, pieceSamples).channels;
    expect(found.map((samples, channel) => isSame(samples, whole.channels[channel]))).toEqual([true, true]);
  }
});

describe.each([48_128, 83_333])("a turn that ends at sample %i", (end) => {
  const channels = [sum(near, leakOf(far, -18, 35), hiss(3)), sum(far, hiss(4))];
  const removal = new LeakRemoval(2, { holds: true });
  const joined = (...parts: Float32Array[][]) =>
    channels.map((_, channel) => joinedSamples(parts.map((pieces) => pieces[channel] as Float32Array)));
  const part = (from: number, to?: number) => removal.add(channels.map((samples) => samples.subarray(from, to)));
  const turn = joined(part(0, end), removal.release());
  const rest = joined(part(end, end + 100), removal.release(), part(end + 100), removal.release());

  test("includes all of its samples, and none twice", () => {
    expect(turn.map(({ length }) => length)).toEqual([end, end]);
    expect(rest.map(({ length }) => length)).toEqual([SECONDS * RATE - end, SECONDS * RATE - end]);
    expect(isSame(joined(turn, rest)[1], channels[1])).toBe(true);
  });

  test("changes nothing after it", () => {
    const whole = clean(channels).channels[0] as Float32Array;
    const from = 100 + 3 * 512;
    expect(isSame(rest[0]?.subarray(from), whole.subarray(end + from))).toBe(true);
    const error = joined(turn, rest)[0]?.map((value, at) => value - (whole[at] as number)) as Float32Array;
    expect(decibels(error, 0, SECONDS)).toBeLessThan(decibels(whole, 0, SECONDS) - 25);
  });
});

test("a turn that ends before the decision on a leak includes all of its samples", () => {
  const channels = [sum(near, leakOf(far, -18, 35), hiss(3)), sum(far, hiss(4))];
  const removal = new LeakRemoval(2, { holds: true });
  const ends = [5_000, 5_100, 13_000, 20_480, SECONDS * RATE];
  let emitted = 0;
  for (const [at, end] of ends.entries()) {
    const pieces = [
      removal.add(channels.map((samples) => samples.subarray(ends[at - 1] ?? 0, end))),
      removal.release(),
    ];
    const second = joinedSamples(pieces.map(([, samples]) => samples as Float32Array));
    expect(isSame(second, channels[1]?.subarray(emitted, end))).toBe(true);
    expect(joinedSamples(pieces.map(([samples]) => samples as Float32Array))).toHaveLength(end - emitted);
    emitted = end;
  }
});

test("at most 0.8 s are held back", () => {
  const removal = new LeakRemoval(2, { holds: true });
  const channels = [sum(voice(5, [[0, 12]]), hiss(3)), sum(voice(6, [[0, 12]]), hiss(4))];
  let held = 0;
  for (let at = 0; at < SECONDS * RATE; at += 1_600) {
    held += 1_600 - (removal.add(channels.map((samples) => samples.subarray(at, at + 1_600)))[0]?.length ?? 0);
    expect(held).toBeLessThanOrEqual(0.8 * RATE + 1_024);
  }
});

/** Without the sounds above some frequency, as at 8 kHz. */
const muffled = (samples: Float32Array) => {
  let [one, two] = [0, 0];
  return samples.map((value) => {
    one += 0.4 * (value - one);
    two += 0.4 * (one - two);
    return two;
  });
};

test.each(Array.from({ length: 24 }, (_, seed) => seed))("one voice in both channels is no leak, voice %i", (seed) => {
  const source = muffled(voice(100 + seed, [[0, 9]]));
  const found = clean([source, source.map((value) => (seed % 2 === 0 ? value : -value))]);
  expect(found.mutual).toEqual([]);
  expect(isSame(found.channels[0], source)).toBe(true);
});

/** A note that swells three times a second: a filter of it may have any whole number of its periods as the delay. */
const note = (hertz: number) =>
  Float32Array.from({ length: SECONDS * RATE }, (_, at) => {
    const time = at / RATE;
    let sum = 0;
    for (let harmonic = 1; harmonic * hertz < 3_300; harmonic++) {
      sum += Math.cos(2 * Math.PI * harmonic * hertz * time) / harmonic;
    }
    return 0.05 * sum * Math.max(0, Math.sin(6 * Math.PI * time)) ** 2;
  });

test.each([110, 140, 160, 200, 250])("one note of %i Hz in both channels is no leak", (hertz) => {
  const found = clean([note(hertz), note(hertz)]);
  expect(found.mutual).toEqual([]);
  expect(isSame(found.channels[0], note(hertz))).toBe(true);
});

/** A loudspeaker beside the microphone, whose echoes are louder than its direct sound. */
const nearLeakOf = (samples: Float32Array, share: number, delay: number) =>
  samples.map((_, at) => {
    const [direct, echo] = [samples[at - delay] ?? 0, samples[at - delay - 173] ?? 0];
    return 0.5 * (Math.sqrt(share) * direct + Math.sqrt(1 - share) * echo);
  });

test.each([
  [0.24, 2],
  [0.34, 2],
  [0.24, 8],
  [0.34, 8],
])("a loud leak with %f of its energy in a direct sound that is %i samples late is removed", (share, delay) => {
  const leak = nearLeakOf(far, share, delay);
  const found = clean([sum(leak, hiss(3)), sum(far, hiss(4))]);
  expect(decibels(found.channels[0] as Float32Array, 3, 5)).toBeLessThan(decibels(leak, 3, 5) - 20);
});
