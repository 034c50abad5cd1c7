// Names of the tensors of a decoder that goes on with several texts at once.
import { keyValueNames } from "./key-value-names.ts";

/** Texts that one pass goes on with: with more, each costs hardly less. */
export const MOST_TEXTS = 8;

/** What decoders are alike in. */
export interface TextShape {
  layers: number;
  heads: number;
  headSize: number;
}

/** Keys and values [texts, heads, tokens, headSize] of what was said before a pass, and of what is said in it. */
export const pastNames = ({ layers }: TextShape): readonly string[] => keyValueNames("past", layers);
export const newNames = ({ layers }: TextShape): readonly string[] => keyValueNames("new", layers);

/** Keys and values [1, heads, frames, headSize] of the audio. */
export const crossNames = ({ layers }: Pick<TextShape, "layers">): readonly string[] => keyValueNames("cross", layers);

/** One of the tensors that the audio of a pass's text became. */
export const slotName = (slot: number, cross: string): string => `${slot}.${cross}`;

/** What a text's tokens attended to in its audio. */
export const attentionName = (slot: number): string => `attention.${slot}`;
