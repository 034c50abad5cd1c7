// The sizes of the published Moonshine models. Everything here is a property of the weights, not a setting.
import path from "node:path";
import { keyValueNames } from "../../onnx/key-value-names.ts";
import { packageFolder } from "../../process/package-folder.ts";

export interface MoonshineVariant {
  id: string;
  folder: string;
  layers: number;
  heads: number;
  headSize: number;
  hiddenSize: number;
  /** [layer, head] pairs that follow the speech most closely. */
  alignmentHeads: [layer: number, head: number][];
  /** How much later than its first attended frame a word begins, on average. */
  startShiftSeconds: number;
}

export const SAMPLE_RATE = 16_000;
/** The encoder's first convolutions need about 900 samples; shorter audio is not for it. */
export const SHORTEST_SAMPLES = 1_600;
export const START_TOKEN = 1;
export const END_TOKEN = 2;
export const VOCABULARY_SIZE = 32_768;
/** The convolutions that turn samples into the encoder's frames. */
export const CONVOLUTIONS = [
  { size: 127, stride: 64 },
  { size: 7, stride: 3 },
  { size: 3, stride: 2 },
] as const;
export const SAMPLES_PER_FRAME = CONVOLUTIONS.reduce((product, { stride }) => product * stride, 1);

/** How many frames the encoder makes of so many samples. */
export function framesOf(samples: number): number {
  return CONVOLUTIONS.reduce((length, { size, stride }) => Math.floor((length - size) / stride) + 1, samples);
}

export const BASE: MoonshineVariant = {
  id: "moonshine-base-en",
  folder: "base",
  layers: 8,
  heads: 8,
  headSize: 52,
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
};

export const TINY: MoonshineVariant = {
  id: "moonshine-tiny-en",
  folder: "tiny",
  layers: 6,
  heads: 8,
  headSize: 36,
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
};

/** Tokens of a text that have a place. */
export const MOST_TOKENS = 1_024;

/** The encoder's tensors [1, heads, frames, headSize], as inputs ("past") or outputs ("settled"). */
export const memoryNames = ({ layers }: MoonshineVariant, kind: "past" | "settled") => keyValueNames(kind, layers);

/** Where the weights lie. @throws Error when their package is not installed */
export function modelFolder(variant: MoonshineVariant): string {
  return path.join(packageFolder("@usefulsensors/moonshine-js"), "dist", "model", variant.folder, "quantized");
}
