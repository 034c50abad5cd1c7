// The messages of a session that take more than a line to say.
import type { Enhancement } from "../channel/enhanced-input.ts";
import type { HeardLanguage } from "../channel/spoken-language.ts";
import { rounded } from "../channel/utterance.ts";
import type { MessageBody } from "../connection/protocol.ts";

type Range = [start: number, end: number];

/** A chunk is on disk. @param bytes  from the start of the session @param seconds  the same as time */
export function chunkTaken(bytes: Range, seconds: Range): MessageBody {
  const data = { byte_range: bytes, time_range: seconds };
  return { type: "audio_chunk", acknowledged: true, error: null, data };
}

export function chunkRefused(message: string): MessageBody {
  return { type: "audio_chunk", acknowledged: false, error: { message }, data: null };
}

/** @param duration  seconds that were sent @param left  seconds of them that are not transcribed */
export function stopTaken(duration: number, left: number): MessageBody {
  const data = { recording_duration: rounded(duration), recording_left_to_process: rounded(left) };
  return { type: "stop_recording", acknowledged: true, error: null, data };
}

export function stopRefused(message: string): MessageBody {
  return { type: "stop_recording", acknowledged: false, error: { message }, data: null };
}

/** What the client did wrong, in the ways that clients look for it. */
export function clientError(code: "invalid_message" | "invalid_audio_format", message: string): MessageBody {
  return { type: "error", error: { message, code: 400 }, message, data: { code, message } };
}

/** @param range  seconds of the audio that was enhanced */
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

/** @param range  seconds of the utterance whose language was heard */
export function languageMessage(
  channel: number,
  range: Range,
  { language, probability = 1 }: HeardLanguage,
): MessageBody {
  const data = { name: "language_detection", channel, time_range: range, language, probability: rounded(probability) };
  return { type: "pre_processing", data };
}
