// Response types, limited to the fields that the console reads.
import type { AddonResult, Transcription, TranscriptionResult } from "../../src/transcript/transcript.ts";

export type { Utterance } from "../../src/transcript/transcript.ts";
export type { AddonResult, Transcription, TranscriptionResult };

export type JobStatus = "queued" | "processing" | "done" | "error";

export interface JobProgress {
  waits_for: { model: string; share: number } | null;
  queue_position: number | null;
  fetch?: { attempts: number; last_failure: string | null } | null;
  stage: string | null;
  share: number;
  estimated_seconds: number | null;
}

export interface JobItem {
  id: string;
  status: JobStatus;
  kind: "pre-recorded" | "live";
  created_at: string;
  completed_at: string | null;
  custom_metadata: Record<string, unknown> | null;
  error_code: number | null;
  error_message: string | null;
  file: { id: string; filename: string | null; source: string | null; audio_duration: number | null } | null;
  passage?: string;
}

export interface Job extends JobItem {
  request_params: Record<string, unknown> | null;
  progress?: JobProgress | null;
  result: TranscriptionResult | null;
}

export interface JobPage {
  first: string;
  next: string | null;
  items: JobItem[];
}

export interface Delivery {
  id: string;
  job_id?: string;
  event: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  created_at: string;
  attempts: { number: number; at: string; duration: number; response_status: number | null; detail: string }[];
}

export interface SystemStatus {
  version: string;
  ready: boolean;
  cores: number;
  recognizers: number;
  load: {
    live_sessions: number;
    waiting_segments: number;
    final_delay: number;
    processor: number;
    memory_free: number;
  };
  jobs: { queued: number; processing: number };
  model: string;
  multilingual_model: string;
  language_model: { url: string; model: string } | null;
  is_operator: boolean;
}

export interface SpeechModel {
  id: string;
  purpose: "recognition" | "speakers";
  installed: boolean;
  built_in: boolean;
  languages: number;
  codes: string[];
  licence: string;
  note: string;
  bytes: number | null;
  fetching: number | null;
  failure: string | null;
}
