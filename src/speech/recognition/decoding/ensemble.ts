// Ensemble of two models: where the first model is uncertain about the next token, the log probabilities of a second,
// smaller model are interpolated with its own. The models make different errors. Where the first model is certain, the
// second one is not run.
import type { RecognitionRequest } from "../recognizer.ts";
import type { EncodedSpeech } from "./decoder.ts";
import { type Normalizer, normalizerOf } from "./logits.ts";
import { padWithSilence } from "./silence-padding.ts";
import type { SpeechModel } from "./speech-model.ts";
import { isMark, textOf } from "./words.ts";

/**
 * At or above this probability of the best token, the second model is not run. Chosen by measurement, like the weight.
 */
const CERTAIN_PROBABILITY = 0.85;
/** Weight of the second model in the interpolated log probabilities. */
const WEIGHT = 0.45;

type Vocabulary = Pick<SpeechModel<never, unknown, never>, "tokenizer" | "vocabularySize" | "endToken">;

/** Scores the tokens of one audio segment with the second model. */
export interface EnsembleScorer {
  /**
   * @param logits  [vocabularySize] of the first model
   * @param text    the tokens so far; where they differ from those of the previous call, they are decoded again
   * @param own     normaliser of the logits, if it was computed already
   * @returns interpolated log probabilities if the best token is uncertain; otherwise the logits themselves
   */
  combine(logits: Float32Array, said: readonly number[], own?: Normalizer): Promise<Float32Array>;
  /** Releases the scorer's resources; it must not be used afterwards. */
  end(): void;
}

/** Runs a pass when its turn comes. */
export type TakeTurn = <Answer>(pass: () => Promise<Answer>) => Promise<Answer>;

export interface EnsembleModel {
  startScorer(request: RecognitionRequest, take: TakeTurn): EnsembleScorer;
  /** Loads the second model ahead of its first use. */
  load(): Promise<unknown>;
  release(): Promise<void>;
}

function commonLength(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/** Per token: 1 if it is punctuation or the end token. */
function marksOf({ tokenizer, vocabularySize, endToken }: Vocabulary): Uint8Array {
  const isMarkOrEnd = (id: number) => id === endToken || isMark(textOf([tokenizer.bytes(id)]));
  return Uint8Array.from({ length: vocabularySize }, (_, id) => Number(isMarkOrEnd(id)));
}

/** @typeParam Encoded  encoder output of the second model */
export class SecondModel<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }>
  implements EnsembleModel
{
  private marks: Uint8Array | undefined;
  private model: Promise<SpeechModel<Encoded, Cache, Memory>> | undefined;

  /**
   * @param vocabulary  shared by both models
   * @param read        loads the second model
   */
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly read: () => Promise<SpeechModel<Encoded, Cache, Memory>>,
  ) {}

  load(): Promise<SpeechModel<Encoded, Cache, Memory>> {
    this.model ??= this.read().catch((error: unknown) => {
      this.model = undefined;
      throw error;
    });
    return this.model;
  }

  startScorer(request: RecognitionRequest, take: TakeTurn): EnsembleScorer {
    let audio: { model: SpeechModel<Encoded, Cache, Memory>; encoded: Encoded; start: readonly number[] } | undefined;
    let cache: Cache | undefined;
    /** Tokens that the second model has decoded, including the start tokens. */
    let decoded: readonly number[] = [];
    const encodeAudio = async () => {
      const model = await this.load();
      const samples = padWithSilence(request.samples, model.traits.trailingSilenceSeconds[0], model.traits);
      const { encoded } = await take(() => model.encode(samples));
      return { model, encoded, start: (await model.start(encoded, request)).tokens };
    };
    return {
      combine: async (logits, text, own = normalizerOf(logits)) => {
        if (own.probability >= CERTAIN_PROBABILITY || this.areWordsCertain(logits, own.logSum)) return logits;
        // Copied first: other steps overwrite the logits in the meantime.
        const mixed = logits.map((value) => (1 - WEIGHT) * (value - own.logSum));
        audio ??= await encodeAudio();
        const { model, encoded, start } = audio;
        const whole = [...start, ...text];
        const kept = Math.min(commonLength(decoded, whole), whole.length - 1);
        if (cache !== undefined && kept < decoded.length) cache = model.truncate(cache, kept);
        const fresh = whole.slice(kept);
        const { logits: other, ...pass } = await take(() => model.decode(encoded, cache, fresh, fresh.length - 1));
        cache = pass.cache;
        decoded = whole;
        const { logSum } = normalizerOf(other);
        for (let id = 0; id < mixed.length; id++)
          mixed[id] = (mixed[id] as number) + WEIGHT * ((other[id] as number) - logSum);
        return mixed;
      },
      end: () => {
        if (audio) audio.model.releaseAudio?.(audio.encoded);
      },
    };
  }

  /** Uncertainty between punctuation marks does not concern the words. */
  private areWordsCertain(logits: Float32Array, logSum: number): boolean {
    this.marks ??= marksOf(this.vocabulary);
    const { marks } = this;
    let markProbability = 0;
    let likeliestWord = Number.NEGATIVE_INFINITY;
    for (let id = 0; id < marks.length; id++) {
      const value = logits[id] as number;
      if (marks[id] === 1) markProbability += Math.exp(value - logSum);
      else if (value > likeliestWord) likeliestWord = value;
    }
    return markProbability + Math.exp(likeliestWord - logSum) >= CERTAIN_PROBABILITY;
  }

  async release(): Promise<void> {
    await (await this.model)?.release();
  }
}
