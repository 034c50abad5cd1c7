// Runs the encoder and decoder of one Moonshine model on one thread; contains no decoding policy.
import { readFileSync } from "node:fs";
import path from "node:path";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { BatchedDecoder, type SequenceCache } from "../../onnx/batched-decoder.ts";
import { crossNames, MAXIMUM_BATCH } from "../../onnx/decoder-tensor-names.ts";
import type { EncodedAudio } from "../../onnx/encoded-audio.ts";
import { FloatPool } from "../../onnx/float-pool.ts";
import { openGraph, type PreparedGraphs, prepareGraph } from "../../onnx/prepared-graphs.ts";
import * as ort from "../../onnx/runtime.ts";
import { emptyTensor, floatsOf, integerTensor } from "../../onnx/tensors.ts";
import type { DecodingStep, Pass } from "../../recognition/decoding/decoder.ts";
import type { SpeechModel, SpeechModelTraits, SpeechStart } from "../../recognition/decoding/speech-model.ts";
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";
import {
  END_TOKEN,
  framesOf,
  MOST_TOKENS,
  type MoonshineVariant,
  memoryNames,
  modelFolder,
  SAMPLES_PER_FRAME,
  SHORTEST_SAMPLES,
  START_TOKEN,
  VOCABULARY_SIZE,
} from "./config.ts";
import { buildDecoderGraph } from "./decoder-graph.ts";
import { buildEncoderGraph } from "./encoder-graph.ts";
import { PublishedWeights } from "./published-weights.ts";
import { TOKENIZER } from "./tokenizer.ts";

/** Cached encoder output for the beginning of some audio: its final frames, with keys and values per layer. */
export interface EncoderCache {
  frames: number;
  hidden: ort.Tensor;
  memory: ort.Tensor[];
}

/** An end token at the start would give an empty text. */
const forbidEmpty = (logits: Float32Array, tokens: readonly number[]) => {
  const isEmpty = tokens.length === 0;
  if (isEmpty) logits[END_TOKEN] = Number.NEGATIVE_INFINITY;
  return isEmpty;
};

type BatchSize = 1 | typeof MAXIMUM_BATCH;

export interface MoonshineOptions {
  batchSize?: BatchSize;
  graphs?: PreparedGraphs | undefined;
}

/** Names of both graphs, and what builds them. */
function graphSources(variant: MoonshineVariant, batchSize: BatchSize) {
  const folder = modelFolder(variant);
  // Synchronous: in a busy process, each piece of an asynchronous read waits for a pass of another model.
  const read = (file: string, branch?: { name: string; suffix: string }) =>
    PublishedWeights.read(readFileSync(path.join(folder, file)), branch);
  let weights: PublishedWeights | undefined;
  // Both graphs have weights of the decoder.
  const readDecoder = () => {
    weights ??= read("decoder_model_merged.onnx", { name: "else_branch", suffix: "_merged_0" });
    return weights;
  };
  return {
    encoder: {
      name: `${variant.id}-encoder`,
      build: async () => buildEncoderGraph(read("encoder_model.onnx"), readDecoder(), variant),
    },
    decoder: {
      name: `${variant.id}-decoder-${batchSize}`,
      build: async () => buildDecoderGraph(readDecoder(), variant, batchSize),
    },
  };
}

/** Shared by both models of a process, which process the same audio. */
const floatPool = new FloatPool();

export class MoonshineModel implements SpeechModel<EncodedAudio, SequenceCache, EncoderCache> {
  readonly vocabularySize = VOCABULARY_SIZE;
  readonly endToken = END_TOKEN;
  readonly batchSize: number;
  readonly traits: SpeechModelTraits;
  readonly tokenizer: Tokenizer = TOKENIZER;

  private constructor(
    readonly variant: MoonshineVariant,
    private readonly encoder: ort.InferenceSession,
    private readonly decoder: BatchedDecoder,
  ) {
    this.batchSize = decoder.slots;
    this.traits = {
      sampleRate: SAMPLE_RATE,
      samplesPerFrame: SAMPLES_PER_FRAME,
      shortestSamples: SHORTEST_SAMPLES,
      secondsAtOnce: 55,
      leadingSilenceSeconds: 0.2,
      trailingSilenceSeconds: [0.3],
      unsettledSeconds: 1.1,
      startShiftSeconds: variant.startShiftSeconds,
      endShiftSeconds: 0,
      startShare: 0.2,
      tokensPerSecond: 7,
      spareTokens: 6,
      maximumTokens: MOST_TOKENS,
      hallucinationConfidence: 0.35,
      evidence: variant.evidence,
    };
  }

  /** Saves its graphs for other processes. @throws Error if one cannot be built or saved */
  static async prepare(variant: MoonshineVariant, batchSize: BatchSize, graphs: PreparedGraphs): Promise<void> {
    const { encoder, decoder } = graphSources(variant, batchSize);
    await prepareGraph(graphs, encoder.name, encoder.build);
    await prepareGraph(graphs, decoder.name, decoder.build);
  }

  /**
   * @param batchSize  1 or MAXIMUM_BATCH
   * @param graphs     where its graphs are shared with other processes, if they are
   * @throws Error if the package of the weights is not installed
   */
  static async load(
    variant: MoonshineVariant,
    { batchSize = MAXIMUM_BATCH, graphs }: MoonshineOptions = {},
  ): Promise<MoonshineModel> {
    const sources = graphSources(variant, batchSize);
    const encoder = await openGraph(graphs, sources.encoder.name, sources.encoder.build);
    const decoder = await openGraph(graphs, sources.decoder.name, sources.decoder.build);
    return new MoonshineModel(
      variant,
      encoder,
      new BatchedDecoder(variant, VOCABULARY_SIZE, decoder, batchSize, floatPool),
    );
  }

  /**
   * @param samples  16 kHz mono in -1 to 1, at least one encoder window (about 900 samples)
   * @param cached   output for the beginning of the same audio; only the rest is computed
   * @param settle   number of frames to cache, at least as many as are cached already
   */
  async encode(
    samples: Float32Array,
    cached = this.emptyCache(),
    settle = 0,
  ): Promise<{ encoded: EncodedAudio; memory: EncoderCache }> {
    const frames = framesOf(samples.length);
    const settled = Math.min(frames, Math.max(settle, cached.frames));
    const recent = Array.from({ length: frames - cached.frames }, (_, at) => cached.frames + at);
    const feeds: Record<string, ort.Tensor> = {
      samples: new ort.Tensor("float32", samples, [1, 1, samples.length]),
      past_frames: integerTensor([cached.frames], [1]),
      settled_frames: integerTensor([settled], [1]),
      positions: integerTensor(recent, [1, recent.length]),
      past_hidden: cached.hidden,
    };
    for (const [at, name] of memoryNames(this.variant, "past").entries()) feeds[name] = cached.memory[at] as ort.Tensor;
    const { hiddenSize } = this.variant;
    const names = crossNames(this.variant);
    const encoded = this.decoder.allocateAudio(frames);
    const outputs = this.encoder.outputNames.map((name) => [name, encoded.cross[names.indexOf(name)] ?? null]);
    const output = await this.encoder.run(feeds, Object.fromEntries(outputs)).catch((error: unknown) => {
      this.decoder.releaseAudio(encoded);
      throw error;
    });
    // Copied, so that only the cached frames stay in memory.
    const hidden = floatsOf(output["hidden"]).slice(0, settled * hiddenSize);
    return {
      encoded,
      memory: {
        frames: settled,
        hidden: new ort.Tensor("float32", hidden, [settled, hiddenSize]),
        memory: memoryNames(this.variant, "settled").map((name) => output[name] as ort.Tensor),
      },
    };
  }

  releaseAudio(encoded: EncodedAudio): void {
    this.decoder.releaseAudio(encoded);
  }

  async start(): Promise<SpeechStart<SequenceCache>> {
    return { fedTokens: 0, tokens: [START_TOKEN], language: "en", rules: [forbidEmpty] };
  }

  decode(
    encoded: EncodedAudio,
    cache: SequenceCache | undefined,
    tokens: readonly number[],
    skipLogits?: number,
  ): Promise<Pass<SequenceCache>> {
    return this.decoder.decode(encoded, cache, tokens, skipLogits);
  }

  decodeBatch(texts: readonly DecodingStep<EncodedAudio, SequenceCache>[]): Promise<Pass<SequenceCache>[]> {
    return this.decoder.decodeBatch(texts);
  }

  truncate(cache: SequenceCache, tokens: number): SequenceCache {
    return this.decoder.truncate(cache, tokens);
  }

  fork(cache: SequenceCache, tokens: number): SequenceCache {
    return this.decoder.fork(cache, tokens);
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.decoder.release()]);
  }

  private emptyCache(): EncoderCache {
    const { hiddenSize } = this.variant;
    const memory = memoryNames(this.variant, "past").map(() => emptyTensor([1, 0, hiddenSize]));
    return { frames: 0, hidden: emptyTensor([0, hiddenSize]), memory };
  }
}
