// Live audio in another format than its session declares: how often it has a warning, and how often audio in the right
// format has one; with `encodings`, sampling rates are left out. The thresholds and weights were chosen on every other recording; those are the first row of each pair.

import { RateCheck } from "../src/speech/audio/rate-check.ts";
import { resampled } from "../src/speech/audio/resample.ts";
import { SignalWatch } from "../src/speech/audio/signal-watch.ts";
import type { SampleFormat } from "../src/speech/audio/stream-format.ts";
import { coldVoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import { WARM_UP_SAMPLES, warmUpSamples } from "../src/speech/audio/voice-activity/detector-windows.ts";
import { loadVoiceActivityModel, speechProbabilities } from "../src/speech/audio/voice-activity/silero.ts";
import { MUSIC } from "../test/fixtures/sounds.ts";
import { encodeAlaw, encodePcm, encodeUlaw } from "../test/fixtures/speech.ts";
import { STEADY_NOISE } from "../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../test/fixtures/telephone-tones.ts";
import { misread, rateVariants } from "./rate-variants.ts";
import { joined, loadRecordings, loadSounds, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const SOUND_SECONDS = 12;
const PAUSE_SECONDS = 0.3;
const FRAME_SAMPLES = 1_600;
const PCM: SampleFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: SAMPLE_RATE, channels: 1 };
/** Rate of the audio, and declared rate. */
const RATES = [
  [16_000, 8_000],
  [8_000, 16_000],
  [48_000, 16_000],
  [16_000, 48_000],
] as const;

const model = await loadVoiceActivityModel();

async function findVoice(samples: Float32Array): Promise<Float32Array> {
  const state = coldVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), state);
  return speechProbabilities(model, samples, state);
}

/** @returns seconds of audio until the warning; undefined without one */
async function rateWarned(samples: Float32Array): Promise<number | undefined> {
  const check = new RateCheck(findVoice);
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    check.push(samples.subarray(at, at + FRAME_SAMPLES));
    await check.settled();
    if (check.playedSpeed !== undefined) return (at + FRAME_SAMPLES) / SAMPLE_RATE;
  }
  return undefined;
}

function formatWarned(bytes: Buffer, format: Partial<SampleFormat> = {}): string | undefined {
  const watch = new SignalWatch();
  for (let at = 0; at < bytes.length; at += 4_800) watch.push(bytes.subarray(at, at + 4_800), { ...PCM, ...format });
  return watch.likely?.name;
}

const FLOAT = { encoding: "float", bitDepth: 32 } as const;
const MU_LAW = { encoding: "wav/ulaw", bitDepth: 8, sampleRate: 8_000 } as const;
const A_LAW = { encoding: "wav/alaw", bitDepth: 8, sampleRate: 8_000 } as const;
const quieter = (samples: Float32Array) => samples.map((value) => value / 2);
const twice = (samples: Float32Array) =>
  Float32Array.from({ length: 2 * samples.length }, (_, at) => samples[at >> 1] as number);
const floats = (samples: Float32Array) => {
  const bytes = Buffer.alloc(4 * samples.length);
  for (const [at, value] of samples.entries()) bytes.writeFloatLE(value, 4 * at);
  return bytes;
};
/** What is sent, and how it is read. */
const WRONG: readonly (readonly [string, (samples: Float32Array) => Buffer, Partial<SampleFormat>])[] = [
  ["A-law as mu-law", (samples) => encodeAlaw(resampled(samples, SAMPLE_RATE, 8_000)), MU_LAW],
  ["mu-law as A-law", (samples) => encodeUlaw(resampled(samples, SAMPLE_RATE, 8_000)), A_LAW],
  ["two equal channels as one", (samples) => encodePcm([samples, samples]), {}],
  ["two channels as one", (samples) => encodePcm([samples, quieter(samples)]), {}],
  ["two 8-bit channels as one", (samples) => encodePcm([samples, quieter(samples)], 8), { bitDepth: 8 }],
  ["one channel as two", (samples) => encodePcm([samples]), { channels: 2 }],
  ["big-endian as little-endian", (samples) => encodePcm([samples]).swap16(), {}],
  ["24 bits as 16", (samples) => encodePcm([samples], 24), {}],
  ["16 bits as 24", (samples) => encodePcm([samples]), { bitDepth: 24 }],
  ["32 bits as 16", (samples) => encodePcm([samples], 32), {}],
  ["16 bits as 32", (samples) => encodePcm([samples]), { bitDepth: 32 }],
  ["8 bits as 16", (samples) => encodePcm([samples], 8), {}],
  ["16 bits as 8", (samples) => encodePcm([samples]), { bitDepth: 8 }],
  ["mu-law as 16 bits", (samples) => encodeUlaw(samples), {}],
  ["16 bits as floating-point", (samples) => encodePcm([samples]), FLOAT],
  ["32 bits as floating-point", (samples) => encodePcm([samples], 32), FLOAT],
  ["mu-law as floating-point", (samples) => encodeUlaw(samples), FLOAT],
  ["two floating-point channels as one", (samples) => floats(twice(samples)), FLOAT],
  ["floating-point as 16 bits", floats, {}],
  ["16 bits as mu-law", (samples) => encodePcm([samples]), { encoding: "wav/ulaw", bitDepth: 8 }],
];
const RIGHT: readonly (readonly [(samples: Float32Array) => Buffer, Partial<SampleFormat>])[] = [
  [(samples) => encodePcm([samples]), {}],
  [(samples) => encodePcm([samples, quieter(samples)]), { channels: 2 }],
  [(samples) => encodePcm([samples], 24), { bitDepth: 24 }],
  [(samples) => encodePcm([samples], 32), { bitDepth: 32 }],
  [(samples) => encodePcm([samples], 8), { bitDepth: 8 }],
  [floats, FLOAT],
  [(samples) => encodeUlaw(samples), { ...MU_LAW, sampleRate: SAMPLE_RATE }],
  [(samples) => encodeAlaw(samples), { ...A_LAW, sampleRate: SAMPLE_RATE }],
];

const recordings = await loadRecordings(() => true, "all languages");
const sounds = { noises: await loadSounds("noise"), rooms: await loadSounds("room") };
const results: Result[] = [];
const report = (name: string, half: number, warned: number, of: number, isRight: boolean, seconds: number[] = []) => {
  const middle = seconds.sort((left, right) => left - right)[Math.floor(seconds.length / 2)];
  results.push({
    name: `${name}, ${half === 0 ? "chosen on" : "reported"}`,
    values: { warned, of, ...(middle === undefined ? {} : { "median seconds": rounded(middle, 1) }) },
    ...(isRight ? { goal: "none", isMet: warned === 0 } : {}),
  });
};
const onlyEncodings = process.argv.includes("encodings");
const others = Object.entries({ ...MUSIC, ...STEADY_NOISE, ...TELEPHONE_TONES });
for (const half of [0, 1]) {
  const own = recordings.flatMap((recording, at) => (at % 2 === half ? [{ recording, at }] : []));
  const right = new Map<string, number>();
  for (const { recording, at } of onlyEncodings ? [] : own) {
    for (const [name, samples] of rateVariants(recording, at, sounds)) {
      const warned = await rateWarned(samples);
      if (warned !== undefined) process.stdout.write(`warned: ${recording.file}, ${name}\n`);
      right.set(name, (right.get(name) ?? 0) + (warned === undefined ? 0 : 1));
    }
  }
  for (const [name, warned] of right) report(`right rate: ${name}`, half, warned, own.length, true);
  const heard = [
    ...others.map(([name, sound]) => [name, sound(SOUND_SECONDS, 1 + half)] as const),
    ...sounds.noises.flatMap((samples, at) => (at % 2 === half ? [[`noise-${at + 1}`, samples] as const] : [])),
  ];
  if (!onlyEncodings) {
    let warned = 0;
    for (const [, samples] of heard) if ((await rateWarned(samples)) !== undefined) warned++;
    report("right rate: music, noise, tones", half, warned, heard.length, true);
  }
  for (const [rate, declared] of onlyEncodings ? [] : RATES) {
    const seconds: number[] = [];
    for (const { recording } of own) {
      // Repeated: fast speech is short.
      const spoken = joined([recording], Math.ceil((SOUND_SECONDS * Math.max(rate, declared)) / rate), PAUSE_SECONDS);
      const found = await rateWarned(misread(spoken, rate, declared));
      if (found !== undefined) seconds.push(found);
    }
    report(`${rate} Hz as ${declared} Hz`, half, seconds.length, own.length, false, seconds);
  }
  const named = own.map(
    ({ recording }) => [recording.file, recording.samples.subarray(0, SOUND_SECONDS * SAMPLE_RATE)] as const,
  );
  const beginnings = named.map(([, samples]) => samples);
  let falseAlarms = 0;
  for (const [name, samples] of [...named, ...heard]) {
    for (const [encode, format] of RIGHT) {
      const warning = formatWarned(encode(samples), format);
      if (warning === undefined) continue;
      falseAlarms++;
      process.stdout.write(`warned: ${name}, ${JSON.stringify(format)}: ${warning}\n`);
    }
  }
  report("right encodings", half, falseAlarms, RIGHT.length * (beginnings.length + heard.length), true);
  for (const [name, encode, format] of WRONG) {
    report(
      name,
      half,
      beginnings.filter((samples) => formatWarned(encode(samples), format) !== undefined).length,
      own.length,
      false,
    );
  }
}
printResults("Declared formats", results);
if (!onlyEncodings) saveResults("declared-formats", results);
await model.release();
