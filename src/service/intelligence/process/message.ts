// Messages between the service and a process that writes results.
import type { AddonParameters } from "../../../contract/job-parameters.ts";
import type { CitedAnswer } from "../../../contract/questions.ts";
import type { PrintedCorrection, TranscriptChange } from "../../../contract/transcript/correction.ts";
import type {
  AddonResult,
  SpeakerIdentity,
  Transcription,
  Utterance,
} from "../../../contract/transcript/transcript.ts";
import type { Gap } from "../../../speech/audio/decode/gaps.ts";
import type { KnownPerson, SpeakerVoice } from "../../../speech/speakers/known-voices.ts";
import type { AddonInput, SentVoices } from "../addon.ts";
import type { DiarizationParameters } from "../diarization.ts";
import type { Providers } from "../providers/providers.ts";
import type { FailedAddon } from "../run-addons.ts";

export interface Assembly {
  /** Files: recognised segments to read, the result to write. */
  recognized: string;
  /** File of the voices, if diarization is requested; null if it failed. */
  voices?: string | null;
  /** Id of the model that found the voices; undefined for the recogniser's encoder. */
  speakerModel?: string;
  /** People of the account's library, if the request enables names. */
  people?: readonly KnownPerson[];
  /** File of the segments' English translations by the recogniser. */
  translated?: string;
  result: string;
  params: AddonParameters;
  audioSeconds: number;
  channels: number;
  /** For each channel of the file, the channel that is transcribed for it. Set only if some, but not all, channels share a source. */
  channelSources?: number[];
  /** When work on the job began, milliseconds. */
  startedAt: number;
  /** Long silences that the times of segments and voices leave out. */
  gaps?: Gap[];
  /** Which audio track was used, counted from 0, and of how many. */
  track?: number;
  trackCount?: number;
  /** Sentences about parts of the recording that were skipped. */
  warnings?: string[];
  /** Segments in a language that the model does not support, by taskName: their words are left out. */
  foreign?: string[];
  /** Probability of the language that was detected for the whole recording, 0 to 1. */
  languageConfidence?: number;
}

/** Add-ons for the stored result of a job. */
export interface LaterAddons {
  /** File of the stored result. */
  stored: string;
  /** SHA-256 of the stored result, if it is known. */
  storedHash: string | null;
  /** In the order in which they were made. */
  corrections: readonly PrintedCorrection[];
  /** Of the add-ons, and of what else of the job's request concerns them. */
  params: AddonParameters;
  /** Names of the requested add-ons. */
  addons: readonly string[];
  /** For diarization: its file, the model and the gaps of the recording, as in `Assembly`. */
  voices?: Pick<Assembly, "voices" | "speakerModel" | "gaps">;
  /** File to write. */
  result: string;
  /** ISO 8601: when the corrections were read. */
  readAt: string;
}

/** A question about the stored result of a job. */
export interface QuestionRequest {
  /** File of the result. */
  result: string;
  corrections: readonly PrintedCorrection[];
  /** Of the library of voices. */
  names: readonly SpeakerIdentity[];
  question: string;
}

/** The utterances of a live session, to be divided by speakers. */
export interface DiarizationRequest {
  transcription: Transcription;
  params: DiarizationParameters;
  audioSeconds: number;
  /** Undefined if the channels are the speakers. */
  voices?: SentVoices;
}

/** A diarized transcript. */
export interface Diarized {
  transcription: Transcription;
  /** Its results are `metadata.diarization`; after a failure the transcription has no speakers. */
  answer: AddonResult<unknown>;
  /** Voices of the speakers, if the request enables names. */
  speakerVoices: SpeakerVoice[];
}

export type ResultRequest =
  /** Its events are sent as text, each as JSON. */
  | ({ kind: "question"; providers: Providers } & QuestionRequest)
  | ({ kind: "assemble"; providers: Providers; withAddons: boolean } & Assembly)
  | ({ kind: "add"; providers: Providers } & LaterAddons)
  /** About the words of a stored result. */
  | { kind: "spoken"; stored: string }
  | ({ kind: "diarize" } & DiarizationRequest)
  | ({ kind: "addon"; name: string } & AddonInput);

/** A request for an account. */
export interface ResultCall {
  /** The account; accounts are served in fair order. */
  tenant: string;
  request: ResultRequest;
}

/** A written result. */
export interface Assembled {
  /** Its SHA-256 in hexadecimal. */
  hash: string;
  /** Voices of the speakers, if the request enables names. */
  speakerVoices: SpeakerVoice[];
}

/** What the words of a result show. */
export interface Spoken {
  languages: string[];
  /** Number of channels with words. */
  channels: number;
}

/** A result with more add-ons. */
export interface AddedAddons {
  /** SHA-256 of the written result in hexadecimal; absent if nothing was added, and nothing was written. */
  hash?: string;
  failures: FailedAddon[];
  /** The speakers, where the transcript has corrections: they are stored beside them. */
  speakers?: TranscriptChange;
}

export type ResultResponse =
  | ({ kind: "spoken" } & Spoken)
  | ({ kind: "added" } & AddedAddons)
  | ({ kind: "assembled" } & Assembled)
  | ({ kind: "diarized" } & Diarized)
  | { kind: "answer"; answer: AddonResult<unknown> }
  | { kind: "answered"; answer: CitedAnswer };

/** A transcript of one utterance, for add-ons of live sessions. */
export function transcriptionOfOne(utterance: Utterance): Transcription {
  return { full_transcript: utterance.text.trim(), languages: [utterance.language], utterances: [utterance] };
}
