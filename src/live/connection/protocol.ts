// The messages of a live session, in and out, and which flag lets which of them through. Wire names live here.
import type { AddonResult, ResultMetadata, Transcription, Utterance } from "../../jobs/transcript.ts";

export interface ErrorDetail {
  message: string;
  code?: number;
}

interface Envelope {
  session_id: string;
  created_at: string;
}

export type MessageBody =
  | { type: "start_session" | "start_recording" | "end_session" }
  | { type: "end_recording"; data: { recording_duration: number } }
  | { type: "speech_start" | "speech_end"; data: { time: number; channel: number } }
  | {
      type: "pre_processing";
      data: { name: string; channel: number; time_range: [number, number] } & (
        | { noise_decibels: number | null; strength: number }
        | { language: string; probability: number }
      );
    }
  | { type: "transcript"; data: { id: string; is_final: boolean; utterance: Utterance } }
  | {
      type: "audio_chunk";
      acknowledged: boolean;
      error: ErrorDetail | null;
      data: { byte_range: [number, number]; time_range: [number, number] } | null;
    }
  | {
      type: "stop_recording";
      acknowledged: boolean;
      error: ErrorDetail | null;
      data: { recording_duration: number; recording_left_to_process: number } | null;
    }
  | RealtimeMessage
  | { type: "post_transcript"; data: Transcription }
  | { type: "post_summarization" | "post_chapterization"; error: ErrorDetail | null; data: { results: unknown } | null }
  | { type: "post_final_transcript"; data: LiveResult }
  | { type: "error"; error: ErrorDetail; message: string; data: { code: string; message: string } };

/** Of add-ons that work on one final. */
export type RealtimeMessage =
  | { type: "named_entity_recognition" | "sentiment_analysis"; error: null; data: OfUtterance & { results: unknown[] } }
  | {
      type: "translation";
      error: null;
      data: OfUtterance & { original_language: string; target_language: string; translated_utterance: Utterance };
    }
  | { type: "translation" | "named_entity_recognition" | "sentiment_analysis"; error: ErrorDetail; data: null };

interface OfUtterance {
  utterance_id: string;
  utterance: Utterance;
}

export type Message = MessageBody & Envelope;

export interface LiveResult {
  metadata: ResultMetadata;
  transcription: Transcription;
  [addon: string]: unknown | AddonResult<unknown>;
}

export interface MessageFlags {
  receive_partial_transcripts: boolean;
  receive_final_transcripts: boolean;
  receive_speech_events: boolean;
  receive_pre_processing_events: boolean;
  receive_realtime_processing_events: boolean;
  receive_post_processing_events: boolean;
  receive_acknowledgments: boolean;
  receive_errors: boolean;
  receive_lifecycle_events: boolean;
}

const FLAG_OF: Record<Exclude<MessageBody["type"], "transcript">, keyof MessageFlags> = {
  start_session: "receive_lifecycle_events",
  start_recording: "receive_lifecycle_events",
  end_recording: "receive_lifecycle_events",
  end_session: "receive_lifecycle_events",
  speech_start: "receive_speech_events",
  speech_end: "receive_speech_events",
  pre_processing: "receive_pre_processing_events",
  audio_chunk: "receive_acknowledgments",
  stop_recording: "receive_acknowledgments",
  translation: "receive_realtime_processing_events",
  named_entity_recognition: "receive_realtime_processing_events",
  sentiment_analysis: "receive_realtime_processing_events",
  post_transcript: "receive_post_processing_events",
  post_summarization: "receive_post_processing_events",
  post_chapterization: "receive_post_processing_events",
  post_final_transcript: "receive_post_processing_events",
  error: "receive_errors",
};

/** The flag that decides whether a message is delivered. */
export function flagOf(message: MessageBody): keyof MessageFlags {
  if (message.type !== "transcript") return FLAG_OF[message.type];
  return message.data.is_final ? "receive_final_transcripts" : "receive_partial_transcripts";
}

/** Partials and acknowledgments mean nothing to a client that was not there. */
export function outlivesConnection(message: MessageBody): boolean {
  if (message.type === "transcript") return message.data.is_final;
  return message.type !== "audio_chunk" && message.type !== "stop_recording";
}

/** Messages above this size are refused by common clients. */
const MOST_MESSAGE_BYTES = 1_000_000;

function withoutWords(message: Message): Message {
  if (message.type !== "post_transcript" && message.type !== "post_final_transcript") return message;
  const strip = (transcription: Transcription): Transcription => ({
    ...transcription,
    utterances: transcription.utterances.map((utterance) => ({ ...utterance, words: [] })),
  });
  return message.type === "post_transcript"
    ? { ...message, data: strip(message.data) }
    : { ...message, data: { ...message.data, transcription: strip(message.data.transcription) } };
}

/** The text frame of a message; one that would be too large goes without its words. */
export function printMessage(message: Message): string {
  const text = JSON.stringify(message);
  return Buffer.byteLength(text) > MOST_MESSAGE_BYTES ? JSON.stringify(withoutWords(message)) : text;
}

export type ClientFrame =
  | { kind: "audio"; bytes: Buffer }
  | { kind: "stop" }
  /** Something else; the reason is for the client. */
  | { kind: "unreadable"; reason: string; isChunk: boolean };

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** A text frame from the client. Never throws. */
export function parseTextFrame(text: string): ClientFrame {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { kind: "unreadable", reason: "the text frame is not JSON", isChunk: false };
  }
  const { type, data } = (message ?? {}) as { type?: unknown; data?: { chunk?: unknown } | null };
  if (type === "stop_recording") return { kind: "stop" };
  if (type !== "audio_chunk") {
    const given = typeof type === "string" ? type.slice(0, 50) : typeof type;
    return {
      kind: "unreadable",
      reason: `type must be audio_chunk or stop_recording; it is ${given}`,
      isChunk: false,
    };
  }
  const chunk = data?.chunk;
  if (typeof chunk !== "string" || !BASE64.test(chunk)) {
    return { kind: "unreadable", reason: "data.chunk must be base64 text", isChunk: true };
  }
  return { kind: "audio", bytes: Buffer.from(chunk, "base64") };
}
