// The numeric leaf: encoder and decoder passes of one Moonshine model on one thread. No policy lives here.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { FloatStore } from "../../onnx/float-store.ts";
import { multipliesIntegersExactly } from "../../onnx/integer-products.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { emptyTensor, floatsOf, integerTensor } from "../../onnx/tensors.ts";
import { crossNames, MOST_TEXTS } from "../../onnx/text-names.ts";
import { type HeardAudio, type SpokenText, Texts } from "../../onnx/texts.ts";
import type { Pass, TextStep } from "../../recognition/decoding/decoder.ts";
import type { SpeechModel, SpeechModelTraits, SpeechStart } from "../../recognition/decoding/speech-model.ts";
import type { Tokenizer } from "../../recognition/decoding/tokenizer.ts";
import {
  END_TOKEN,
  framesOf,
  MOST_TOKENS,
  type MoonshineVariant,
  memoryNames,
  modelFolder,
  SAMPLE_RATE,
  SAMPLES_PER_FRAME,
  SHORTEST_SAMPLES,
  START_TOKEN,
  VOCABULARY_SIZE,
} from "./config.ts";
import { buildDecoderGraph } from "./decoder-graph.ts";
import { buildEncoderGraph } from "./encoder-graph.ts";
import { PublishedWeights } from "./published-weights.ts";
import { loadTokenizer } from "./tokenizer.ts";

/** What the encoder remembers of the beginning of some audio: its settled frames, with keys and values per layer. */
export interface Heard {
  frames: number;
  hidden: ort.Tensor;
  memory: ort.Tensor[];
}

/** A segment that begins with end-of-text would have no words. */
const forbidEmpty = (logits: Float32Array, tokens: readonly number[]) => {
  const isEmpty = tokens.length === 0;
  if (isEmpty) logits[END_TOKEN] = Number.NEGATIVE_INFINITY;
  return isEmpty;
};

/** Both models of a process hear the same audio. */
const store = new FloatStore();

export class MoonshineModel implements SpeechModel<HeardAudio, SpokenText, Heard> {
  readonly vocabularySize = VOCABULARY_SIZE;
  readonly endToken = END_TOKEN;
  readonly mostTexts: number;
  readonly traits: SpeechModelTraits;
  readonly tokenizer: Tokenizer = loadTokenizer();

  private constructor(
    readonly variant: MoonshineVariant,
    private readonly encoder: ort.InferenceSession,
    private readonly texts: Texts,
  ) {
    this.mostTexts = texts.slots;
    this.traits = {
      sampleRate: SAMPLE_RATE,
      samplesPerFrame: SAMPLES_PER_FRAME,
      shortestSamples: SHORTEST_SAMPLES,
      silenceBefore: 0.2,
      silenceBehind: [0.3],
      unsettledSeconds: 1.1,
      startShiftSeconds: variant.startShiftSeconds,
      startShare: 0.2,
      tokensPerSecond: 7,
      spareTokens: 6,
      mostTokens: MOST_TOKENS,
      inventedConfidence: 0.35,
    };
  }

  /**
   * @param mostTexts  that one pass goes on with: 1 or MOST_TEXTS
   * @throws Error when the weights' package is not installed
   */
  static async load(variant: MoonshineVariant, mostTexts: 1 | typeof MOST_TEXTS = MOST_TEXTS): Promise<MoonshineModel> {
    const folder = modelFolder(variant);
    const isExact = await multipliesIntegersExactly();
    const read = async (file: string, branch?: { name: string; suffix: string }) =>
      PublishedWeights.read(await readFile(path.join(folder, file)), isExact, branch);
    const heard = await read("encoder_model.onnx");
    const said = await read("decoder_model_merged.onnx", { name: "else_branch", suffix: "_merged_0" });
    const open = (graph: Uint8Array) => ort.InferenceSession.create(graph, ONE_THREAD);
    const encoder = await open(await buildEncoderGraph(heard, said, variant));
    const decoder = await open(await buildDecoderGraph(said, variant, mostTexts));
    return new MoonshineModel(variant, encoder, new Texts(variant, VOCABULARY_SIZE, decoder, mostTexts, store));
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
  ): Promise<{ encoded: HeardAudio; memory: Heard }> {
    const frames = framesOf(samples.length);
    const settled = Math.min(frames, Math.max(settle, heard.frames));
    const recent = Array.from({ length: frames - heard.frames }, (_, at) => heard.frames + at);
    const feeds: Record<string, ort.Tensor> = {
      samples: new ort.Tensor("float32", samples, [1, 1, samples.length]),
      past_frames: integerTensor([heard.frames], [1]),
      settled_frames: integerTensor([settled], [1]),
      positions: integerTensor(recent, [1, recent.length]),
      past_hidden: heard.hidden,
    };
    for (const [at, name] of memoryNames(this.variant, "past").entries()) feeds[name] = heard.memory[at] as ort.Tensor;
    const { hiddenSize } = this.variant;
    const names = crossNames(this.variant);
    const encoded = this.texts.roomFor(frames);
    const answers = this.encoder.outputNames.map((name) => [name, encoded.cross[names.indexOf(name)] ?? null]);
    const output = await this.encoder.run(feeds, Object.fromEntries(answers)).catch((error: unknown) => {
      this.texts.leave(encoded);
      throw error;
    });
    // A copy: what is not settled is not kept.
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

  drop(encoded: HeardAudio): void {
    this.texts.leave(encoded);
  }

  async start(): Promise<SpeechStart<SpokenText>> {
    return { fedTokens: 0, tokens: [START_TOKEN], language: "en", rules: [forbidEmpty] };
  }

  decode(
    encoded: HeardAudio,
    cache: SpokenText | undefined,
    tokens: readonly number[],
    unanswered?: number,
  ): Promise<Pass<SpokenText>> {
    return this.texts.decode(encoded, cache, tokens, unanswered);
  }

  steps(texts: readonly TextStep<HeardAudio, SpokenText>[]): Promise<Pass<SpokenText>[]> {
    return this.texts.steps(texts);
  }

  truncate(cache: SpokenText, tokens: number): SpokenText {
    return this.texts.truncate(cache, tokens);
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.texts.release()]);
  }

  private nothingHeard(): Heard {
    const { heads, headSize, hiddenSize } = this.variant;
    const memory = memoryNames(this.variant, "past").map(() => emptyTensor([1, heads, 0, headSize]));
    return { frames: 0, hidden: emptyTensor([0, hiddenSize]), memory };
  }
}
