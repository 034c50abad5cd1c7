// Dependencies of a channel and the events that it emits.

import type { TurnEndReason } from "../../../contract/live-messages.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import type { Enhancer } from "../../../speech/audio/enhance/enhancer.ts";
import type { LeakedSound } from "../../../speech/audio/leaks/leak-removal.ts";
import type { LanguageLockState } from "../../../speech/recognition/language-lock.ts";
import type { VocabularyTerm } from "../../../speech/recognition/vocabulary.ts";
import type { LiveDiarizerState } from "../../../speech/speakers/live-diarizer.ts";
import type { LiveWordsState } from "../../../speech/speakers/live-words.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { TurnBounds } from "./endpointing.ts";
import type { Enhancement } from "./enhanced-input.ts";
import type { ForeignGuardState } from "./foreign-guard.ts";
import type { ContextState } from "./speech-context.ts";
import type { SpeechLanguage } from "./spoken-language.ts";

/** The speakers of a channel, as a JSON value from which another process continues. */
export interface ChannelSpeakersState {
  /** Missing if the channel alone was its speaker. */
  diarizer?: LiveDiarizerState;
  words: LiveWordsState;
  /** Numbers of the session's speakers are below this. */
  nextNumber: number;
}

/** Models for the languages of a session. */
export interface ChannelModels {
  /** Model for each language. */
  plan: SpeechPlan;
  /** Model that checks whether the speech is English, where only an English model recognises it and no language is named. */
  secondEnglishModel?: string;
}

/** What can change while a session runs. */
export interface ChannelSettings {
  endpointingSeconds: number;
  /** The same object until the languages change. */
  models: ChannelModels;
  /** Set if pauses are judged. */
  turns?: TurnOptions | undefined;
  vocabulary: readonly VocabularyTerm[];
}

/** Settings of the audio from a sample on. */
export interface ChannelChange {
  sample: number;
  settings: ChannelSettings;
  /** Whether the change ends the utterance before the sample, because other languages follow. */
  endsUtterance: boolean;
  /** The channel uses the settings from now on. */
  applied(channel: number): void;
}

export interface ChannelOptions extends ChannelSettings {
  channel: number;
  /** Changes of an earlier process, in order. */
  changes?: readonly ChannelChange[];
  threshold: number;
  maximumSeconds: number;
  includesPartials: boolean;
  /** State of the channel's turn, of an earlier process; undefined if turns are not reported. */
  turnStateOf?: (channel: number) => TurnState;
  /** What an earlier process reported since the channel's last final. */
  reportedSpeechOf?: (channel: number) => readonly SpeechReport[];
  /** Stream name of this channel in the enhancer; undefined if the audio is not enhanced. */
  enhancedStream?: string;
  /** Which channels carry the same source. */
  sources: ChannelSources;
  leaks: ChannelLeakTimes;
  /** Whether the audio of another channel has a voice; undefined if there is no other. @param from, until  seconds */
  hasOtherVoice?(from: number, until: number): Promise<boolean>;
}

/** A report of the start or the end of speech. */
export interface SpeechReport {
  isStart: boolean;
  seconds: number;
}

/** `endedAt`: the turn has ended there, seconds, and its end was not reported. */
export type TurnState = undefined | "open" | "probable" | { endedAt: number };

/** How the pauses of utterances are judged. */
export interface TurnOptions extends TurnBounds {
  /** Probability from which a turn counts as over. */
  threshold: number;
  /** Probability from which one counts as probably over. */
  probableThreshold: number;
  /** @returns probability that the turn is complete at the end of its audio */
  judge(audio: Float32Array, signal: AbortSignal): Promise<number>;
  /** Called with the error of a judgement; pauses are not judged any more. */
  fail(error: unknown): void;
}

export interface ChannelLeakTimes {
  /** @param sample  of audio that the channel has received, not before that of the last call for this channel */
  leakAt(channel: number, sample: number): LeakedSound | undefined;
}

/** Another channel, which was found to carry another source. */
export interface ChannelDistinction {
  /** The other channel. */
  from: number;
  /** Time from which the sources differ, seconds. */
  since: number;
  /** Time of the audio at which that was decided, seconds. */
  decidedAt: number;
}

/** Channels that carry the same source. `at` of each method: the answer uses the audio up to this time, seconds. */
export interface ChannelSources {
  /** The channel that is transcribed in place of this one; undefined if this one is transcribed. */
  carrierOf(channel: number, at: number): number | undefined;
  /** Whether an utterance is transcribed in another channel. @param utterance  start and end, seconds */
  isCarried(channel: number, utterance: readonly [from: number, until: number], at: number): boolean;
  /** Time from which no other channel shares the channel's source, seconds; 0 if none shared it before. */
  distinctSince(channel: number, at: number): number;
  distinctionsOf(channel: number, at: number): ChannelDistinction[];
}

/** State persisted for a restart: all speech before `position` is in finals. */
export interface ChannelState {
  /** First sample that must be recognised again after a restart. */
  position: number;
  nextUtterance: number;
  context: ContextState;
  /** Whether the last utterance ended a sentence. */
  isAfterStop?: boolean;
  /** Sample at which the next utterance began, as the longest length cut the last one; a multiple of WINDOW_SAMPLES. Earlier versions ignore it. */
  continuedAt?: number;
  /** Evidence for the language from the channel's finals. States of earlier versions contain a language name. */
  language?: LanguageLockState | string;
  /** Whether the channel's finals are in English, where only English is expected. Earlier versions ignore it. */
  guard?: ForeignGuardState;
  /** Sample of the change of languages to which that evidence belongs; absent for the languages of the request. */
  languageSince?: number;
  /** The channel that is transcribed in place of this one. */
  carriedBy?: number;
  /** Channels that were found to carry another source. Earlier versions ignore it. */
  distinctions?: ChannelDistinction[];
  /** Speech without words that is not reported yet, seconds. Earlier versions ignore it. */
  unreported?: [start: number, end: number][];
  /** Speakers of the channel, if the session is diarized. Versions without live speakers ignore it. */
  speakers?: ChannelSpeakersState;
}

export interface ChannelEvents {
  speechStart(channel: number, seconds: number): void;
  /** @param isCut  the speech continues: its utterance has the longest length */
  speechEnd(channel: number, seconds: number, isCut: boolean): void;
  /**
   * @param seconds      end of the speech
   * @param probability  that the turn is over; null where silence alone decides
   * @param utterance    the words since the last final, whose final will have this id
   */
  turnProbablyOver(
    channel: number,
    seconds: number,
    probability: number | null,
    id: string,
    utterance: Utterance,
  ): void;
  turnResumed(channel: number, seconds: number): void;
  /** Called after the last final of the turn. */
  turnOver(channel: number, seconds: number, probability: number | null, reason: TurnEndReason): void;
  partial(id: string, utterance: Utterance): void;
  /** Noise and enhancement strength during an utterance. */
  enhanced(channel: number, range: [start: number, end: number], enhancement: Enhancement): void;
  /** The enhancer failed: some audio was passed on unchanged. */
  enhancementFailed(): void;
  /** The language of a final was detected; the request did not name it. */
  languageDetected(channel: number, range: [start: number, end: number], detected: SpeechLanguage): void;
  /**
   * The words of an utterance are discarded because it is not in English.
   * @param range  from the first to the last of them, seconds
   * @returns models for recognising it instead, if they are installed
   */
  foreignSpeech(channel: number, range: [start: number, end: number]): Promise<SpeechPlan | undefined>;
  /** No words were recognised in voice activity, and no later final will contain them. */
  unrecognized(channel: number, range: [start: number, end: number]): void;
  /** An utterance may not be in English. Its words are kept. */
  doubtfulSpeech(channel: number): void;
  /** An utterance is transcribed in another channel. */
  carried(channel: number, state: ChannelState): void;
  /** Audio without words was decided: a restart may resume behind it. */
  wordless(channel: number, state: ChannelState): void;
  /** The channel failed and produces no further events. */
  failed(error: unknown): void;
  /** Resolves when the final and the channel's state after it are persisted together. */
  final(id: string, utterance: Utterance, state: ChannelState): Promise<void>;
}

export interface ChannelServices {
  recognition: RecognitionPool;
  /** Voice activity detection in a process of its own, so that it never waits for recognition. */
  detection: Pick<RecognitionPool, "voiceActivity">;
  enhancer: Enhancer;
}
