// Prints events as messages of Gladia's live protocol.
import type { AddonResult, Transcription, TranscriptionResult } from "../../../../contract/transcript/transcript.ts";
import { jsonPieces } from "../../../../platform/storage/json-pieces.ts";
import type { EmittedEvent, EventKind, EventOf, LiveEvent } from "../../events/live-event.ts";
import type { Message, MessageBody } from "./messages.ts";

const PRINTERS: { [Kind in EventKind]: (event: EventOf<Kind>) => MessageBody } = {
  sessionCreated: () => ({ type: "start_session" }),
  recordingStarted: () => ({ type: "start_recording" }),
  recordingEnded: ({ durationSeconds }) => ({ type: "end_recording", data: { recording_duration: durationSeconds } }),
  sessionEnded: () => ({ type: "end_session" }),
  speechStarted: ({ seconds, channel }) => ({ type: "speech_start", data: { time: seconds, channel } }),
  speechEnded: ({ seconds, channel }) => ({ type: "speech_end", data: { time: seconds, channel } }),
  turnProbablyOver: ({ seconds, channel, probability, id, utterance }) => ({
    type: "turn_probably_over",
    data: { time: seconds, channel, probability, id, utterance },
  }),
  turnResumed: ({ seconds, channel }) => ({ type: "turn_resumed", data: { time: seconds, channel } }),
  turnOver: ({ seconds, channel, probability, reason }) => ({
    type: "turn_over",
    data: { time: seconds, channel, probability, reason },
  }),
  speechUnrecognized: ({ channel, range, isFiller }) => ({
    type: "unrecognized_speech",
    data: { channel, time_range: range, ...(isFiller ? { is_filler: true as const } : {}) },
  }),
  speechEnhanced: ({ channel, range, noiseDecibels, strength }) => ({
    type: "pre_processing",
    data: { name: "audio_enhancer", channel, time_range: range, noise_decibels: noiseDecibels, strength },
  }),
  languageDetected: ({ channel, range, language, probability }) => ({
    type: "pre_processing",
    data: { name: "language_detection", channel, time_range: range, language, probability },
  }),
  partial: ({ id, utterance }) => ({ type: "transcript", data: { id, is_final: false, utterance } }),
  final: ({ id, utterance }) => ({ type: "transcript", data: { id, is_final: true, utterance } }),
  speakersRevised: ({ channel, merged, utterances }) => ({
    type: "speaker_revision",
    data: { channel, merged, utterances },
  }),
  speakersNamed: ({ speakers }) => ({ type: "speaker_names", data: { speakers } }),
  chunkStored: ({ bytes, seconds }) => ({
    type: "audio_chunk",
    acknowledged: true,
    error: null,
    data: { byte_range: bytes, time_range: seconds },
  }),
  chunkRefused: ({ reason }) => ({ type: "audio_chunk", acknowledged: false, error: { message: reason }, data: null }),
  stopAccepted: ({ recordedSeconds, remainingSeconds }) => ({
    type: "stop_recording",
    acknowledged: true,
    error: null,
    data: { recording_duration: recordedSeconds, recording_left_to_process: remainingSeconds },
  }),
  stopRefused: ({ reason }) => ({
    type: "stop_recording",
    acknowledged: false,
    error: { message: reason },
    data: null,
  }),
  finalized: ({ seconds }) => ({ type: "finalize", acknowledged: true, error: null, data: { time: seconds } }),
  finalizeRefused: ({ reason }) => ({ type: "finalize", acknowledged: false, error: { message: reason }, data: null }),
  configured: ({ seconds }) => ({ type: "configure", acknowledged: true, error: null, data: { time: seconds } }),
  configureRefused: ({ reason }) => ({
    type: "configure",
    acknowledged: false,
    error: { message: reason },
    data: null,
  }),
  translation: ({ utteranceId, utterance, targetLanguage, translated, isPartial }) => ({
    type: "translation",
    error: null,
    data: {
      utterance_id: utteranceId,
      utterance,
      original_language: utterance.language,
      target_language: targetLanguage,
      translated_utterance: translated,
      ...(isPartial ? { is_final: false } : {}),
    },
  }),
  utteranceAddon: ({ addon, utteranceId, utterance, results }) => ({
    type: addon,
    error: null,
    data: { utterance_id: utteranceId, utterance, results },
  }),
  utteranceAddonFailed: ({ addon, reason }) => ({ type: addon, error: { message: reason }, data: null }),
  transcript: ({ transcription }) => ({ type: "post_transcript", data: transcription }),
  sessionAddon: ({ addon, failure, results }) => ({
    type: `post_${addon}`,
    error: failure === null ? null : { message: failure },
    data: failure === null ? { results } : null,
  }),
  result: ({ result }) => ({ type: "post_final_transcript", data: result }),
  // Both forms that clients read: `error` and `data`.
  error: ({ code, reason }) => ({
    type: "error",
    error: { message: reason, code: 400 },
    message: reason,
    data: { code, message: reason },
  }),
};

export const bodyOf = (event: LiveEvent): MessageBody =>
  (PRINTERS[event.kind] as (event: LiveEvent) => MessageBody)(event);

/** Common clients refuse larger messages. */
const MOST_MESSAGE_BYTES = 1_000_000;

const wordless = (transcription: Transcription): Transcription => ({
  ...transcription,
  utterances: transcription.utterances.map((utterance) => ({ ...utterance, words: [] })),
});

function withoutWords(message: Message): Message {
  if (message.type === "post_transcript") return { ...message, data: wordless(message.data) };
  if (message.type !== "post_final_transcript") return message;
  return { ...message, data: { ...message.data, transcription: wordless(message.data.transcription) } };
}

function withoutTranslatedWords(result: TranscriptionResult): TranscriptionResult {
  const translation = result["translation"] as AddonResult<Transcription[]> | undefined;
  if (!translation?.success) return result;
  return { ...result, translation: { ...translation, results: translation.results.map(wordless) } };
}

/** Looks at a megabyte at most, in turns. */
async function isTooLarge(body: MessageBody): Promise<boolean> {
  let bytes = 0;
  for await (const piece of jsonPieces(body)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > MOST_MESSAGE_BYTES) return true;
  }
  return false;
}

/**
 * The event as its message needs it. The transcript of a long session is too large for a message with its words: then the event has none
 * either, as printing and storing 18 MB would take half a second.
 */
export async function eventForMessage(event: LiveEvent): Promise<LiveEvent> {
  if (event.kind !== "transcript" && event.kind !== "result") return event;
  if (!(await isTooLarge(bodyOf(event)))) return event;
  if (event.kind === "transcript") return { ...event, transcription: wordless(event.transcription) };
  const result = { ...event.result, transcription: wordless(event.result.transcription) };
  const isStillTooLarge = await isTooLarge(bodyOf({ ...event, result }));
  return { ...event, result: isStillTooLarge ? withoutTranslatedWords(result) : result };
}

/** Printed texts: the connection, the callback and the stored result need the text of the same event. */
const printed = new WeakMap<EmittedEvent, string>();

/** Sets the text of an event that an earlier process printed: `printMessage` returns exactly this text, so that a resent message is unchanged. */
export function setPrinted(emitted: EmittedEvent, text: string): void {
  printed.set(emitted, text);
}

/** The message of an event; one that would be too large is printed without its words. */
export function printMessage(emitted: EmittedEvent): string {
  const known = printed.get(emitted);
  if (known !== undefined) return known;
  const message = { session_id: emitted.sessionId, created_at: emitted.at, ...bodyOf(emitted.event) } as Message;
  const whole = JSON.stringify(message);
  const text = Buffer.byteLength(whole) > MOST_MESSAGE_BYTES ? JSON.stringify(withoutWords(message)) : whole;
  printed.set(emitted, text);
  return text;
}
