// Configuration of a Whisper checkpoint, from the files of Hugging Face's transformers.

import { HOP_SAMPLES } from "../../audio/mel.ts";
import type { DecoderShape } from "../../onnx/decoder-tensor-names.ts";
import { keyValueNames } from "../../onnx/key-value-names.ts";

export interface WhisperConfig {
  hiddenSize: number;
  encoderLayers: number;
  encoderHeads: number;
  encoderFeedForward: number;
  decoderLayers: number;
  decoderHeads: number;
  decoderFeedForward: number;
  melBins: number;
  vocabularySize: number;
  /** Number of encoder positions: 30 s. */
  mostFrames: number;
  /** Number of decoder positions. */
  mostTokens: number;
  startToken: number;
  endToken: number;
}

/** The second convolution has a stride of 2. */
export const SAMPLES_PER_FRAME = 2 * HOP_SAMPLES;

type Json = Record<string, unknown>;

function positive(json: Json, name: string): number {
  const value = json[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value <= 0) {
    throw new Error(`config.json has no ${name}`);
  }
  return value;
}

/** Whether a config.json is of this architecture. */
export const isWhisper = (config: Json): boolean => config["model_type"] === "whisper";

/** @throws Error that names what is missing or not supported */
export function readConfig(json: Json): WhisperConfig {
  const activation = json["activation_function"];
  if (activation !== undefined && activation !== "gelu")
    throw new Error(`the activation ${activation} is not supported`);
  const config: WhisperConfig = {
    hiddenSize: positive(json, "d_model"),
    encoderLayers: positive(json, "encoder_layers"),
    encoderHeads: positive(json, "encoder_attention_heads"),
    encoderFeedForward: positive(json, "encoder_ffn_dim"),
    decoderLayers: positive(json, "decoder_layers"),
    decoderHeads: positive(json, "decoder_attention_heads"),
    decoderFeedForward: positive(json, "decoder_ffn_dim"),
    melBins: positive(json, "num_mel_bins"),
    vocabularySize: positive(json, "vocab_size"),
    mostFrames: positive(json, "max_source_positions"),
    mostTokens: positive(json, "max_target_positions"),
    startToken: positive(json, "decoder_start_token_id"),
    endToken: positive(json, "eos_token_id"),
  };
  for (const heads of [config.encoderHeads, config.decoderHeads]) {
    if (config.hiddenSize % heads !== 0) throw new Error("d_model is not a multiple of the attention heads");
  }
  return config;
}

/** The encoder's cache tensors [1, frames, hiddenSize] of all layers, as inputs ("past") or outputs ("settled"). */
export const memoryNames = ({ encoderLayers }: WhisperConfig, kind: "past" | "settled") =>
  keyValueNames(kind, encoderLayers);

/** What the decoder's texts are. */
export const decoderShape = ({ decoderLayers, decoderHeads, hiddenSize }: WhisperConfig): DecoderShape => ({
  layers: decoderLayers,
  heads: decoderHeads,
  headSize: hiddenSize / decoderHeads,
  // Whisper's search of alternatives would convert the same audio for each alternative: 10 % slower with float16.
  audioPrecision: "float32",
});

/** Alignment heads of a generation_config.json as [layer, head]; undefined if there are none, or they do not fit. */
export function namedAlignmentHeads(generation: Json, { decoderLayers, decoderHeads }: WhisperConfig) {
  const heads = generation["alignment_heads"];
  if (!Array.isArray(heads) || heads.length === 0) return undefined;
  const fits = (pair: unknown): pair is [number, number] =>
    Array.isArray(pair) && pair.length === 2 && pair[0] < decoderLayers && pair[1] < decoderHeads;
  return heads.every(fits) ? (heads as [number, number][]) : undefined;
}
