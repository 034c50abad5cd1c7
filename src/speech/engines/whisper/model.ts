// Runs the encoder and decoder of one Whisper model on one thread, and chooses the start tokens.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { HOP_SAMPLES, WINDOW_SAMPLES } from "../../audio/mel.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { BatchedDecoder, type SequenceCache } from "../../onnx/batched-decoder.ts";
import type { EncodedAudio } from "../../onnx/encoded-audio.ts";
import { FloatPool } from "../../onnx/float-pool.ts";
import { openGraph, preparedGraphs } from "../../onnx/prepared-graphs.ts";
import type * as ort from "../../onnx/runtime.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import type { DecodingStep, LogitsRule, Pass } from "../../recognition/decoding/decoder.ts";
import { normalizerOf } from "../../recognition/decoding/logits.ts";
import type { SpeechModel, SpeechModelTraits, SpeechStart } from "../../recognition/decoding/speech-model.ts";
import type { RecognitionRequest, Recognizer } from "../../recognition/recognizer.ts";
import type { LoadOptions } from "../engine.ts";
import { AlignmentHeads } from "./alignment-heads.ts";
import { decoderShape, SAMPLES_PER_FRAME } from "./config.ts";
import type { PreparedDescription } from "./description.ts";
import { type EncoderCache, emptyCache, encoderPass } from "./encoder-pass.ts";
import { DECODER, DESCRIPTION, ENCODER, PORTABLE_ENCODER, TOKENIZER, weightsOf } from "./prepare.ts";
import { WhisperTokenizer } from "./tokenizer.ts";

/** Number of languages in a result. */
const MOST_REPORTED = 5;

/**
 * Detects the language from the logits of the decoder's first step.
 * @param logits          of the first step; only language tokens are compared
 * @param languageTokens  by ISO 639 code
 * @returns unbiased probabilities of the candidate languages, ordered by probability with the bias
 */
function likelyLanguages(
  logits: Float32Array,
  languageTokens: Readonly<Record<string, number>>,
  { languages = [], languageBias = [] }: Pick<RecognitionRequest, "languages" | "languageBias">,
): [language: string, probability: number][] {
  const wanted = languages.filter((language) => languageTokens[language] !== undefined);
  const candidates = wanted.length > 0 ? wanted : Object.keys(languageTokens);
  const bias = new Map(languageBias.map(({ language, logOdds }) => [language, logOdds]));
  const scores = candidates.map((language) => logits[languageTokens[language] as number] as number);
  const highest = Math.max(...scores);
  const sum = scores.reduce((total, score) => total + Math.exp(score - highest), 0);
  const biased = (at: number) => (scores[at] as number) + (bias.get(candidates[at] as string) ?? 0);
  return [...candidates.keys()]
    .sort((left, right) => biased(right) - biased(left))
    .slice(0, MOST_REPORTED)
    .map((at): [string, number] => [candidates[at] as string, Math.exp((scores[at] as number) - highest) / sum]);
}

const TRAITS: Omit<SpeechModelTraits, "maximumTokens"> = {
  sampleRate: SAMPLE_RATE,
  samplesPerFrame: SAMPLES_PER_FRAME,
  shortestSamples: SAMPLE_RATE / 10,
  secondsAtOnce: 55,
  leadingSilenceSeconds: 0,
  trailingSilenceSeconds: [3, 30],
  unsettledSeconds: 1.1,
  startShiftSeconds: 0,
  endShiftSeconds: 0.04,
  startShare: 0.5,
  // Scripts whose characters take several byte tokens need three times as many as Latin.
  tokensPerSecond: 25,
  spareTokens: 10,
  hallucinationConfidence: 0.35,
  searchesAlternatives: true,
};

const BORDER_SAMPLES = WINDOW_SAMPLES / 2;

/**
 * The audio as the first convolution requires it: a whole number of frames, with the samples before the first one
 * mirrored. @param most  frames
 */
function borderedSamples(samples: Float32Array, most: number): { bordered: Float32Array; frames: number } {
  const frames = Math.min(most, Math.ceil(samples.length / SAMPLES_PER_FRAME));
  const length = frames * SAMPLES_PER_FRAME;
  const bordered = new Float32Array(length + WINDOW_SAMPLES - HOP_SAMPLES);
  bordered.set(samples.subarray(0, length), BORDER_SAMPLES);
  for (let at = 1; at <= BORDER_SAMPLES; at++) bordered[BORDER_SAMPLES - at] = samples[at] ?? 0;
  return { bordered, frames };
}

export class WhisperModel implements SpeechModel<EncodedAudio, SequenceCache, EncoderCache> {
  readonly traits: SpeechModelTraits;
  readonly vocabularySize: number;
  readonly endToken: number;
  readonly batchSize: number;
  private readonly rules: readonly LogitsRule[];
  /** Set if the checkpoint does not name its alignment heads. */
  private readonly heads: AlignmentHeads | undefined;

  private constructor(
    private readonly description: PreparedDescription,
    readonly tokenizer: WhisperTokenizer,
    private readonly encoder: ort.InferenceSession,
    private readonly decoder: BatchedDecoder,
  ) {
    this.batchSize = decoder.slots;
    const { config, suppressedTokens, suppressedFirstTokens } = description;
    this.traits = { ...TRAITS, maximumTokens: config.mostTokens };
    this.vocabularySize = config.vocabularySize;
    this.endToken = config.endToken;
    const { areHeadsKnown, alignmentHeads } = description;
    this.heads = areHeadsKnown ? undefined : new AlignmentHeads(alignmentHeads.length);
    const forbid = (logits: Float32Array, tokens: readonly number[]) => {
      for (const token of tokens) logits[token] = Number.NEGATIVE_INFINITY;
      return tokens.length > 0;
    };
    this.rules = [
      (logits) => forbid(logits, suppressedTokens),
      (logits, tokens) => tokens.length === 0 && forbid(logits, suppressedFirstTokens),
    ];
  }

  /** @param folder  written by `prepareWhisper` */
  static async load(folder: string, { sharedFolder, prepareGraphs }: LoadOptions = {}): Promise<WhisperModel> {
    const description = JSON.parse(await readFile(path.join(folder, DESCRIPTION), "utf8")) as PreparedDescription;
    const tokenizer = new WhisperTokenizer(await readFile(path.join(folder, TOKENIZER), "utf8"));
    const { config, hearsInFloats, mostTexts } = description;
    const encoderFile = hearsInFloats ? PORTABLE_ENCODER : ENCODER;
    const files = [encoderFile, DECODER, ...[ENCODER, DECODER].map(weightsOf)];
    const graphs =
      sharedFolder === undefined
        ? undefined
        : await preparedGraphs(sharedFolder, { source: folder, files }, prepareGraphs);
    const open = (graph: string) =>
      openGraph(graphs, `${path.basename(folder)}-${path.parse(graph).name}`, async () => path.join(folder, graph));
    const encoder = await open(encoderFile);
    const decoder = await open(DECODER);
    const texts = new BatchedDecoder(decoderShape(config), config.vocabularySize, decoder, mostTexts, new FloatPool());
    return new WhisperModel(description, tokenizer, encoder, texts);
  }

  async encode(
    samples: Float32Array,
    cached = emptyCache(this.description.config),
    settle = 0,
  ): Promise<{ encoded: EncodedAudio; memory: EncoderCache }> {
    const { config } = this.description;
    const { bordered, frames } = borderedSamples(samples, config.mostFrames);
    const settled = Math.min(frames, Math.max(settle, cached.frames));
    const encoded = this.decoder.allocateAudio(frames);
    try {
      return {
        encoded,
        memory: await encoderPass(this.encoder, config, { bordered, cached, settled }, encoded.cross),
      };
    } catch (error) {
      this.decoder.releaseAudio(encoded);
      throw error;
    }
  }

  releaseAudio(encoded: EncodedAudio): void {
    this.decoder.releaseAudio(encoded);
  }

  async start(encoded: EncodedAudio, request: RecognitionRequest): Promise<SpeechStart<SequenceCache>> {
    const { config, languageTokens, transcribeToken, translateToken, noTimestampsToken } = this.description;
    const task = request.task === "translate" ? translateToken : transcribeToken;
    const rest = [...(task === undefined ? [] : [task]), noTimestampsToken];
    const { rules } = this;
    const [only, another] = Object.keys(languageTokens);
    if (only === undefined) return { fedTokens: 0, tokens: [config.startToken, ...rest], language: "en", rules };
    const named = request.languages?.length === 1 ? request.languages[0] : another === undefined ? only : undefined;
    if (named !== undefined) {
      const token = languageTokens[named];
      if (token === undefined) throw new Error(`the model does not support the language ${named}`);
      return { fedTokens: 0, tokens: [config.startToken, token, ...rest], language: named, rules };
    }
    const { logits, cache } = await this.decode(encoded, undefined, [config.startToken]);
    const found = likelyLanguages(logits, languageTokens, request);
    const language = found[0]?.[0] ?? "en";
    const tokens = [languageTokens[language] as number, ...rest];
    return {
      cache,
      fedTokens: 1,
      tokens,
      language,
      languageProbabilities: found,
      rules,
      noSpeechProbability: this.noSpeechProbability(logits) ?? 0,
    };
  }

  noSpeechProbability(logits: Float32Array): number | undefined {
    const { noSpeechToken } = this.description;
    if (noSpeechToken === undefined) return undefined;
    return Math.exp((logits[noSpeechToken] as number) - normalizerOf(logits).logSum);
  }

  async decode(
    encoded: EncodedAudio,
    cache: SequenceCache | undefined,
    tokens: readonly number[],
    skipLogits?: number,
  ): Promise<Pass<SequenceCache>> {
    return this.withAlignment(await this.decoder.decode(encoded, cache, tokens, skipLogits));
  }

  async decodeBatch(texts: readonly DecodingStep<EncodedAudio, SequenceCache>[]): Promise<Pass<SequenceCache>[]> {
    return (await this.decoder.decodeBatch(texts)).map((pass) => this.withAlignment(pass));
  }

  truncate(cache: SequenceCache, tokens: number): SequenceCache {
    return this.decoder.truncate(cache, tokens);
  }

  fork(cache: SequenceCache, tokens: number): SequenceCache {
    return this.decoder.fork(cache, tokens);
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.decoder.release()]);
  }

  /** Adds the mean attention of the alignment heads. */
  private withAlignment(pass: Pass<SequenceCache>): Pass<SequenceCache> {
    const { attention, cache } = pass;
    return this.heads ? { ...pass, attention: this.heads.mean(attention, cache.encoded.frames, cache) } : pass;
  }
}

/** Loads a Whisper model as a recogniser. @param folder  written by `prepareWhisper` */
export async function loadWhisper(folder: string, options: LoadOptions = {}): Promise<Recognizer> {
  return new AttentionRecognizer(await WhisperModel.load(folder, options), undefined, options.detector);
}
