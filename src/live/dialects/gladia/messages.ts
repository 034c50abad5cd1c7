// Messages of Gladia's live protocol. Wire names are defined here.
import type { Transcription, Utterance } from "../../../transcript/transcript.ts";
import type { LiveResult, Range } from "../../events/live-event.ts";

export interface ErrorDetail {
  message: string;
  code?: number;
}

interface Envelope {
  session_id: string;
  created_at: string;
}

export type MessageBody =
  | { type: "start_session" }
  | { type: "start_recording" }
  | { type: "end_session" }
  | { type: "end_recording"; data: { recording_duration: number } }
  | { type: "speech_start"; data: { time: number; channel: number } }
  | { type: "speech_end"; data: { time: number; channel: number } }
  | {
      type: "pre_processing";
      data:
        | {
            name: "audio_enhancer";
            channel: number;
            time_range: Range;
            noise_decibels: number | null;
            strength: number;
          }
        | { name: "language_detection"; channel: number; time_range: Range; language: string; probability: number };
    }
  | { type: "transcript"; data: { id: string; is_final: boolean; utterance: Utterance } }
  | {
      type: "audio_chunk";
      acknowledged: boolean;
      error: ErrorDetail | null;
      data: { byte_range: Range; time_range: Range } | null;
    }
  | {
      type: "stop_recording";
      acknowledged: boolean;
      error: ErrorDetail | null;
      data: { recording_duration: number; recording_left_to_process: number } | null;
    }
  | { type: "translation"; error: ErrorDetail | null; data: Translated | null }
  | { type: "named_entity_recognition"; error: ErrorDetail | null; data: OfUtterance | null }
  | { type: "sentiment_analysis"; error: ErrorDetail | null; data: OfUtterance | null }
  | { type: "post_transcript"; data: Transcription }
  | { type: "post_summarization"; error: ErrorDetail | null; data: { results: unknown } | null }
  | { type: "post_chapterization"; error: ErrorDetail | null; data: { results: unknown } | null }
  | { type: "post_final_transcript"; data: LiveResult }
  | { type: "error"; error: ErrorDetail; message: string; data: { code: string; message: string } };

interface OfUtterance {
  utterance_id: string;
  utterance: Utterance;
  results: unknown[];
}

interface Translated {
  utterance_id: string;
  utterance: Utterance;
  original_language: string;
  target_language: string;
  translated_utterance: Utterance;
  /** False for a partial; absent for a final. */
  is_final?: boolean;
}

export type Message = Envelope & MessageBody;
export type MessageType = MessageBody["type"];
export type BodyOf<Type extends MessageType> = Extract<MessageBody, { type: Type }>;
