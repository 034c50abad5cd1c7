// Recordings in which the same sound is mixed with itself later: how many have a warning, and how many others have one. The
// thresholds were chosen on every other recording and seed; those are the first row of each pair. `errors` prints the names of
// recordings without the right answer.
import { DoubledSource } from "../src/speech/audio/doubled-source.ts";
import { LOOPS } from "../test/fixtures/loops.ts";
import { MUSIC } from "../test/fixtures/sounds.ts";
import { STEADY_NOISE } from "../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../test/fixtures/telephone-tones.ts";
import { inRoom, joined, loadRecordings, loadSounds, SAMPLE_RATE, throughTelephone, withSound } from "./recordings.ts";
import { printResults, type Result, saveResults } from "./table.ts";

const MOST_SECONDS = 60;
const LEAST_SECONDS = 9;
/** Convolution takes long. */
const ROOM_SECONDS = 15;
const DELAYS = [0.12, 0.2, 0.35, 0.5];
const GAINS = [1, 0.7, 0.5];
/** Loops of each kind. */
const SEEDS = 6;
const LOOP_SECONDS = 30;
/** Of a loop before speech. */
const BEFORE_SECONDS = 6;
/** Seconds of speech that are played in a loop. */
const PERIODS = [0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 1.1, 1.5];
const printsErrors = process.argv.includes("errors");

function check(name: string, samples: Float32Array, isDoubled: boolean): boolean {
  const source = new DoubledSource();
  for (let at = 0; at < samples.length; at += 1_600) source.push(samples.subarray(at, at + 1_600));
  const { delaySeconds } = source;
  if (printsErrors && (delaySeconds !== undefined) !== isDoubled)
    process.stdout.write(`${delaySeconds === undefined ? "missed" : `warned of ${delaySeconds} s`} ${name}\n`);
  return delaySeconds !== undefined;
}

function doubled(samples: Float32Array, delaySeconds: number, gain: number): Float32Array {
  const delay = Math.round(delaySeconds * SAMPLE_RATE);
  return samples.map((value, at) => 0.5 * (value + gain * (samples[at - delay] ?? 0)));
}

const recordings = await loadRecordings(() => true, "all languages");
const sounds = { noises: await loadSounds("noise"), rooms: await loadSounds("room") };
const results: Result[] = [];
for (const half of [0, 1]) {
  const suffix = half === 0 ? "chosen on" : "reported";
  const own = recordings.flatMap((recording, at) => (at % 2 === half ? [{ recording, at }] : []));
  const report = (name: string, warned: number, of: number, isDoubled: boolean) =>
    results.push({
      name: `${name}, ${suffix}`,
      values: { warned, of },
      ...(isDoubled ? {} : { goal: "none", isMet: warned === 0 }),
    });
  const counted = (name: string, all: readonly (readonly [string, Float32Array])[], isDoubled: boolean) =>
    report(
      name,
      all.filter(([label, samples]) => check(`${name}: ${label}`, samples, isDoubled)).length,
      all.length,
      isDoubled,
    );
  const whole = own.map(({ recording }) => {
    const seconds = Math.max(LEAST_SECONDS, Math.min(MOST_SECONDS, recording.samples.length / SAMPLE_RATE));
    return [recording.file, joined([recording], seconds, 0.3)] as const;
  });
  counted(
    "as recorded",
    own.map(({ recording }) => [recording.file, recording.samples]),
    false,
  );
  counted("repeated", whole, false);
  const noiseOf = (at: number) => sounds.noises[at % sounds.noises.length] as Float32Array;
  const roomOf = (at: number) => sounds.rooms[at % sounds.rooms.length] as Float32Array;
  const changed = (name: string, change: (samples: Float32Array, at: number) => Float32Array) =>
    counted(
      name,
      whole.map(([file, samples], at) => [file, change(samples, at)] as const),
      false,
    );
  changed("telephone", throughTelephone);
  changed("room", (samples, at) => inRoom(samples.subarray(0, ROOM_SECONDS * SAMPLE_RATE), roomOf(at)));
  changed("noise at 10 dB", (samples, at) => withSound(samples, noiseOf(at), 10, at * SAMPLE_RATE));
  const heard = [
    ...Object.entries({ ...MUSIC, ...STEADY_NOISE, ...TELEPHONE_TONES }).map(
      ([name, sound]) => [name, sound(30, 1 + half)] as const,
    ),
    ...sounds.noises.flatMap((samples, at) => (at % 2 === half ? [[`noise-${at + 1}`, samples] as const] : [])),
  ];
  counted("music, noise, tones", heard, false);
  const loops = Object.entries(LOOPS).flatMap(([name, sound]) =>
    Array.from({ length: SEEDS }, (_, at) => [`${name} ${at}`, sound(LOOP_SECONDS, 2 * at + half)] as const),
  );
  const speechOf = (at: number) => whole[at % whole.length]?.[1] as Float32Array;
  counted("loops", loops, false);
  for (const decibels of [0, 12, 20]) {
    const beside = loops.map(([name, loop], at) => [name, withSound(speechOf(at), loop, decibels, 0)] as const);
    counted(`speech, a loop ${decibels} dB below`, beside, false);
  }
  const before = loops.map(([name, loop], at) => {
    const heard = speechOf(at).slice();
    heard.set(loop.subarray(0, BEFORE_SECONDS * SAMPLE_RATE));
    return [name, heard] as const;
  });
  counted(`${BEFORE_SECONDS} s of a loop, then speech`, before, false);
  for (const period of PERIODS) {
    const repeating = own.map(({ recording }, at) => {
      const length = Math.round((period + at * 0.0007) * SAMPLE_RATE);
      const piece = recording.samples.subarray(SAMPLE_RATE, SAMPLE_RATE + length);
      const heard = Float32Array.from({ length: LOOP_SECONDS * SAMPLE_RATE }, (_, from) => piece[from % length] ?? 0);
      return [recording.file, heard] as const;
    });
    counted(`${period} s of speech in a loop`, repeating, false);
  }
  for (const gain of GAINS) {
    for (const delay of DELAYS) {
      const all = whole.map(([name, samples]) => [name, doubled(samples, delay, gain)] as const);
      counted(`copy at ${gain}, ${delay} s later`, all, true);
    }
  }
  const noisy = whole.map(
    ([name, samples], at) => [name, withSound(doubled(samples, 0.25, 0.8), noiseOf(at), 10, at)] as const,
  );
  counted("copy at 0.8, 0.25 s later, noise at 10 dB", noisy, true);
}
printResults("Doubled sources", results);
saveResults("doubled-source", results);
