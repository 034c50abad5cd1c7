// Builds the longer messages of a session.

import { milliseconds } from "../../transcript/transcript.ts";
import { rounded } from "../../transcripts/recognized-segments.ts";
import type { Enhancement } from "../channel/enhanced-input.ts";
import type { SpeechLanguage } from "../channel/spoken-language.ts";
import type { MessageBody } from "../connection/protocol.ts";

type Range = [start: number, end: number];

/** Acknowledges a chunk. @param bytes  range from the start of the session @param seconds  the same range as time */
export function chunkAcknowledged(bytes: Range, seconds: Range): MessageBody {
  const data = { byte_range: bytes, time_range: seconds };
  return { type: "audio_chunk", acknowledged: true, error: null, data };
}

export function chunkRefused(message: string): MessageBody {
  return { type: "audio_chunk", acknowledged: false, error: { message }, data: null };
}

/** @param duration  received audio, seconds @param left  part of it that is not transcribed yet, seconds */
export function stopAcknowledged(duration: number, left: number): MessageBody {
  const data = { recording_duration: milliseconds(duration), recording_left_to_process: milliseconds(left) };
  return { type: "stop_recording", acknowledged: true, error: null, data };
}

export function stopRefused(message: string): MessageBody {
  return { type: "stop_recording", acknowledged: false, error: { message }, data: null };
}

/** An error about the client's input, in both forms that clients read (`error` and `data`). */
export function clientError(
  code: "invalid_message" | "invalid_audio_format" | "language_unavailable",
  message: string,
): MessageBody {
  return { type: "error", error: { message, code: 400 }, message, data: { code, message } };
}

/** @param range  seconds of the enhanced audio */
export function enhancedMessage(channel: number, range: Range, { noiseDecibels, share }: Enhancement): MessageBody {
  return {
    type: "pre_processing",
    data: {
      name: "audio_enhancer",
      channel,
      time_range: range,
      noise_decibels: Number.isFinite(noiseDecibels) ? Math.round(noiseDecibels * 10) / 10 : null,
      strength: rounded(share),
    },
  };
}

/** @param range  seconds of the utterance whose language was detected */
export function languageMessage(
  channel: number,
  range: Range,
  { language, probability = 1 }: SpeechLanguage,
): MessageBody {
  return {
    type: "pre_processing",
    data: { name: "language_detection", channel, time_range: range, language, probability: rounded(probability) },
  };
}
