// Measures time and memory of Whisper's published sizes with random weights, which must stay in proportion to the number of weights. A
// separate process measures each size. Usage: npm run bench -- whisper-sizes [-- SIZE...]; sizes: base, small, medium, turbo, large.
// Without sizes: base, small, medium, turbo. Large needs 8 GB of memory.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { WhisperModel } from "../src/speech/engines/whisper/model.ts";
import { prepareWhisper } from "../src/speech/engines/whisper/prepare.ts";
import { type Dimensions, tinyWhisper, writeFiles } from "../test/fixtures/tiny-whisper.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const vocabulary = 51_865;
const SIZES: Readonly<Record<string, Dimensions>> = {
  base: { size: 512, heads: 8, encoderLayers: 6, decoderLayers: 6, feedForward: 2048, melBins: 80, vocabulary },
  small: { size: 768, heads: 12, encoderLayers: 12, decoderLayers: 12, feedForward: 3072, melBins: 80, vocabulary },
  medium: { size: 1024, heads: 16, encoderLayers: 24, decoderLayers: 24, feedForward: 4096, melBins: 80, vocabulary },
  turbo: { size: 1280, heads: 20, encoderLayers: 32, decoderLayers: 4, feedForward: 5120, melBins: 128, vocabulary },
  large: { size: 1280, heads: 20, encoderLayers: 32, decoderLayers: 32, feedForward: 5120, melBins: 128, vocabulary },
};

const SECONDS = 15;
const STEPS = 20;
const ROUNDS = 3;
/** Times and memory a weight may be this much above base's: caches of the processor hold less of a larger model. */
const MOST_RATIO = 2;

interface Measured {
  encoderMilliseconds: number;
  stepMilliseconds: number;
  /** A step with the largest batch of the decoder. */
  batchMilliseconds: number;
  batchSize: number;
  peakBytes: number;
}

/** Runs in the child. */
async function measure(folder: string, sharedFolder: string): Promise<Measured> {
  // The first load prepares the graphs, which the second one maps, as in a service.
  const model = await WhisperModel.load(folder, { sharedFolder });
  const samples = Float32Array.from(
    { length: SECONDS * 16_000 },
    (_, at) => 0.3 * Math.sin(at / 9) * Math.sin(at / 4000),
  );
  const times = { encoder: [] as number[], step: [] as number[], batch: [] as number[] };
  const timed = async <Value>(list: number[], work: () => Promise<Value>): Promise<Value> => {
    const started = performance.now();
    const value = await work();
    list.push(performance.now() - started);
    return value;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const { encoded } = await timed(times.encoder, () => model.encode(samples));
    const texts = Array.from({ length: model.batchSize }, () => ({ encoded, cache: undefined, token: 1 }));
    let passes = await model.decodeBatch(texts);
    for (let step = 0; step < STEPS; step++) {
      const next = passes.map(({ cache }) => ({ encoded, cache, token: 2 + step }));
      passes = await timed(times.batch, () => model.decodeBatch(next));
    }
    let pass = await model.decode(encoded, undefined, [1, 2, 3]);
    for (let step = 0; step < STEPS; step++) {
      const { cache } = pass;
      pass = await timed(times.step, () => model.decode(encoded, cache, [4]));
    }
    model.releaseAudio(encoded);
  }
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return {
    encoderMilliseconds: percentile(times.encoder, 0.5),
    stepMilliseconds: percentile(times.step, 0.5),
    batchMilliseconds: percentile(times.batch, 0.5),
    batchSize: model.batchSize,
    peakBytes: Number(kilobytes) * 1024,
  };
}

async function measuredSize(name: string): Promise<Measured & { weights: number; prepareSeconds: number }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-sizes-"));
  try {
    const dimensions = SIZES[name];
    if (!dimensions) throw new Error(`no such size: ${name}; there are ${Object.keys(SIZES).join(", ")}`);
    const from = writeFiles(path.join(folder, "from"), tinyWhisper({ type: "F16", dimensions }));
    const weights = statSync(path.join(from, "model.safetensors")).size / 2;
    const to = path.join(folder, "to");
    mkdirSync(to);
    const started = performance.now();
    await prepareWhisper(from, to, { progress: () => undefined });
    const prepareSeconds = (performance.now() - started) / 1000;
    rmSync(from, { recursive: true });
    const child = () => {
      const own = [fileURLToPath(import.meta.url), "measure", to, path.join(folder, "shared")];
      return JSON.parse(execFileSync(process.execPath, own, { encoding: "utf8" })) as Measured;
    };
    child();
    return { ...child(), weights, prepareSeconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(names: readonly string[]): Promise<void> {
  const results: Result[] = [];
  let base: (Measured & { weights: number }) | undefined;
  for (const name of names) {
    const one = await measuredSize(name);
    base ??= one;
    const ratio = (value: (measured: Measured) => number) =>
      rounded(value(one) / value(base as Measured) / (one.weights / (base as { weights: number }).weights));
    // The weights of an encoder and of a decoder grow differently; each time is of one of them.
    const memoryRatio = ratio(({ peakBytes }) => peakBytes);
    const timeRatio = ratio(
      ({ encoderMilliseconds, stepMilliseconds }) => encoderMilliseconds + 4 * SECONDS * stepMilliseconds,
    );
    results.push({
      name,
      values: {
        "million weights": rounded(one.weights / 1e6, 0),
        "prepare s": rounded(one.prepareSeconds, 1),
        [`encoder of ${SECONDS} s, ms`]: rounded(one.encoderMilliseconds, 0),
        "step of a text, ms": rounded(one.stepMilliseconds, 1),
        "step of a batch, ms": rounded(one.batchMilliseconds, 1),
        batch: one.batchSize,
        "peak MB": rounded(one.peakBytes / 1e6, 0),
        "time a weight to base": timeRatio,
        "memory a weight to base": memoryRatio,
      },
      goal: `at most ${MOST_RATIO} times base's time and memory a weight`,
      isMet: Math.max(timeRatio, memoryRatio) <= MOST_RATIO,
    });
    process.stderr.write(`${JSON.stringify(results.at(-1))}\n`);
  }
  printResults("Whisper's sizes with random weights", results);
  saveResults("whisper-sizes", results);
}

const [first, folder = "", shared = ""] = process.argv.slice(2);
if (first === "measure") process.stdout.write(JSON.stringify(await measure(folder, shared)));
else await main(first === undefined ? ["base", "small", "medium", "turbo"] : process.argv.slice(2));
