// Domain events of a live session. Sessions emit them and store them in the journal; dialects print them. A new event is
// a member of LiveEvent and a line of CLASSES; the compiler then requires its line in the printers of every dialect.
import type { TurnEndReason } from "../../../contract/live-messages.ts";
import type { SpeakerRevision } from "../../../contract/transcript/speaker-revision.ts";
import type {
  SpeakerIdentity,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../../contract/transcript/transcript.ts";

export type Range = [start: number, end: number];

/** Add-ons that process one final. */
export type RealtimeAddon = "translation" | UtteranceAddon;
export type UtteranceAddon = "named_entity_recognition" | "sentiment_analysis";
/** Add-ons that process the whole session. */
export type SessionAddon = "summarization" | "chapterization";

/** Times are seconds from the start of the session, in milliseconds precision. */
export type LiveEvent =
  /** The session was created; callbacks only. */
  | { kind: "sessionCreated" }
  /** The first client has connected. */
  | { kind: "recordingStarted" }
  /** All audio is transcribed. */
  | { kind: "recordingEnded"; durationSeconds: number }
  /** The last event. */
  | { kind: "sessionEnded" }
  | { kind: "speechStarted"; channel: number; seconds: number }
  /** `isCut`: the utterance has the longest length, and the speech continues in the next one. */
  | { kind: "speechEnded"; channel: number; seconds: number; isCut?: true }
  /**
   * The turn is probably over: exactly one `turnResumed` or `turnOver` of the channel follows. `seconds`: end of the speech.
   * `probability`: null where silence alone decides. `utterance`: the words since the last final.
   */
  | {
      kind: "turnProbablyOver";
      channel: number;
      seconds: number;
      probability: number | null;
      id: string;
      utterance: Utterance;
    }
  /** Speech continues the turn that was probably over. */
  | { kind: "turnResumed"; channel: number; seconds: number }
  /** The finals of the turn were emitted. `probability`: null where it was not judged. */
  | { kind: "turnOver"; channel: number; seconds: number; probability: number | null; reason: TurnEndReason }
  /**
   * Voice activity without recognised words: speech may be missing. `isForeign`: no installed model supports its language, which an error
   * of the session states once. `isFiller`: its only words were fillers, which the request removes.
   */
  | { kind: "speechUnrecognized"; channel: number; range: Range; isForeign?: true; isFiller?: true }
  /** `noiseDecibels`: relative to the speech; null without noise. `strength`: 0 to 1. */
  | { kind: "speechEnhanced"; channel: number; range: Range; noiseDecibels: number | null; strength: number }
  | { kind: "languageDetected"; channel: number; range: Range; language: string; probability: number }
  | { kind: "partial"; id: string; utterance: Utterance }
  | { kind: "final"; id: string; utterance: Utterance }
  /** Corrects speakers of earlier finals. */
  | ({ kind: "speakersRevised" } & SpeakerRevision)
  /** Names of speakers, by the account's library of voices. */
  | { kind: "speakersNamed"; speakers: SpeakerIdentity[] }
  /** A chunk is stored durably. `bytes`: over the whole session; `seconds`: the same range as time. */
  | { kind: "chunkStored"; bytes: Range; seconds: Range }
  | { kind: "chunkRefused"; reason: string }
  /** `remainingSeconds`: recorded audio that is not transcribed yet. */
  | { kind: "stopAccepted"; recordedSeconds: number; remainingSeconds: number }
  | { kind: "stopRefused"; reason: string }
  /** Every final of the audio before `seconds` was sent, as the client had requested. */
  | { kind: "finalized"; seconds: number }
  | { kind: "finalizeRefused"; reason: string }
  /** The audio from `seconds` on is processed as the client requested. */
  | { kind: "configured"; seconds: number }
  | { kind: "configureRefused"; reason: string }
  /** Translation of a final, or of a partial. */
  | {
      kind: "translation";
      utteranceId: string;
      utterance: Utterance;
      targetLanguage: string;
      translated: Utterance;
      isPartial?: true;
    }
  | {
      kind: "utteranceAddon";
      addon: UtteranceAddon;
      utteranceId: string;
      utterance: Utterance;
      results: unknown[];
    }
  | { kind: "utteranceAddonFailed"; addon: RealtimeAddon; reason: string }
  | { kind: "transcript"; transcription: Transcription }
  /** `failure`: null if the add-on succeeded. */
  | { kind: "sessionAddon"; addon: SessionAddon; failure: string | null; results?: unknown }
  | { kind: "result"; result: TranscriptionResult }
  /** Input that cannot be used. */
  | { kind: "error"; code: LiveErrorCode; reason: string };

export type LiveErrorCode =
  | "invalid_message"
  | "invalid_audio_format"
  | "undecodable_audio"
  /** A live source had no audio for some time. */
  | "source_gap"
  | "language_unavailable"
  | "language_uncertain"
  | "speakers_unavailable"
  | "turn_detection_unavailable"
  | "enhancement_unavailable";
export type EventKind = LiveEvent["kind"];
export type EventOf<Kind extends EventKind> = Extract<LiveEvent, { kind: Kind }>;

/**
 * The last kind of event that a connection prints. `speakersRevised`: the last corrections of the live speakers, if they are made in time;
 * they follow `recordingEnded`.
 */
export type LastEvent = "recordingEnded" | "speakersRevised" | "sessionEnded";

/** An event of a session, as a dialect receives it. A session emits each once. */
export interface EmittedEvent {
  sessionId: string;
  /** Time of the event, ISO 8601. */
  at: string;
  event: LiveEvent;
}

/** Classes that clients and callback addresses subscribe to. */
export type EventClass =
  | "partials"
  | "finals"
  | "speech"
  | "turns"
  | "preProcessing"
  | "realtimeAddons"
  | "postProcessing"
  | "acknowledgments"
  | "errors"
  | "lifecycle";

const CLASSES: Record<EventKind, EventClass> = {
  sessionCreated: "lifecycle",
  recordingStarted: "lifecycle",
  recordingEnded: "lifecycle",
  sessionEnded: "lifecycle",
  speechStarted: "speech",
  speechEnded: "speech",
  turnProbablyOver: "turns",
  turnResumed: "turns",
  turnOver: "turns",
  speechUnrecognized: "speech",
  speechEnhanced: "preProcessing",
  languageDetected: "preProcessing",
  partial: "partials",
  final: "finals",
  speakersRevised: "finals",
  speakersNamed: "finals",
  chunkStored: "acknowledgments",
  chunkRefused: "acknowledgments",
  stopAccepted: "acknowledgments",
  stopRefused: "acknowledgments",
  finalized: "acknowledgments",
  finalizeRefused: "acknowledgments",
  configured: "acknowledgments",
  configureRefused: "acknowledgments",
  translation: "realtimeAddons",
  utteranceAddon: "realtimeAddons",
  utteranceAddonFailed: "realtimeAddons",
  transcript: "postProcessing",
  sessionAddon: "postProcessing",
  result: "postProcessing",
  error: "errors",
};

/** @returns undefined for an event that a later version stored in a shared journal */
export const classOf = ({ kind }: LiveEvent): EventClass | undefined =>
  Object.hasOwn(CLASSES, kind) ? CLASSES[kind] : undefined;

/** Names of voices are never stored outside of the library, so that deleting a voice removes its name everywhere. */
export const mayBeStored = ({ kind }: LiveEvent): boolean => kind !== "speakersNamed";

/**
 * Events that are persisted, and kept for the next connection. Partials, acknowledgments and errors about a frame only
 * concern the connection that sent it; storing errors would also let a client fill the disk.
 */
export function outlivesConnection(event: LiveEvent): boolean {
  if (event.kind === "translation") return event.isPartial !== true;
  if (!mayBeStored(event)) return false;
  const eventClass = classOf(event);
  return eventClass !== "partials" && eventClass !== "acknowledgments" && eventClass !== "errors";
}

/** Identifies events that a session persists once: each add-on over the session has one event, and so has each text of an error. */
export function identityOf(event: LiveEvent): string {
  if (event.kind === "sessionAddon") return `${event.kind} ${event.addon}`;
  return event.kind === "error" ? `${event.kind} ${event.reason}` : event.kind;
}
