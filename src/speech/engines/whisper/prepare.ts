// Converts a published checkpoint to graphs, once, tensor by tensor: only the largest tensor must fit in memory.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { GraphBuilder, WeightsFile } from "../../onnx/graph-builder.ts";
import type { RecognizerCapabilities } from "../../recognition/recognizer.ts";
import type { CheckpointSource, PreparedModel, PrepareOptions } from "../engine.ts";
import { Checkpoint, filesOfIndex, INDEX_FILE, SINGLE_FILE } from "./checkpoint.ts";
import { isWhisper, readConfig } from "./config.ts";
import { writeDecoder } from "./decoder-graph.ts";
import { describe, type PreparedDescription, type WhisperDescription } from "./description.ts";
import { writeEncoder } from "./encoder-graph.ts";
import { integerDifference, MOST_DIFFERENCE } from "./precision.ts";
import { WhisperTokenizer } from "./tokenizer.ts";
import { WeightReader } from "./weights.ts";

const CONFIG = "config.json";
const GENERATION = "generation_config.json";
export const TOKENIZER = "tokenizer.json";
export const DESCRIPTION = "whisper.json";
export const ENCODER = "encoder.onnx";
/** The encoder with float products. */
export const PORTABLE_ENCODER = "encoder.portable.onnx";
export const DECODER = "decoder.onnx";

type Json = Record<string, unknown>;

/** Files of a Whisper checkpoint; undefined for another kind. @throws Error if it is incomplete */
export async function whisperFiles(source: CheckpointSource): Promise<string[] | undefined> {
  const text = await source.text(CONFIG);
  if (text === undefined) return undefined;
  const config = JSON.parse(text) as Json;
  if (!isWhisper(config)) return undefined;
  readConfig(config);
  const index = await source.text(INDEX_FILE);
  const weights = index === undefined ? [SINGLE_FILE] : [INDEX_FILE, ...filesOfIndex(index)];
  const wanted = [CONFIG, TOKENIZER, ...weights];
  for (const file of wanted) {
    if (!(await source.has(file))) throw new Error(`${source.name} has no ${file}`);
  }
  return (await source.has(GENERATION)) ? [...wanted, GENERATION] : wanted;
}

async function readJson(folder: string, file: string): Promise<Json> {
  return JSON.parse(await readFile(path.join(folder, file), "utf8")) as Json;
}

function capabilitiesOf({ languageTokens, translateToken }: WhisperDescription): RecognizerCapabilities {
  return {
    wordTimes: true,
    confidence: true,
    continuation: true,
    vocabulary: true,
    bearsPauses: true,
    languageDetection: Object.keys(languageTokens).length > 1,
    translation: translateToken !== undefined,
  };
}

/** Share of the preparation time for the encoder. */
const ENCODER_SHARE = 0.5;

export async function prepareWhisper(from: string, to: string, options: PrepareOptions): Promise<PreparedModel> {
  const config = readConfig(await readJson(from, CONFIG));
  const generation = await readJson(from, GENERATION).catch(() => ({}));
  const tokenizer = new WhisperTokenizer(await readFile(path.join(from, TOKENIZER), "utf8"));
  const description = describe(config, generation, tokenizer);
  const { alignmentHeads: heads, areHeadsKnown, mostTexts: slots } = description;
  const checkpoint = await Checkpoint.open(from);
  const progress = (before: number, part: number) => (share: number) => {
    options.signal?.throwIfAborted();
    options.progress(before + part * share);
  };
  try {
    const weights = new WeightReader(checkpoint);
    await writeGraph(to, ENCODER, (graph) => writeEncoder(graph, config, weights, progress(0, ENCODER_SHARE)));
    await writeGraph(to, DECODER, (graph) =>
      writeDecoder(graph, config, weights, { heads, areHeadsKnown, slots }, progress(ENCODER_SHARE, 1 - ENCODER_SHARE)),
    );
  } finally {
    await checkpoint.close();
  }
  await writeFile(path.join(to, TOKENIZER), await readFile(path.join(from, TOKENIZER)));
  const difference = await integerDifference(to, { integer: ENCODER, portable: PORTABLE_ENCODER }, config);
  const prepared: PreparedDescription = { ...description, hearsInFloats: !(difference <= MOST_DIFFERENCE) };
  await writeFile(path.join(to, DESCRIPTION), JSON.stringify(prepared));
  const languages = Object.keys(description.languageTokens);
  return {
    languages: languages.length > 0 ? languages : ["en"],
    capabilities: capabilitiesOf(description),
    files: [
      DESCRIPTION,
      TOKENIZER,
      ...[ENCODER, DECODER].flatMap((graph) => [graph, weightsOf(graph)]),
      PORTABLE_ENCODER,
    ],
  };
}

/** File of a graph's constants. */
export const weightsOf = (graph: string) => graph.replace(/\.onnx$/, ".weights");

async function writeGraph(folder: string, name: string, fill: (graph: GraphBuilder) => Promise<void>): Promise<void> {
  const weights = await WeightsFile.create(folder, weightsOf(name));
  try {
    const graph = new GraphBuilder(name, weights);
    await fill(graph);
    await writeFile(path.join(folder, name), graph.build());
    if (name === ENCODER) await writeFile(path.join(folder, PORTABLE_ENCODER), graph.build("portable"));
  } finally {
    await weights.close();
  }
}
