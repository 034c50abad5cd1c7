// Contract of the stages of a pre-recorded job. A stage can be repeated from its inputs at any time: its output is
// recorded in the database only when it is complete.

import type { Logger } from "pino";
import type { JobParameters } from "../../../contract/job-parameters.ts";
import type { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import type { Tracing } from "../../../platform/observability/tracing.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import type { Hold } from "../../../platform/storage/db/jobs/held-jobs.ts";
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import type { DecoderPool } from "../../../speech/audio/decode/decoder-pool.ts";
import type { Gap } from "../../../speech/audio/decode/gaps.ts";
import type { HoleStretch } from "../../../speech/audio/holes.ts";
import type { LeakStretch } from "../../../speech/audio/leaks/leak-stretches.ts";
import type { Leak } from "../../../speech/audio/leaks/recording-leaks.ts";
import type { Segment } from "../../../speech/audio/voice-activity/segmentation.ts";
import type { FurtherStretches, Stretch } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { RecognitionPool, TaskOptions } from "../../inference/pool.ts";
import type { Priority } from "../../inference/scheduler.ts";
import type { ResultProcesses } from "../../intelligence/process/result-processes.ts";
import type { FailedAddon } from "../../intelligence/run-addons.ts";
import type { PlanSettings } from "../../models/speech-plan.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import type { VoiceLibrary } from "../../voices/library.ts";
import type { RequestVoices } from "../../voices/request-voices.ts";
import type { StageCost, StageTimes } from "../stage-times.ts";
import type { WorkFiles } from "./work-files.ts";

/** Attempt whose folder has the files of the stage. Missing in outputs of versions without attempts. */
interface OfAttempt {
  attempt?: number;
}

/** Outputs of the stages. */
export interface StageOutputs {
  fetch?: OfAttempt & {
    fileId: string;
    objectKey: string;
    /** Its extension determines the format of files without a header. Missing in outputs of earlier versions. */
    filename?: string;
    /** Of the default track, as reported for the upload. */
    durationSeconds?: number;
    channels?: number;
  };
  decode?: OfAttempt & {
    /** End of the transcribed audio in recording time: of the recording, or of audio_range. */
    durationSeconds: number;
    /** Channels that are transcribed. */
    distinctChannels: number[];
    /** For each channel of the file, the channel that is transcribed for it. Set only if some, but not all, channels share a source. */
    channelSources?: number[];
    /** Leaks between the channels. Missing if they are unknown: then, each channel may leak into each other one. */
    leaks?: Leak[];
    /** For each channel of the file, where it has only a leak, in stored samples. Missing if that is nowhere, or unknown. */
    leakOnly?: LeakStretch[][];
    /** Size of each channel's file. */
    bytes?: number;
    /**
     * Long silences omitted from the stored samples. Stages count in stored samples; `assemble` converts to recording
     * time. Missing in outputs of earlier versions.
     */
    gaps?: Gap[];
    /** Digital silence in the middle of sound, for each channel of the file, in stored samples. */
    holes?: HoleStretch[][];
    channels?: number;
    /** Index of the audio track, from 0, and the number of tracks. */
    track?: number;
    trackCount?: number;
    warnings?: string[];
  };
  /** `hash`: SHA-256 of the segments' file. `holes`: digital silence in the middle of speech, of the channel with most of it. */
  segment?: OfAttempt & { segmentCount: number; hash?: string; holes?: HoleStretch[] };
  /**
   * `doubtfulSeconds`: speech that may be in another language. `wordless`: voice activity without words, in stored samples; at most
   * a hundred stretches, and `furtherWordless` counts the others. `languageConfidence`: of the detected language, if it is the same in all channels.
   */
  recognize?: OfAttempt & {
    recognizedCount: number;
    /** Whether no words were recognised at all. */
    isWordless?: boolean;
    foreign?: ForeignSpeech;
    doubtfulSeconds?: number;
    wordless?: Stretch[];
    furtherWordless?: FurtherStretches;
    languageConfidence?: number;
  };
  /** Number of translated segments. */
  translate?: OfAttempt & { segments: number };
  /** Number of stored lines, the speaker model that made them, if one did, and whether the stage failed. */
  speakers?: OfAttempt & { pieces: number; model?: string; hasFailed?: boolean; warnings?: string[] };
  /** `resultHash`: SHA-256 in hexadecimal. */
  assemble?: OfAttempt & { resultKey: string; resultHash?: string };
  /** Add-ons of a finished transcript: its result has those that did not fail. */
  add?: OfAttempt & { failures: FailedAddon[] };
}

/** Speech in a language that the model does not support. */
export interface ForeignSpeech {
  /** Names of its segments (taskName). */
  segments: string[];
  seconds: number;
  /** Whether other segments contain words. */
  hasWordsBesides: boolean;
  /** The multilingual model, if it may be fetched. */
  wantedModel?: string;
}

/** Segments of one channel. */
export interface ChannelSegments {
  channel: number;
  segments: Segment[];
  /** Speech probability of each window (activityText). Missing in outputs of earlier versions. */
  activity?: string;
}

export interface JobLimits {
  maximumAudioSeconds: number;
  maximumFileBytes: number;
  fetchTimeoutSeconds: number;
  /** Minimum mean rate of a fetched body, bytes per second; 0 means no limit. */
  fetchMinimumRate: number;
  /** Fetch attempts including the first one, and seconds from the first to the start of the last. */
  fetchAttempts: number;
  fetchRetrySeconds: number;
}

export interface StageServices {
  database: Database;
  objects: ObjectStore;
  space: FreeSpace;
  decoders: DecoderPool;
  recognition: RecognitionPool;
  models: ModelStore;
  /** Fetches models; absent where nothing fetches them. */
  supply?: ModelSupply;
  speech: PlanSettings;
  /** Id of the model that finds speakers; empty for none. */
  speakerModel: string;
  /** The libraries of voices; absent where there is no service. */
  voices?: VoiceLibrary;
  /** Opens the voices of requests; absent where there is no service. */
  requestVoices?: RequestVoices;
  resultProcesses: ResultProcesses;
  /** How long stages take here. */
  stageTimes: StageTimes;
  limits: JobLimits;
  allowPrivateAddresses: boolean;
  tracing: Tracing;
  logger: Logger;
}

export interface StageJob {
  id: string;
  /** The attempt that this process runs. */
  hold: Hold;
  accountId: string;
  model: string;
  audioUrl: FetchAddress | null;
  fileId: string | null;
  startedAt: Date;
  params: JobParameters;
  /** The job whose transcript gets the add-ons; null for a job with a transcript of its own. */
  addedTo: string | null;
}

export interface StageContext {
  job: StageJob;
  outputs: StageOutputs;
  /** Keys of the working files. */
  files: WorkFiles;
  services: StageServices;
  /** Aborted when the process stops, and when this attempt no longer holds the job. */
  signal: AbortSignal;
  /** Priority of its recogniser tasks. */
  priority: Priority;
  /** Whether a process crashed in this attempt. If the stage has a log, the tasks that were in flight are the first unfinished ones. */
  hasCrashed?: boolean;
  /** traceparent of the stage, if it is traced. */
  trace?: string;
  /** Reports the completed share of this stage, 0 to 1. */
  progress(share: number): void;
  /**
   * To be called with the outcome of a write that has no effect after the attempt lost the job.
   * @throws the reason of the signal, if the job is lost
   */
  requireHeld(isHeld: boolean): void;
}

/** Options for the stage's recogniser tasks. */
export function taskOptions({ job, priority, signal, trace }: StageContext): TaskOptions {
  return { tenant: job.accountId, priority, signal, trace };
}

export type StageName = keyof StageOutputs;

/** What an attempt of a job does. */
export interface Pipeline {
  /** In order. */
  stagesOf(row: Pick<JobRow, "added_to" | "request_params">): readonly Stage[];
  /**
   * Takes over what earlier attempts left.
   * @param stored   outputs in the row, possibly malformed
   * @param outputs  receives those of the stages that need not run again
   * @returns the stage whose output is damaged or missing, if there is one
   */
  resume(
    job: Pick<StageJob, "id" | "hold" | "model">,
    stored: unknown,
    outputs: StageOutputs,
    objects: ObjectStore,
  ): Promise<StageName | undefined>;
}

/**
 * The stage that is shown as running after another one.
 * @param index  position of the stage that has ended
 * @returns undefined after the last one
 */
export function shownAfter(
  index: number,
  stages: readonly Stage[],
  job: Pick<StageJob, "params">,
  services: Pick<StageServices, "resultProcesses">,
): Stage | undefined {
  return stages.slice(index + 1).find((stage) => stage.hasWork?.(job, services) ?? true);
}

/** Of a stage that has nothing to do for the job: none. */
export const costOf = (
  stage: Stage,
  job: Pick<StageJob, "params" | "model">,
  services: Pick<StageServices, "resultProcesses">,
): StageCost =>
  stage.hasWork?.(job, services) === false
    ? { kind: stage.name, secondsPerAudioSecond: 0, seconds: 0 }
    : stage.cost(job, services);

export interface Stage<Name extends StageName = StageName> {
  name: Name;
  /** For the progress and the estimated rest; figures of English speech on two cores without VNNI. */
  cost(job: Pick<StageJob, "params" | "model">, services: Pick<StageServices, "resultProcesses">): StageCost;
  /** Whether the stage computes anything for the job; always, where it is absent. A stage without work is not shown as the one that runs. */
  hasWork?(job: Pick<StageJob, "params">, services: Pick<StageServices, "resultProcesses">): boolean;
  /** Whether the stage resumes after an interruption, so that progress within it counts as progress of the job. */
  keepsProgress?: boolean;
  run(context: StageContext): Promise<NonNullable<StageOutputs[Name]>>;
}
