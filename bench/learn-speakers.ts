// Computes the projection of src/speech/engines/moonshine/projection.ts and writes that file, by linear discriminant analysis:
// the
// scatter within voices from each recording of one person, the scatter between voices from all of them together.
// Recordings with
// several speakers are reserved for `npm run bench -- speakers`.
import { writeFileSync } from "node:fs";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { initialVoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import { WINDOW_SAMPLES } from "../src/speech/audio/voice-activity/detector-windows.ts";
import { loadVoiceActivityModel, speechProbabilities } from "../src/speech/audio/voice-activity/silero.ts";
import { EarlyLayers } from "../src/speech/engines/moonshine/early-layers.ts";
import { poolWindows } from "../src/speech/speakers/pooling.ts";
import { loadRecordings, SAMPLE_RATE } from "./recordings.ts";

const DIMENSIONS = 30;
/** Added to the scatter within voices, as a share of its mean: there are fewer recordings than dimensions. */
const REGULARISATION = 0.3;
const SPEECH = 0.5;
const CHARACTERS_PER_LINE = 110;

const layers = await EarlyLayers.load();
const detector = await loadVoiceActivityModel();
const recordings = await loadRecordings(
  ({ speakers, word_speakers }) => speakers === undefined && word_speakers === undefined,
  "all languages",
);

const deviations: number[][] = [];
const voices: number[][] = [];
let size = 0;
for (const { samples } of recordings) {
  const probabilities = await speechProbabilities(detector, samples, initialVoiceActivityState());
  const seconds = WINDOW_SAMPLES / SAMPLE_RATE;
  const speech = [...probabilities].flatMap((probability, at) =>
    probability > SPEECH ? [{ start: at * seconds, end: (at + 1) * seconds }] : [],
  );
  const frames = await layers.frames(samples, 0);
  size = frames.size;
  const { times, means } = poolWindows(frames, speech, 0, samples.length / SAMPLE_RATE);
  const rows = times.map((_, index) => [...means.subarray(index * size, (index + 1) * size)]);
  if (rows.length < 3) continue;
  const mean = new Matrix(rows).mean("column");
  voices.push(mean);
  deviations.push(...rows.map((row) => row.map((value, at) => value - (mean[at] as number))));
}
await layers.release();

const covariance = (rows: number[][]) => {
  const matrix = new Matrix(rows);
  return matrix
    .transpose()
    .mmul(matrix)
    .mul(1 / rows.length);
};
const within = covariance(deviations);
within.add(Matrix.eye(size).mul((REGULARISATION * within.trace()) / size));
const scatter = new EigenvalueDecomposition(within, { assumeSymmetric: true });
const whitening = scatter.eigenvectorMatrix.mmul(
  Matrix.diag(scatter.realEigenvalues.map((value) => 1 / Math.sqrt(value))),
);
const overall = new Matrix(voices).mean("column");
const between = covariance(voices.map((voice) => voice.map((value, at) => value - (overall[at] as number))));
const differences = new EigenvalueDecomposition(whitening.transpose().mmul(between).mmul(whitening), {
  assumeSymmetric: true,
});
const best = differences.realEigenvalues
  .map((variance, index) => ({ variance, index }))
  .sort((left, right) => right.variance - left.variance)
  .slice(0, DIMENSIONS);

const scales: number[] = [];
const bytes = Buffer.alloc(DIMENSIONS * size);
for (const [dimension, { index }] of best.entries()) {
  const direction = whitening.mmul(Matrix.columnVector(differences.eigenvectorMatrix.getColumn(index))).getColumn(0);
  const scale = Math.max(...direction.map(Math.abs)) / 127;
  scales.push(scale);
  for (const [at, value] of direction.entries()) bytes.writeInt8(Math.round(value / scale), dimension * size + at);
}

const text = bytes.toString("base64");
const lines = text.match(new RegExp(`.{1,${CHARACTERS_PER_LINE}}`, "g")) ?? [];
const list = (values: number[]) => values.map((value) => `  ${Number(value.toPrecision(5))},`).join("\n");
writeFileSync(
  "src/speech/engines/moonshine/projection.ts",
  `// Learned by \`npm run learn:speakers\` from ${voices.length} recordings of one speaker each; not written by hand.
import type { SpeakerSpace } from "../embedder.ts";

export const INPUT_SIZE = ${size};

export const MOONSHINE_SPACE: SpeakerSpace = {
  dimensions: ${DIMENSIONS},
  speakerVariance: [
${list(best.map(({ variance }) => variance)).replaceAll("  ", "    ")}
  ],
};

/** What a step of each dimension's bytes is worth. */
export const SCALES = [
${list(scales)}
];

/** Signed bytes, row-major [dimensions, INPUT_SIZE], in base64. */
export const PROJECTION = [
${lines.map((line) => `  "${line}",`).join("\n")}
];
`,
);
process.stdout.write(`${voices.length} voices, ${deviations.length} windows\n`);
