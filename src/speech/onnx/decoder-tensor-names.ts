// Tensor names of a batched decoder.
import { ELEMENT } from "./graph.ts";
import { keyValueNames } from "./key-value-names.ts";

/** Maximum batch size: larger batches hardly reduce the time per sequence. */
export const MAXIMUM_BATCH = 8;

/** Dimensions of a decoder. */
export interface DecoderShape {
  layers: number;
  heads: number;
  headSize: number;
  /**
   * Element type of the audio's keys and values, the largest tensors of a recogniser. float16 needs half of the memory. The decoder converts the
   * keys and values of one layer and one sequence to float32 before each use. Whisper's encoder supports float32 only.
   */
  audioPrecision: "float16" | "float32";
}

/** Element type of the audio's keys and values in a graph. */
export const audioElement = ({ audioPrecision }: DecoderShape): number =>
  audioPrecision === "float16" ? ELEMENT.float16 : ELEMENT.float;

/** Keys and values [sequences, heads, tokens, headSize] before a pass ("past"), and of the tokens in it ("new"). */
export const pastNames = ({ layers }: DecoderShape): readonly string[] => keyValueNames("past", layers);
export const newNames = ({ layers }: DecoderShape): readonly string[] => keyValueNames("new", layers);

/** Keys and values [1, heads, frames, headSize] of the audio, for cross-attention. */
export const crossNames = ({ layers }: Pick<DecoderShape, "layers">): readonly string[] =>
  keyValueNames("cross", layers);

/** A cross-attention tensor of one slot of the batch. */
export const slotName = (slot: number, cross: string): string => `${slot}.${cross}`;

/** Cross-attention output of one slot. */
export const attentionName = (slot: number): string => `attention.${slot}`;
