// Dimensions of the published Moonshine models: properties of the weights, not settings.
import path from "node:path";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import type { DecoderShape } from "../../onnx/decoder-tensor-names.ts";
import { keyValueNames } from "../../onnx/key-value-names.ts";
import type { EvidenceWeights } from "../../recognition/decoding/speech-evidence.ts";

/** The encoder has as many layers and heads as the decoder. */
export interface MoonshineVariant extends DecoderShape {
  id: string;
  folder: string;
  hiddenSize: number;
  /** Alignment heads as [layer, head]: their cross-attention follows the speech most closely. */
  alignmentHeads: [layer: number, head: number][];
  /** Mean delay of a word's start after its first attended frame. */
  startShiftSeconds: number;
  /** Decides whether a short answer was spoken; fitted on half of the words and sounds of `npm run bench -- short-answers`. */
  evidence: EvidenceWeights;
}

/** The encoder's first convolutions need about 900 samples. */
export const SHORTEST_SAMPLES = 1_600;
export const START_TOKEN = 1;
export const END_TOKEN = 2;
export const VOCABULARY_SIZE = 32_768;
/** Strided convolutions that produce the encoder's frames. */
export const CONVOLUTIONS = [
  { size: 127, stride: 64 },
  { size: 7, stride: 3 },
  { size: 3, stride: 2 },
] as const;
export const SAMPLES_PER_FRAME = CONVOLUTIONS.reduce((product, { stride }) => product * stride, 1);

/** Number of encoder frames for so many samples. */
export function framesOf(samples: number): number {
  return CONVOLUTIONS.reduce((length, { size, stride }) => Math.floor((length - size) / stride) + 1, samples);
}

export const BASE: MoonshineVariant = {
  id: "moonshine-base-en",
  folder: "base",
  layers: 8,
  heads: 8,
  headSize: 52,
  audioPrecision: "float16",
  hiddenSize: 416,
  alignmentHeads: [
    [4, 2],
    [5, 3],
    [5, 5],
    [5, 6],
    [6, 0],
    [6, 1],
    [6, 4],
    [6, 7],
  ],
  startShiftSeconds: 0,
  evidence: { empty: -1.22, activity: 1.82, confidence: -0.68, bias: -1 },
};

export const TINY: MoonshineVariant = {
  id: "moonshine-tiny-en",
  folder: "tiny",
  layers: 6,
  heads: 8,
  headSize: 36,
  audioPrecision: "float16",
  hiddenSize: 288,
  alignmentHeads: [
    [3, 0],
    [3, 2],
    [3, 5],
    [3, 6],
    [4, 3],
    [4, 6],
    [4, 7],
    [5, 6],
  ],
  startShiftSeconds: 0.03,
  evidence: { empty: -0.19, activity: 2.28, confidence: 0.46, bias: -6.29 },
};

/** Number of token positions. */
export const MOST_TOKENS = 1_024;

/** The encoder's KV cache tensors [1, heads, frames, headSize], as inputs ("past") or outputs ("settled"). */
export const memoryNames = ({ layers }: MoonshineVariant, kind: "past" | "settled") => keyValueNames(kind, layers);

export const WEIGHTS_PACKAGE = "@usefulsensors/moonshine-js";

/** Folder of the weights. @throws Error if their package is not installed */
export function modelFolder(variant: MoonshineVariant): string {
  return path.join(packageFolder(WEIGHTS_PACKAGE), "dist", "model", variant.folder, "quantized");
}
