// The numeric leaf: encoder and decoder passes of one Moonshine model on one thread. No policy lives here.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { type MoonshineVariant, modelFolder, VOCABULARY_SIZE } from "./config.ts";
import { buildDecoderGraphs, crossAttentionName } from "./decoder-graph.ts";

/** Hidden states of the encoder: row-major [frames, hiddenSize]. */
export interface Encoded {
  hidden: ort.Tensor;
  frames: number;
}

/** What the decoder remembers of a text: keys and values per layer; owned by one decoding. */
export interface Cache {
  decoder: ort.Tensor[];
  encoder: ort.Tensor[];
  tokens: number;
}

export interface Pass {
  /** Row-major [tokens, VOCABULARY_SIZE]. */
  logits: Float32Array;
  /** Per alignment layer, row-major [heads, tokens, frames]; each row sums to 1. */
  attention: Float32Array[];
  cache: Cache;
}

export class MoonshineModel {
  private constructor(
    readonly variant: MoonshineVariant,
    private readonly encoder: ort.InferenceSession,
    private readonly first: ort.InferenceSession,
    private readonly step: ort.InferenceSession,
  ) {}

  /** @throws Error when the weights' package is not installed */
  static async load(variant: MoonshineVariant): Promise<MoonshineModel> {
    const folder = modelFolder(variant);
    const graphs = buildDecoderGraphs(await readFile(path.join(folder, "decoder_model_merged.onnx")), variant);
    return new MoonshineModel(
      variant,
      await ort.InferenceSession.create(path.join(folder, "encoder_model.onnx"), ONE_THREAD),
      await ort.InferenceSession.create(graphs.first, ONE_THREAD),
      await ort.InferenceSession.create(graphs.step, ONE_THREAD),
    );
  }

  /** @param samples 16 kHz mono in -1 to 1, at least one encoder window (about 900 samples) */
  async encode(samples: Float32Array): Promise<Encoded> {
    const input = new ort.Tensor("float32", samples, [1, samples.length]);
    const output = await this.encoder.run({ input_values: input }, ["last_hidden_state"]);
    const hidden = output["last_hidden_state"] as ort.Tensor;
    return { hidden, frames: hidden.dims[1] as number };
  }

  /** First pass over `tokens` (start token first): one row of logits and attention for each of them. */
  async decodeFirst(encoded: Encoded, tokens: number[]): Promise<Pass> {
    const output = await this.first.run({
      input_ids: tokenTensor(tokens),
      encoder_hidden_states: encoded.hidden,
    });
    return this.pass(output, this.cacheOf(output, "encoder"), tokens.length);
  }

  /** One more token after `cache`. */
  async decodeStep(cache: Cache, token: number): Promise<Pass> {
    const feeds: Record<string, ort.Tensor> = { input_ids: tokenTensor([token]) };
    for (let layer = 0; layer < this.variant.layers; layer++) {
      for (const [index, part] of ["key", "value"].entries()) {
        feeds[`past_key_values.${layer}.decoder.${part}`] = cache.decoder[layer * 2 + index] as ort.Tensor;
        feeds[`past_key_values.${layer}.encoder.${part}`] = cache.encoder[layer * 2 + index] as ort.Tensor;
      }
    }
    return this.pass(await this.step.run(feeds), cache.encoder, cache.tokens + 1);
  }

  /** The cache as it was after its first `tokens` tokens. */
  truncate(cache: Cache, tokens: number): Cache {
    if (tokens === cache.tokens) return cache;
    const { heads, headSize } = this.variant;
    const decoder = cache.decoder.map((tensor) => {
      const from = tensor.data as Float32Array;
      const to = new Float32Array(heads * tokens * headSize);
      for (let head = 0; head < heads; head++) {
        const start = head * cache.tokens * headSize;
        to.set(from.subarray(start, start + tokens * headSize), head * tokens * headSize);
      }
      return new ort.Tensor("float32", to, [1, heads, tokens, headSize]);
    });
    return { decoder, encoder: cache.encoder, tokens };
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.first.release(), this.step.release()]);
  }

  private cacheOf(output: ort.InferenceSession.OnnxValueMapType, kind: "decoder" | "encoder"): ort.Tensor[] {
    const tensors: ort.Tensor[] = [];
    for (let layer = 0; layer < this.variant.layers; layer++) {
      for (const part of ["key", "value"]) tensors.push(output[`present.${layer}.${kind}.${part}`] as ort.Tensor);
    }
    return tensors;
  }

  private pass(output: ort.InferenceSession.OnnxValueMapType, encoder: ort.Tensor[], tokens: number): Pass {
    return {
      logits: (output["logits"] as ort.Tensor).data as Float32Array,
      attention: this.variant.alignmentLayers.map(
        (layer) => (output[crossAttentionName(layer)] as ort.Tensor).data as Float32Array,
      ),
      cache: { decoder: this.cacheOf(output, "decoder"), encoder, tokens },
    };
  }
}

function tokenTensor(tokens: number[]): ort.Tensor {
  return new ort.Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
}

/** Row `index` of a pass's logits. */
export function logitsRow(pass: Pass, index: number): Float32Array {
  return pass.logits.subarray(index * VOCABULARY_SIZE, (index + 1) * VOCABULARY_SIZE);
}
