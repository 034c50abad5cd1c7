// Frames of a live session in both directions, and the flag that enables each message. contract/live-messages.ts defines the messages.

import type { MessageFlags } from "../../contract/live.ts";
import type { MessageBody, RealtimeMessage, ServerMessage } from "../../contract/live-messages.ts";
import { beginningOf, storableText } from "../../text/storable.ts";
import type { Transcription, TranscriptionResult } from "../../transcript/transcript.ts";

export type { MessageBody, MessageFlags, RealtimeMessage };
export type Message = ServerMessage;
export type LiveResult = TranscriptionResult;

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

/**
 * Messages that are kept for the next connection. Partials, acknowledgments and errors about a frame only concern the
 * connection that sent it; storing errors would also let a client fill the disk.
 */
export function outlivesConnection(message: MessageBody): boolean {
  if (message.type === "transcript") return message.data.is_final;
  if (message.type === "translation" && message.data?.is_final === false) return false;
  return message.type !== "audio_chunk" && message.type !== "stop_recording" && message.type !== "error";
}

/** Common clients refuse larger messages. */
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

/** The text frame of a message; a message that would be too large is sent without its words. */
export function printMessage(message: Message): string {
  const text = JSON.stringify(message);
  return Buffer.byteLength(text) > MOST_MESSAGE_BYTES ? JSON.stringify(withoutWords(message)) : text;
}

export type ClientFrame =
  /** `unknownFields`: dotted paths of fields that the message does not have; absent if there are none. */
  | { kind: "audio"; bytes: Buffer; unknownFields?: string[] }
  | { kind: "stop"; unknownFields?: string[] }
  /** Any other frame; the client is sent the reason. */
  | { kind: "unreadable"; reason: string; isChunk: boolean };

const SHOWN_CHARACTERS = 50;
/** Searching for a character outside base64 takes 64 ms for the largest frame; matching the whole text took 176 ms. */
const NOT_BASE64 = /[^A-Za-z0-9+/_\s-]/;
/** RFC 2045 breaks lines after 76 characters; the last line may end with a line break too. */
const PADDING = /(?:=\s*){0,2}$/;

const isBase64 = (text: string) => !NOT_BASE64.test(text.replace(PADDING, ""));

const MOST_FIELDS = 10;

function unknownNames(value: unknown, known: readonly string[]): string[] {
  const names: string[] = [];
  if (typeof value !== "object" || value === null) return names;
  for (const name in value) {
    if (!known.includes(name)) names.push(storableText(beginningOf(name, SHOWN_CHARACTERS)));
    if (names.length >= MOST_FIELDS) break;
  }
  return names;
}

/** @param ofData  fields that the message's data may have */
function unknownFieldsOf(message: unknown, data: unknown, ofData: readonly string[]): { unknownFields?: string[] } {
  const inData = unknownNames(data, ofData).map((name) => `data.${name}`);
  const unknownFields = [...unknownNames(message, ["type", "data"]), ...inData];
  return unknownFields.length > 0 ? { unknownFields } : {};
}

const [BRACE_OPEN, BRACE_CLOSE] = [0x7b, 0x7d];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Whether the bytes are a JSON object with a type. */
function isMessage(bytes: Buffer): boolean {
  let [start, end] = [0, bytes.length];
  while (isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  if (bytes[start] !== BRACE_OPEN || bytes[end - 1] !== BRACE_CLOSE) return false;
  try {
    return typeof JSON.parse(bytes.toString("utf8"))?.type === "string";
  } catch {
    return false;
  }
}

/**
 * A binary frame from the client: audio, or a message that the client's library sent in a binary frame. Never throws.
 */
export function parseBinaryFrame(bytes: Buffer): ClientFrame {
  return isMessage(bytes) ? parseTextFrame(bytes) : { kind: "audio", bytes };
}

/** A text frame from the client. Never throws. */
export function parseTextFrame(bytes: Buffer): ClientFrame {
  let message: unknown;
  try {
    message = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { kind: "unreadable", reason: "the text frame is not JSON", isChunk: false };
  }
  const { type, data } = (message ?? {}) as { type?: unknown; data?: { chunk?: unknown } | null };
  if (type === "stop_recording") return { kind: "stop", ...unknownFieldsOf(message, data, []) };
  if (type !== "audio_chunk") {
    const given = typeof type === "string" ? storableText(beginningOf(type, SHOWN_CHARACTERS)) : typeof type;
    return {
      kind: "unreadable",
      reason: `type must be audio_chunk or stop_recording; it is ${given}`,
      isChunk: false,
    };
  }
  const chunk = data?.chunk;
  if (typeof chunk !== "string" || !isBase64(chunk)) {
    return { kind: "unreadable", reason: "data.chunk must be base64 text", isChunk: true };
  }
  return { kind: "audio", bytes: Buffer.from(chunk, "base64"), ...unknownFieldsOf(message, data, ["chunk"]) };
}
