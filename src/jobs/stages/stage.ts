// What a stage of a pre-recorded job is. A stage can be run again from its inputs at any time: what it leaves is
// named in the database only when it is complete.

import type { Logger } from "pino";
import type { DecoderPool } from "../../audio/decode/decoder-pool.ts";
import type { Segment } from "../../audio/voice-activity/segmentation.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { Priority } from "../../inference/scheduler.ts";
import type { Analyst } from "../../intelligence/process/analyst.ts";
import type { PlanSettings } from "../../models/speech-plan.ts";
import type { ModelStore } from "../../models/store.ts";
import type { Tracing } from "../../observability/tracing.ts";
import type { Database } from "../../storage/db/database.ts";
import type { FreeSpace } from "../../storage/free-space.ts";
import type { ObjectStore } from "../../storage/objects/object-store.ts";

/** What each stage leaves for the later ones. */
export interface StageOutputs {
  fetch?: { fileId: string; objectKey: string };
  decode?: {
    durationSeconds: number;
    /** Channels of the file that stand for themselves. */
    distinctChannels: number[];
  };
  segment?: { segmentCount: number };
  recognize?: { recognizedCount: number };
  /** How many segments were written down in English. */
  translate?: { segments: number };
  /** How many pieces of audio voices were looked for in; whether it could not be done. */
  speakers?: { pieces: number; hasFailed?: boolean };
  assemble?: { resultKey: string };
}

/** Segments of one channel. */
export interface ChannelSegments {
  channel: number;
  segments: Segment[];
}

export interface StageServices {
  database: Database;
  objects: ObjectStore;
  space: FreeSpace;
  decoders: DecoderPool;
  recognition: RecognitionPool;
  models: ModelStore;
  speech: PlanSettings;
  analyst: Analyst;
  limits: { maximumAudioSeconds: number; maximumFileBytes: number; fetchTimeoutSeconds: number };
  allowPrivateAddresses: boolean;
  tracing: Tracing;
  logger: Logger;
}

export interface StageJob {
  id: string;
  accountId: string;
  model: string;
  audioUrl: string | null;
  fileId: string | null;
  startedAt: Date;
  /** The request's body after defaults. */
  params: Record<string, unknown>;
}

export interface StageContext {
  job: StageJob;
  outputs: StageOutputs;
  services: StageServices;
  signal: AbortSignal;
  /** Of its work in the recogniser. */
  priority: Priority;
  /** traceparent of the stage, where it is traced. */
  trace?: string;
  /** Tells how much of this stage is done, 0 to 1. */
  progress(share: number): void;
}

export type StageName = keyof StageOutputs;

export interface Stage<Name extends StageName = StageName> {
  name: Name;
  /** Its part of the job's whole time, for the progress shown; the parts of all stages make 1. */
  weight: number;
  /** Keeps what it has done when it is interrupted, so that progress within it counts as getting on. */
  keepsProgress?: boolean;
  run(context: StageContext): Promise<NonNullable<StageOutputs[Name]>>;
}

export const workFolder = (jobId: string) => `jobs/${jobId}`;
export const channelKey = (jobId: string, channel: number) => `${workFolder(jobId)}/channel-${channel}.pcm`;
export const segmentsKey = (jobId: string) => `${workFolder(jobId)}/segments.json`;
export const voicesKey = (jobId: string) => `${workFolder(jobId)}/voices.jsonl`;
/** What was heard while the language was looked for. */
export const soundedKey = (jobId: string) => `${workFolder(jobId)}/sounded.jsonl`;
export const translatedKey = (jobId: string) => `${workFolder(jobId)}/translated.jsonl`;
export const recognizedKey = (jobId: string) => `${workFolder(jobId)}/recognized.jsonl`;
