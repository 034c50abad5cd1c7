// What another, smaller model makes of the same audio, asked where the first one is unsure of its next token: they make
// different mistakes, and together fewer. Where the first is sure, the other costs nothing.
import type { RecognitionRequest } from "../recognizer.ts";
import type { EncodedSpeech } from "./decoder.ts";
import { type Normalizer, normalizerOf } from "./logits.ts";
import type { SpeechModel } from "./speech-model.ts";
import { surrounded } from "./surrounded.ts";
import { isMark, textOf } from "./words.ts";

/** At this probability of its likeliest token a model is not doubted. Chosen by measurement, as is the weight. */
const SURE_PROBABILITY = 0.85;
/** Share of the second model in the log probabilities that both are mixed to. */
const WEIGHT = 0.45;

type Vocabulary = Pick<SpeechModel<never, unknown, never>, "tokenizer" | "vocabularySize" | "endToken">;

/** What a model says to one piece of audio. */
export interface Opinion {
  /**
   * @param logits  [vocabularySize] of the first model
   * @param said    the text so far; each call's goes on where the one before ended
   * @param own     of the logits, where it is known already
   * @returns the log probabilities of both models where the likeliest token is in doubt; elsewhere the logits themselves
   */
  weigh(logits: Float32Array, said: readonly number[], own?: Normalizer): Promise<Float32Array>;
  /** It is not asked again. */
  end(): void;
}

/** Does a pass when its turn comes. */
export type TakeTurn = <Answer>(pass: () => Promise<Answer>) => Promise<Answer>;

export interface Adviser {
  on(request: RecognitionRequest, take: TakeTurn): Opinion;
  /** What is otherwise done when it is asked for the first time. */
  load(): Promise<unknown>;
  release(): Promise<void>;
}

/** By token: 1 where it is no part of a word, as the end of a text is none. */
function marksOf({ tokenizer, vocabularySize, endToken }: Vocabulary): Uint8Array {
  const isMarkOrEnd = (id: number) => id === endToken || isMark(textOf([tokenizer.bytes(id)]));
  return Uint8Array.from({ length: vocabularySize }, (_, id) => Number(isMarkOrEnd(id)));
}

/** @typeParam Encoded  as the model that is asked has it */
export class SecondModel<Encoded extends EncodedSpeech, Cache, Memory extends { frames: number }> implements Adviser {
  private marks: Uint8Array | undefined;
  private model: Promise<SpeechModel<Encoded, Cache, Memory>> | undefined;

  /**
   * @param vocabulary  of both models
   * @param read        loads the one that is asked
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

  on(request: RecognitionRequest, take: TakeTurn): Opinion {
    let audio: { model: SpeechModel<Encoded, Cache, Memory>; encoded: Encoded; start: readonly number[] } | undefined;
    let cache: Cache | undefined;
    /** Tokens that the model was told, those that a text starts with included. */
    let told = 0;
    const hear = async () => {
      const model = await this.load();
      const samples = surrounded(request.samples, model.traits.silenceBehind[0], model.traits);
      const { encoded } = await take(() => model.encode(samples));
      return { model, encoded, start: (await model.start(encoded, request)).tokens };
    };
    return {
      weigh: async (logits, said, own = normalizerOf(logits)) => {
        if (own.probability >= SURE_PROBABILITY || this.isSureOfWords(logits, own.logSum)) return logits;
        // Other steps take their place meanwhile.
        const mixed = logits.map((value) => (1 - WEIGHT) * (value - own.logSum));
        audio ??= await hear();
        const { model, encoded, start } = audio;
        const fresh = [...start, ...said].slice(told);
        const { logits: other, ...pass } = await take(() => model.decode(encoded, cache, fresh, fresh.length - 1));
        cache = pass.cache;
        told += fresh.length;
        const { logSum } = normalizerOf(other);
        for (let id = 0; id < mixed.length; id++)
          mixed[id] = (mixed[id] as number) + WEIGHT * ((other[id] as number) - logSum);
        return mixed;
      },
      end: () => {
        if (audio) audio.model.drop?.(audio.encoded);
      },
    };
  }

  /** Whether a mark comes next is no doubt about the words. */
  private isSureOfWords(logits: Float32Array, logSum: number): boolean {
    this.marks ??= marksOf(this.vocabulary);
    const { marks } = this;
    let ofMarks = 0;
    let likeliestWord = Number.NEGATIVE_INFINITY;
    for (let id = 0; id < marks.length; id++) {
      const value = logits[id] as number;
      if (marks[id] === 1) ofMarks += Math.exp(value - logSum);
      else if (value > likeliestWord) likeliestWord = value;
    }
    return ofMarks + Math.exp(likeliestWord - logSum) >= SURE_PROBABILITY;
  }

  async release(): Promise<void> {
    await (await this.model)?.release();
  }
}
