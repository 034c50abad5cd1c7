// What a prepared model needs to know beside its graphs; one small file written at its preparation.
import { MOST_TEXTS } from "../../onnx/text-names.ts";
import { namedAlignmentHeads, type WhisperConfig } from "./config.ts";
import type { WhisperTokenizer } from "./tokenizer.ts";

export interface WhisperDescription {
  config: WhisperConfig;
  /** ISO 639 code → token; empty where the model knows a single language and is not told. */
  languageTokens: Record<string, number>;
  transcribeToken?: number;
  translateToken?: number;
  noTimestampsToken: number;
  noSpeechToken?: number;
  /** Never said, and never said first. */
  suppressedTokens: number[];
  suppressedFirstTokens: number[];
  /** Decoder heads whose attention follows the speech. */
  alignmentHeads: [layer: number, head: number][];
  /** Whether the checkpoint names them; otherwise those that follow it best are found while it is used. */
  areHeadsKnown: boolean;
  /** Texts that one pass of the decoder goes on with. */
  mostTexts: number;
}

/** What is found out when the graphs are written. */
export interface PreparedDescription extends WhisperDescription {
  /** Activations of 8 bits were not exact enough for the encoder's weights. */
  hearsInFloats: boolean;
}

type Json = Record<string, unknown>;

/** What the decoder attends to in all of their audio takes at most about so much memory: 30 s of base are 37 MB, of large 492. */
const MOST_AUDIO_BYTES = 1e9;

export function mostTextsOf({
  decoderLayers,
  hiddenSize,
  mostFrames,
}: Pick<WhisperConfig, "decoderLayers" | "hiddenSize" | "mostFrames">): number {
  const each = 2 * decoderLayers * mostFrames * hiddenSize * Float32Array.BYTES_PER_ELEMENT;
  return Math.max(1, Math.min(MOST_TEXTS, Math.floor(MOST_AUDIO_BYTES / each)));
}

const ENGLISH_VOCABULARY = 51_864;

const LANGUAGE = /^<\|([a-z]{2,3})\|>$/;

/** Heads of the upper half of the layers: among them are those that follow the speech. */
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
 * @param generation  generation_config.json; empty where there is none
 * @throws Error when the tokenizer lacks what a transcript begins with
 */
export function describe(config: WhisperConfig, generation: Json, tokenizer: WhisperTokenizer): WhisperDescription {
  const special = (name: string) => tokenizer.specialToken(`<|${name}|>`);
  const [transcribe, translate] = [special("transcribe"), special("translate")];
  const noSpeech = special("nospeech") ?? special("nocaptions");
  const noTimestamps = special("notimestamps");
  if (noTimestamps === undefined) throw new Error("tokenizer.json has no token <|notimestamps|>");
  // Older checkpoints do not say; those for English alone have a token less than the others.
  const isMultilingual = generation["is_multilingual"] ?? config.vocabularySize > ENGLISH_VOCABULARY;
  const languageTokens: Record<string, number> = {};
  for (const [name, id] of isMultilingual ? tokenizer.specialTokens : []) {
    const code = LANGUAGE.exec(name)?.[1];
    if (code !== undefined && id < config.vocabularySize) languageTokens[code] = id;
  }
  // What is in angle brackets is no text: markers, languages, times.
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
    mostTexts: mostTextsOf(config),
  };
}
