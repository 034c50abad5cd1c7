// Contracts between session, registry and socket: dependencies and parameters of a session.

import type { Logger } from "pino";
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import type { ParlanceError } from "../../../platform/errors.ts";
import type { Steps } from "../../../platform/process/steps.ts";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import type { Compression } from "../../../speech/audio/streams/message.ts";
import type { ResultProcesses } from "../../intelligence/process/result-processes.ts";
import type { LanguageRequest, SpeechPlan } from "../../models/speech-plan.ts";
import type { KnownStart } from "../audio/stream-reader.ts";
import type { ChannelModels, ChannelServices } from "../channel/channel-contract.ts";
import type { Closing } from "../events/closing.ts";
import type { LastEvent } from "../events/live-event.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { Subscription } from "../events/subscription.ts";
import type { SessionLog } from "../log/log-contract.ts";
import type { SpeakerServices } from "../speakers/speaker-services.ts";
import type { TurnModel, TurnParameters } from "../turns/turn-model.ts";
import type { SessionViewers } from "../viewers/session-viewers.ts";
import type { AudioTicks } from "./audio-ticks.ts";
import type { LiveCallbacks } from "./callbacks.ts";
import type { Receiver } from "./outbox.ts";

/** A connection of a client, as seen by the session. */
export interface Connection extends Receiver {
  /** Increases with every connection. */
  readonly number: number;
  /** Of those that it prints; without it, `sessionEnded`. The connection is closed after it. */
  readonly lastEvent?: LastEvent;
  /** Whether a large frame is still arriving. */
  readonly isReceiving: boolean;
  /**
   * Resolves when audio that has run out may be the end of a turn; rejects if the connection ends first. Without it, `arrival` shows
   * that the client has sent nothing.
   */
  turnMayEnd?(): Promise<void>;
  close(closing: Closing): void;
  /** Stop and resume reading from the client. */
  pause(): void;
  resume(): void;
}

/** Models for the languages of a session. */
export interface SessionModels extends ChannelModels {
  /** Model that translates other languages into English, if there is one. */
  englishTranslator?: string;
}

/** Finds the models for other languages. */
export interface LanguageModels {
  /** Of the session's request, or of one that was chosen or found before. The same object each time. */
  of(request: LiveParameters): SessionModels;
  /**
   * Chooses the models for a change of languages. A missing model is fetched, if that is allowed.
   * @param current  models in use
   * @returns why the change is refused; undefined if `of` has the models
   */
  choose(request: LiveParameters, current: ChannelModels): Promise<string | undefined>;
}

export interface SessionParams {
  models: SessionModels;
  /** Of the samples, which a compressed stream is decoded to. */
  format: StreamFormat;
  /** Undefined for a client that sends samples. */
  compression?: Compression;
  endpointingSeconds: number;
  maximumSeconds: number;
  /** Undefined if silence alone ends utterances. */
  turns?: TurnParameters;
  threshold: number;
  isEnhanced: boolean;
  /** Classes of events that the client receives. */
  subscription: Subscription;
  /** The request's body with defaults. */
  request: LiveParameters;
}

export interface SessionTimers {
  idleMilliseconds: number;
  /** Until the first connection in this process. */
  graceMilliseconds: number;
  /** Between connections. */
  awayMilliseconds: number;
  maximumMilliseconds: number;
}

export interface SessionServices extends ChannelServices {
  logger: Logger;
  timers: SessionTimers;
  resultProcesses: ResultProcesses;
  accountId: string;
  /** For sessions whose pauses are judged. */
  turns?: TurnModel;
  /** For sessions that are diarized. */
  speakers: SpeakerServices;
  /** Format of the messages in the result. */
  recordFormat: RecordFormat;
  /** Callbacks of the session, if it has an address for them. */
  callbacks?: LiveCallbacks;
  viewers?: SessionViewers;
  space: FreeSpace;
  /** Of all sessions of this process. Undefined: frames are processed as they arrive. */
  ticks?: AudioTicks;
  /** Aborted when the process stops. A session that is being opened then ends its waiting. */
  stopping?: AbortSignal;
  /** Whether clients could return to this process lately. Without it: always. */
  mayReturn?(): boolean;
  /** Starts to fetch translation models. @returns names of those that are being fetched */
  fetchTranslation?(source: string, targets: readonly string[]): Promise<string[]>;
  languages: LanguageModels;
  /** For speech that turns out not to be English. */
  multilingual: MultilingualModel;
}

/** The model for languages other than English. */
export interface MultilingualModel {
  id: string;
  /**
   * Fetches the model if that is allowed; concurrent calls share one fetch.
   * @param request  languages in force
   * @returns models for recognising the session with it
   * @throws models.missing, or the error of the fetch
   */
  plan(request: LanguageRequest): Promise<SpeechPlan>;
  /** The same if the model is installed; otherwise undefined. */
  installedPlan(request: LanguageRequest): Promise<SpeechPlan | undefined>;
}

/** Data of an ended session that its owner stores. */
export interface EndedSession {
  readonly log: SessionLog;
  /** Persisted events in the record format. */
  messages(): Steps<string[]>;
  /** Set if the session has no usable result. */
  readonly failure: ParlanceError | undefined;
  /** Received bytes, including headers. */
  readonly totalBytes: number;
  readonly stored: Required<KnownStart>;
}

export interface SessionOwner {
  /** Called at the first connection. @throws live.unused if the session was ended before, as one that no client uses */
  started(id: string): Promise<void>;
  /** Called when the client has all messages and is gone, while the result is made. */
  served(id: string): Promise<void>;
  /** Called when everything is transcribed; stores the result. */
  ended(id: string, result: TranscriptionResult, session: EndedSession): Promise<void>;
  /** Called when the session cannot continue. */
  failed(id: string, error: unknown): Promise<void>;
  /** Called when the audio is unreadable: the job ends with this error. */
  refused(id: string, error: ParlanceError, session: EndedSession): Promise<void>;
}
