// The numeric leaf: encoder and decoder passes of one Whisper model on one thread, and how its texts begin.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { FloatStore } from "../../onnx/float-store.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { type HeardAudio, type SpokenText, Texts } from "../../onnx/texts.ts";
import type { LogitsRule, Pass, TextStep } from "../../recognition/decoding/decoder.ts";
import { normalizerOf } from "../../recognition/decoding/logits.ts";
import type { SpeechModel, SpeechModelTraits, SpeechStart } from "../../recognition/decoding/speech-model.ts";
import type { RecognitionRequest } from "../../recognition/recognizer.ts";
import { AlignmentHeads } from "./alignment-heads.ts";
import { HOP_SAMPLES, SAMPLE_RATE, SAMPLES_PER_FRAME, textShape, WINDOW_SAMPLES } from "./config.ts";
import type { PreparedDescription } from "./description.ts";
import { encoderPass, type Heard, nothingHeard } from "./encoder-pass.ts";
import { likelyLanguages } from "./languages.ts";
import { DECODER, DESCRIPTION, ENCODER, PORTABLE_ENCODER, TOKENIZER } from "./prepare.ts";
import { WhisperTokenizer } from "./tokenizer.ts";

const TRAITS: Omit<SpeechModelTraits, "mostTokens"> = {
  sampleRate: SAMPLE_RATE,
  samplesPerFrame: SAMPLES_PER_FRAME,
  shortestSamples: SAMPLE_RATE / 10,
  silenceBefore: 0,
  silenceBehind: [3, 30],
  unsettledSeconds: 1.1,
  startShiftSeconds: 0,
  startShare: 0.5,
  // Scripts whose characters are spelled byte by byte take three times what Latin ones do.
  tokensPerSecond: 25,
  spareTokens: 10,
  inventedConfidence: 0.35,
};

const BORDER_SAMPLES = WINDOW_SAMPLES / 2;

/**
 * All of the audio as the first convolution wants it: a whole number of frames, with what lies before the first sample
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

export class WhisperModel implements SpeechModel<HeardAudio, SpokenText, Heard> {
  readonly traits: SpeechModelTraits;
  readonly vocabularySize: number;
  readonly endToken: number;
  readonly mostTexts: number;
  private readonly rules: readonly LogitsRule[];
  /** Where the checkpoint does not name them. */
  private readonly heads: AlignmentHeads | undefined;

  private constructor(
    private readonly description: PreparedDescription,
    readonly tokenizer: WhisperTokenizer,
    private readonly encoder: ort.InferenceSession,
    private readonly texts: Texts,
  ) {
    this.mostTexts = texts.slots;
    const { config, suppressedTokens, suppressedFirstTokens } = description;
    this.traits = { ...TRAITS, mostTokens: config.mostTokens };
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

  /** @param folder  as `prepareWhisper` filled it */
  static async load(folder: string): Promise<WhisperModel> {
    const description = JSON.parse(await readFile(path.join(folder, DESCRIPTION), "utf8")) as PreparedDescription;
    const tokenizer = new WhisperTokenizer(await readFile(path.join(folder, TOKENIZER), "utf8"));
    const { config, hearsInFloats, mostTexts } = description;
    const open = (graph: string) => ort.InferenceSession.create(path.join(folder, graph), ONE_THREAD);
    const encoder = await open(hearsInFloats ? PORTABLE_ENCODER : ENCODER);
    const decoder = await open(DECODER);
    const texts = new Texts(textShape(config), config.vocabularySize, decoder, mostTexts, new FloatStore());
    return new WhisperModel(description, tokenizer, encoder, texts);
  }

  async encode(
    samples: Float32Array,
    heard = nothingHeard(this.description.config),
    settle = 0,
  ): Promise<{ encoded: HeardAudio; memory: Heard }> {
    const { config } = this.description;
    const { bordered, frames } = borderedSamples(samples, config.mostFrames);
    const settled = Math.min(frames, Math.max(settle, heard.frames));
    const encoded = this.texts.roomFor(frames);
    try {
      return { encoded, memory: await encoderPass(this.encoder, config, { bordered, heard, settled }, encoded.cross) };
    } catch (error) {
      this.texts.leave(encoded);
      throw error;
    }
  }

  drop(encoded: HeardAudio): void {
    this.texts.leave(encoded);
  }

  async start(encoded: HeardAudio, request: RecognitionRequest): Promise<SpeechStart<SpokenText>> {
    const { config, languageTokens, transcribeToken, translateToken, noTimestampsToken } = this.description;
    const task = request.task === "translate" ? translateToken : transcribeToken;
    const rest = [...(task === undefined ? [] : [task]), noTimestampsToken];
    const { rules } = this;
    const [only, another] = Object.keys(languageTokens);
    if (only === undefined) return { fedTokens: 0, tokens: [config.startToken, ...rest], language: "en", rules };
    const told = request.languages?.length === 1 ? request.languages[0] : another === undefined ? only : undefined;
    if (told !== undefined) {
      const token = languageTokens[told];
      if (token === undefined) throw new Error(`the model does not know the language ${told}`);
      return { fedTokens: 0, tokens: [config.startToken, token, ...rest], language: told, rules };
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
    encoded: HeardAudio,
    text: SpokenText | undefined,
    tokens: readonly number[],
    unanswered?: number,
  ): Promise<Pass<SpokenText>> {
    return this.followed(await this.texts.decode(encoded, text, tokens, unanswered));
  }

  async steps(texts: readonly TextStep<HeardAudio, SpokenText>[]): Promise<Pass<SpokenText>[]> {
    return (await this.texts.steps(texts)).map((pass) => this.followed(pass));
  }

  truncate(text: SpokenText, tokens: number): SpokenText {
    return this.texts.truncate(text, tokens);
  }

  async release(): Promise<void> {
    await Promise.all([this.encoder.release(), this.texts.release()]);
  }

  /** With the attention of the heads that follow the speech. */
  private followed(pass: Pass<SpokenText>): Pass<SpokenText> {
    const { attention, cache } = pass;
    return this.heads ? { ...pass, attention: this.heads.mean(attention, cache.encoded.frames, cache) } : pass;
  }
}
