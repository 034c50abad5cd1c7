// Properties of a prepared model that are not in its graphs; written to a small file during preparation.
import { MAXIMUM_BATCH } from "../../onnx/decoder-tensor-names.ts";
import { namedAlignmentHeads, type WhisperConfig } from "./config.ts";
import type { WhisperTokenizer } from "./tokenizer.ts";

export interface WhisperDescription {
  config: WhisperConfig;
  /** ISO 639 code → token; empty if the model supports one language and has no language tokens. */
  languageTokens: Record<string, number>;
  transcribeToken?: number;
  translateToken?: number;
  noTimestampsToken: number;
  noSpeechToken?: number;
  /** Tokens that are never generated, and those never generated first. */
  suppressedTokens: number[];
  suppressedFirstTokens: number[];
  /** Alignment heads, or candidates for them. */
  alignmentHeads: [layer: number, head: number][];
  /** Whether the checkpoint names the alignment heads; otherwise the best ones are found during use. */
  areHeadsKnown: boolean;
  /** Maximum batch size of the decoder. */
  mostTexts: number;
}

/** Properties determined when the graphs are written. */
export interface PreparedDescription extends WhisperDescription {
  /** Whether the encoder uses float products, because 8-bit activations are not accurate enough for its weights. */
  hearsInFloats: boolean;
}

type Json = Record<string, unknown>;

/**
 * Approximate memory bound for the cross-attention tensors of a batch: 30 s take 37 MB with base, 492 MB with large.
 */
const MOST_AUDIO_BYTES = 1e9;

export function batchSizeFor({
  decoderLayers,
  hiddenSize,
  mostFrames,
}: Pick<WhisperConfig, "decoderLayers" | "hiddenSize" | "mostFrames">): number {
  const each = 2 * decoderLayers * mostFrames * hiddenSize * Float32Array.BYTES_PER_ELEMENT;
  return Math.max(1, Math.min(MAXIMUM_BATCH, Math.floor(MOST_AUDIO_BYTES / each)));
}

const ENGLISH_VOCABULARY = 51_864;

const LANGUAGE = /^<\|([a-z]{2,3})\|>$/;

/** Heads of the upper half of the layers, which include the alignment heads. */
function candidateHeads({ decoderLayers, decoderHeads }: WhisperConfig): [number, number][] {
  const heads: [number, number][] = [];
  for (let layer = Math.floor(decoderLayers / 2); layer < decoderLayers; layer++) {
    for (let head = 0; head < decoderHeads; head++) heads.push([layer, head]);
  }
  return heads;
}

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id) && id >= 0) : [];

/**
 * @param generation  generation_config.json; empty if it does not exist
 * @throws Error if the tokenizer lacks the start tokens
 */
export function describe(config: WhisperConfig, generation: Json, tokenizer: WhisperTokenizer): WhisperDescription {
  const special = (name: string) => tokenizer.specialToken(`<|${name}|>`);
  const [transcribe, translate] = [special("transcribe"), special("translate")];
  const noSpeech = special("nospeech") ?? special("nocaptions");
  const noTimestamps = special("notimestamps");
  if (noTimestamps === undefined) throw new Error("tokenizer.json has no token <|notimestamps|>");
  // Older checkpoints lack the field; English-only ones have one token less than the others.
  const isMultilingual = generation["is_multilingual"] ?? config.vocabularySize > ENGLISH_VOCABULARY;
  const languageTokens: Record<string, number> = {};
  for (const [name, id] of isMultilingual ? tokenizer.specialTokens : []) {
    const code = LANGUAGE.exec(name)?.[1];
    if (code !== undefined && id < config.vocabularySize) languageTokens[code] = id;
  }
  // Special tokens are not text: markers, languages, times.
  const markers = [...tokenizer.specialTokens.values()].filter((id) => id !== config.endToken);
  const heads = namedAlignmentHeads(generation, config);
  return {
    config,
    languageTokens,
    ...(isMultilingual && transcribe !== undefined ? { transcribeToken: transcribe } : {}),
    ...(isMultilingual && translate !== undefined ? { translateToken: translate } : {}),
    noTimestampsToken: noTimestamps,
    ...(noSpeech === undefined ? {} : { noSpeechToken: noSpeech }),
    suppressedTokens: [...new Set([...numbers(generation["suppress_tokens"]), ...markers])].filter(
      (id) => id < config.vocabularySize,
    ),
    suppressedFirstTokens: [...new Set([...numbers(generation["begin_suppress_tokens"]), config.endToken])],
    alignmentHeads: heads ?? candidateHeads(config),
    areHeadsKnown: heads !== undefined,
    mostTexts: batchSizeFor(config),
  };
}
