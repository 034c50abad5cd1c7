// Computes the weights of src/speech/audio/speech-speed.ts and writes speech-speed-weights.ts, by ridge regression of the
// logarithm of the speed on every other recording. `npm run bench -- declared-formats` reports the others.
import { writeFileSync } from "node:fs";
import { Matrix, solve } from "ml-matrix";
import { SPEED_WINDOWS, SpeechSpeed } from "../src/speech/audio/speech-speed.ts";
import { WINDOW_SAMPLES } from "../src/speech/audio/voice-activity/detector-windows.ts";
import { misread, rateVariants } from "./rate-variants.ts";
import { loadRecordings, loadSounds, SAMPLE_RATE } from "./recordings.ts";

const SPEEDS = [1 / 3, 1 / 2, 2 / 3, 1, 3 / 2, 2, 3];
/** Recordings at their own speed count more often: a wrong warning is worse than none. */
const OWN_SPEED_WEIGHT = 2;
const REGULARISATION = 10;
const MOST_STRETCHES = 2;
const LEAST_LEVEL = 1e-3;
const LEAST_SHARE = 0.03;
const LEAD_SAMPLES = 4 * WINDOW_SAMPLES;

function featuresOf(samples: Float32Array): number[][] {
  const found: number[][] = [];
  let [speed, loudest] = [new SpeechSpeed(), 0];
  for (let at = 0; at + WINDOW_SAMPLES <= samples.length && found.length < MOST_STRETCHES; at += WINDOW_SAMPLES) {
    const window = samples.subarray(at, at + WINDOW_SAMPLES);
    const level = Math.sqrt(window.reduce((sum, value) => sum + value * value, 0) / WINDOW_SAMPLES);
    if (level < LEAST_LEVEL || level < LEAST_SHARE * loudest) continue;
    loudest = Math.max(loudest, level);
    speed.push(at / WINDOW_SAMPLES, samples.subarray(Math.max(0, at - LEAD_SAMPLES), at + WINDOW_SAMPLES));
    if (speed.count < SPEED_WINDOWS) continue;
    found.push(speed.features);
    [speed, loudest] = [new SpeechSpeed(), 0];
  }
  return found;
}

const recordings = await loadRecordings(() => true, "all languages");
const sounds = { noises: await loadSounds("noise"), rooms: await loadSounds("room") };
const rows: { features: number[]; octaves: number; weight: number }[] = [];
for (const [at, recording] of recordings.entries()) {
  if (at % 2 !== 0) continue;
  for (const [, samples] of rateVariants(recording, at, sounds)) {
    for (const speed of SPEEDS) {
      const heard =
        speed === 1 ? samples : misread(samples, SAMPLE_RATE, Math.round((SAMPLE_RATE * speed) / 100) * 100);
      for (const features of featuresOf(heard)) {
        rows.push({ features, octaves: Math.log2(speed), weight: speed === 1 ? OWN_SPEED_WEIGHT : 1 });
      }
    }
  }
}
const size = rows[0]?.features.length ?? 0;
const total = rows.reduce((sum, { weight }) => sum + weight, 0);
const mean = (of: (row: (typeof rows)[number]) => number) =>
  rows.reduce((sum, row) => sum + row.weight * of(row), 0) / total;
const means = Array.from({ length: size }, (_, at) => mean(({ features }) => features[at] as number));
const spreads = means.map((middle, at) =>
  Math.sqrt(mean(({ features }) => ((features[at] as number) - middle) ** 2) + 1e-12),
);
const middle = mean(({ octaves }) => octaves);
const scaled = rows.map(({ features, weight }) =>
  features.map((value, at) => (Math.sqrt(weight) * (value - (means[at] as number))) / (spreads[at] as number)),
);
const matrix = new Matrix(scaled);
const targets = Matrix.columnVector(rows.map(({ octaves, weight }) => Math.sqrt(weight) * (octaves - middle)));
const products = matrix.transpose().mmul(matrix).add(Matrix.eye(size).mul(REGULARISATION));
const weights = solve(products, matrix.transpose().mmul(targets))
  .to1DArray()
  .map((weight, at) => weight / (spreads[at] as number));
const bias = middle - weights.reduce((sum, weight, at) => sum + weight * (means[at] as number), 0);
const written = weights.map((weight) => `  ${Number(weight.toFixed(4))},`).join("\n");
writeFileSync(
  "src/speech/audio/speech-speed-weights.ts",
  `// Weights of the estimate in speech-speed.ts, by \`npm run learn:speech-speed\`.

export const SPEED_BIAS = ${Number(bias.toFixed(4))};
export const SPEED_WEIGHTS: readonly number[] = [
${written}
];
`,
);
process.stdout.write(`${rows.length} stretches of ${Math.ceil(recordings.length / 2)} recordings\n`);
