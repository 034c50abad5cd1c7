// What a channel needs from the outside, and what it tells.
import type { Enhancer } from "../../audio/enhance/enhancer.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { Utterance } from "../../jobs/transcript.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { VocabularyTerm } from "../../recognition/vocabulary.ts";
import type { Enhancement } from "./enhanced-input.ts";
import type { ContextState } from "./speech-context.ts";
import type { HeardLanguage } from "./spoken-language.ts";

export const SAMPLE_RATE = 16_000;

export interface ChannelOptions {
  channel: number;
  /** Which model hears which language. */
  plan: SpeechPlan;
  threshold: number;
  endpointingSeconds: number;
  maximumSeconds: number;
  wantsPartials: boolean;
  vocabulary: readonly VocabularyTerm[];
  /** Names this channel in the enhancer; undefined where the sound stays as it is. */
  enhancedStream?: string;
}

/** What survives a restart: everything before `position` is in finals. */
export interface ChannelState {
  /** Sample from which audio has to be heard again. */
  position: number;
  nextUtterance: number;
  context: ContextState;
  /** The language that was kept. */
  language?: string;
}

export interface ChannelEvents {
  speechStart(channel: number, seconds: number): void;
  speechEnd(channel: number, seconds: number): void;
  partial(id: string, utterance: Utterance): void;
  /** What the enhancer did while an utterance was spoken. */
  enhanced(channel: number, range: [start: number, end: number], enhancement: Enhancement): void;
  /** The language of a final was heard, not told. */
  languageHeard(channel: number, range: [start: number, end: number], heard: HeardLanguage): void;
  /** The channel cannot go on. */
  failed(error: unknown): void;
  /** The final and the state after it are to be stored together; resolves when they are. */
  final(id: string, utterance: Utterance, state: ChannelState): Promise<void>;
}

export interface ChannelServices {
  /** Recognises segments. */
  recognition: RecognitionPool;
  /** Hears voice activity; a process of its own, so that it never waits for a recognition. */
  detection: RecognitionPool;
  enhancer: Enhancer;
}
