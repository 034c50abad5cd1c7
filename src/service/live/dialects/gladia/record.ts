// Messages as records: results and callbacks of POST /v2/live contain them, and journals of versions that stored
// messages in place of events.
import type { EmittedEvent, LiveErrorCode, LiveEvent, SessionAddon, UtteranceAddon } from "../../events/live-event.ts";
import type { RecordFormat } from "../../events/record-format.ts";
import type { BodyOf, Message, MessageBody, MessageType } from "./messages.ts";
import { bodyOf, eventForMessage, printMessage, setPrinted } from "./print.ts";

/** Types of the messages that journals contain; acknowledgments, partials and names are not stored. */
type StoredType = Exclude<MessageType, "audio_chunk" | "finalize" | "configure" | "stop_recording" | "speaker_names">;

const utteranceAddon = (addon: UtteranceAddon, { error, data }: BodyOf<UtteranceAddon>): LiveEvent =>
  data
    ? {
        kind: "utteranceAddon",
        addon,
        utteranceId: data.utterance_id,
        utterance: data.utterance,
        results: data.results,
      }
    : { kind: "utteranceAddonFailed", addon, reason: error?.message ?? "" };

const sessionAddon = (addon: SessionAddon, { error, data }: BodyOf<`post_${SessionAddon}`>): LiveEvent => ({
  kind: "sessionAddon",
  addon,
  failure: data ? null : (error?.message ?? ""),
  ...(data ? { results: data.results } : {}),
});

const PARSERS: { [Type in StoredType]: (message: BodyOf<Type>) => LiveEvent } = {
  start_session: () => ({ kind: "sessionCreated" }),
  start_recording: () => ({ kind: "recordingStarted" }),
  end_recording: ({ data }) => ({ kind: "recordingEnded", durationSeconds: data.recording_duration }),
  end_session: () => ({ kind: "sessionEnded" }),
  speech_start: ({ data }) => ({ kind: "speechStarted", channel: data.channel, seconds: data.time }),
  speech_end: ({ data }) => ({ kind: "speechEnded", channel: data.channel, seconds: data.time }),
  turn_probably_over: ({ data: { time, ...data } }) => ({ kind: "turnProbablyOver", seconds: time, ...data }),
  turn_resumed: ({ data }) => ({ kind: "turnResumed", channel: data.channel, seconds: data.time }),
  turn_over: ({ data: { time, ...data } }) => ({ kind: "turnOver", seconds: time, ...data }),
  unrecognized_speech: ({ data }) => ({
    kind: "speechUnrecognized",
    channel: data.channel,
    range: data.time_range,
    ...(data.is_filler ? { isFiller: true as const } : {}),
  }),
  pre_processing: ({ data }) => {
    const place = { channel: data.channel, range: data.time_range };
    return data.name === "audio_enhancer"
      ? { kind: "speechEnhanced", ...place, noiseDecibels: data.noise_decibels, strength: data.strength }
      : { kind: "languageDetected", ...place, language: data.language, probability: data.probability };
  },
  transcript: ({ data }) => ({ kind: data.is_final ? "final" : "partial", id: data.id, utterance: data.utterance }),
  speaker_revision: ({ data }) => ({ kind: "speakersRevised", ...data }),
  translation: ({ error, data }) =>
    data
      ? {
          kind: "translation",
          utteranceId: data.utterance_id,
          utterance: data.utterance,
          targetLanguage: data.target_language,
          translated: data.translated_utterance,
        }
      : { kind: "utteranceAddonFailed", addon: "translation", reason: error?.message ?? "" },
  named_entity_recognition: (message) => utteranceAddon("named_entity_recognition", message),
  sentiment_analysis: (message) => utteranceAddon("sentiment_analysis", message),
  post_transcript: ({ data }) => ({ kind: "transcript", transcription: data }),
  post_summarization: (message) => sessionAddon("summarization", message),
  post_chapterization: (message) => sessionAddon("chapterization", message),
  post_final_transcript: ({ data }) => ({ kind: "result", result: data }),
  error: ({ data, message }) => ({
    kind: "error",
    code: data.code as LiveErrorCode,
    reason: message,
  }),
};

function parseRecord(text: string): EmittedEvent | undefined {
  try {
    const message = JSON.parse(text) as Message;
    if (!Object.hasOwn(PARSERS, message.type)) return undefined;
    const parse = PARSERS[message.type as StoredType] as (message: MessageBody) => LiveEvent;
    const emitted = { sessionId: message.session_id, at: message.created_at, event: parse(message) };
    // The text is sent again as it was printed, whichever version printed it.
    setPrinted(emitted, text);
    return emitted;
  } catch {
    // Lines of earlier versions have no checksum, so a damaged one is found only here.
    return undefined;
  }
}

export const gladiaRecord: RecordFormat = {
  print: printMessage,
  eventForMessage,
  parse: parseRecord,
  nameOf: (event) => bodyOf(event).type,
};
