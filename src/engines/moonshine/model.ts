// The numeric leaf: encoder and decoder passes of one Moonshine model on one thread. No policy lives here.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { emptyTensor, firstRows, floatsOf, integerTensor } from "../../onnx/tensors.ts";
import type { EncodedSpeech, Pass } from "../../recognition/decoding/decoder.ts";
import type { SpeechModel, SpeechModelTraits, SpeechStart } from "../../recognition/decoding/speech-model.ts";
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";
import {
  END_TOKEN,
  framesOf,
  type MoonshineVariant,
  modelFolder,
  SAMPLE_RATE,
  SAMPLES_PER_FRAME,
  SHORTEST_SAMPLES,
  START_TOKEN,
  VOCABULARY_SIZE,
} from "./config.ts";
import { ATTENTION, buildDecoderGraphs } from "./decoder-graph.ts";
import { buildEncoderGraph, memoryNames } from "./encoder-graph.ts";
import { loadTokenizer } from "./tokenizer.ts";

/** Hidden states of the encoder: row-major [frames, hiddenSize]. */
export interface Encoded extends EncodedSpeech {
  hidden: ort.Tensor;
}

/** What the encoder remembers of the beginning of some audio: its first frames, with keys and values per layer. */
export interface Heard {
  frames: number;
  hidden: ort.Tensor;
  memory: ort.Tensor[];
}

/** What the decoder remembers of a text: keys and values per layer; owned by one decoding. */
export interface Cache {
  decoder: ort.Tensor[];
  encoder: ort.Tensor[];
  tokens: number;
}

/** A segment that begins with end-of-text would have no words. */
const forbidEmpty = (logits: Float32Array, tokens: readonly number[]) => {
  if (tokens.length === 0) logits[END_TOKEN] = Number.NEGATIVE_INFINITY;
};

export class MoonshineModel implements SpeechModel<Encoded, Cache, Heard> {
  readonly vocabularySize = VOCABULARY_SIZE;
  readonly endToken = END_TOKEN;
  readonly traits: SpeechModelTraits;
  readonly tokenizer: Tokenizer = loadTokenizer();

  private constructor(
    readonly variant: MoonshineVariant,
    private readonly encoder: ort.InferenceSession,
    private readonly first: ort.InferenceSession,
    private readonly step: ort.InferenceSession,
  ) {
    this.traits = {
      sampleRate: SAMPLE_RATE,
      samplesPerFrame: SAMPLES_PER_FRAME,
      shortestSamples: SHORTEST_SAMPLES,
      silenceBefore: 0.3,
      silenceBehind: [0.3],
      unsettledSeconds: 1.1,
      startShiftSeconds: variant.startShiftSeconds,
      startShare: 0,
      tokensPerSecond: 7,
      spareTokens: 6,
      mostTokens: Number.POSITIVE_INFINITY,
      inventedConfidence: 0.35,
    };
  }

  /** @throws Error when the weights' package is not installed */
  static async load(variant: MoonshineVariant): Promise<MoonshineModel> {
    const folder = modelFolder(variant);
    const encoder = buildEncoderGraph(await readFile(path.join(folder, "encoder_model.onnx")), variant);
    const graphs = buildDecoderGraphs(await readFile(path.join(folder, "decoder_model_merged.onnx")), variant);
    return new MoonshineModel(
      variant,
      await ort.InferenceSession.create(encoder, ONE_THREAD),
      await ort.InferenceSession.create(graphs.first, ONE_THREAD),
      await ort.InferenceSession.create(graphs.step, ONE_THREAD),
    );
  }

  /**
   * @param samples  16 kHz mono in -1 to 1, at least one encoder window (about 900 samples)
   * @param heard    what was settled of the beginning of the same audio; only what comes after it is worked out
   * @param settle   how many of the frames will not be worked out again, at least as many as were heard
   */
  async encode(
    samples: Float32Array,
    heard = this.nothingHeard(),
    settle = 0,
  ): Promise<{ encoded: Encoded; memory: Heard }> {
    const frames = framesOf(samples.length);
    const settled = Math.min(frames, Math.max(settle, heard.frames));
    const feeds: Record<string, ort.Tensor> = {
      input_values: new ort.Tensor("float32", samples, [1, samples.length]),
      past_frames: integerTensor([heard.frames], [1]),
      settled_frames: integerTensor([settled], [1]),
      past_hidden: heard.hidden,
    };
    for (const [index, name] of memoryNames(this.variant, "past").entries()) {
      feeds[name] = heard.memory[index] as ort.Tensor;
    }
    const output = await this.encoder.run(feeds);
    const hidden = output["hidden"] as ort.Tensor;
    const { hiddenSize } = this.variant;
    const settledHidden = floatsOf(hidden).subarray(0, settled * hiddenSize);
    return {
      encoded: { hidden, frames },
      memory: {
        frames: settled,
        hidden: new ort.Tensor("float32", settledHidden, [1, settled, hiddenSize]),
        memory: memoryNames(this.variant, "settled").map((name) => output[name] as ort.Tensor),
      },
    };
  }

  async start(): Promise<SpeechStart<Cache>> {
    return { fedTokens: 0, tokens: [START_TOKEN], language: "en", rules: [forbidEmpty] };
  }

  /** Several tokens in the first pass over a text, one in each further. */
  async decode(encoded: Encoded, cache: Cache | undefined, tokens: readonly number[]): Promise<Pass<Cache>> {
    return cache ? this.decodeStep(cache, tokens) : this.decodeFirst(encoded, tokens);
  }

  private async decodeFirst(encoded: Encoded, tokens: readonly number[]): Promise<Pass<Cache>> {
    const output = await this.first.run({
      input_ids: tokenTensor(tokens),
      encoder_hidden_states: encoded.hidden,
    });
    return this.pass(output, this.cacheOf(output, "encoder"), tokens.length);
  }

  private async decodeStep(cache: Cache, tokens: readonly number[]): Promise<Pass<Cache>> {
    const feeds: Record<string, ort.Tensor> = { input_ids: tokenTensor(tokens) };
    for (let layer = 0; layer < this.variant.layers; layer++) {
      for (const [index, part] of ["key", "value"].entries()) {
        feeds[`past_key_values.${layer}.decoder.${part}`] = cache.decoder[layer * 2 + index] as ort.Tensor;
        feeds[`past_key_values.${layer}.encoder.${part}`] = cache.encoder[layer * 2 + index] as ort.Tensor;
      }
    }
    return this.pass(await this.step.run(feeds), cache.encoder, cache.tokens + tokens.length);
  }

  /** The cache as it was after its first `tokens` tokens. */
  truncate(cache: Cache, tokens: number): Cache {
    if (tokens === cache.tokens) return cache;
    return { decoder: cache.decoder.map((tensor) => firstRows(tensor, tokens)), encoder: cache.encoder, tokens };
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.first.release(), this.step.release()]);
  }

  private nothingHeard(): Heard {
    const { heads, headSize, hiddenSize } = this.variant;
    const memory = memoryNames(this.variant, "past").map(() => emptyTensor([1, heads, 0, headSize]));
    return { frames: 0, hidden: emptyTensor([1, 0, hiddenSize]), memory };
  }

  private cacheOf(output: ort.InferenceSession.OnnxValueMapType, kind: "decoder" | "encoder"): ort.Tensor[] {
    const tensors: ort.Tensor[] = [];
    for (let layer = 0; layer < this.variant.layers; layer++) {
      for (const part of ["key", "value"]) tensors.push(output[`present.${layer}.${kind}.${part}`] as ort.Tensor);
    }
    return tensors;
  }

  private pass(output: ort.InferenceSession.OnnxValueMapType, encoder: ort.Tensor[], tokens: number): Pass<Cache> {
    return {
      logits: floatsOf(output["logits"]),
      attention: floatsOf(output[ATTENTION]),
      cache: { decoder: this.cacheOf(output, "decoder"), encoder, tokens },
    };
  }
}

const tokenTensor = (tokens: readonly number[]) => integerTensor(tokens, [1, tokens.length]);
