// The messages of the live WebSocket: their types and the AsyncAPI document are derived from these schemas, and tests
// validate the messages of real sessions with them.
import type { Static, TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import { ChapterBody, EntityBody, SentimentBody } from "./addon-results.ts";
import { Nullable } from "./fields.ts";
import { LiveResultBody, SpeakerIdentityBody, TranscriptionBody, UtteranceBody } from "./job.ts";
import { LiveChange } from "./live-change.ts";

const Seconds = Type.Number({ minimum: 0, description: "Seconds from the start of the session" });
const ErrorDetail = Type.Object({ message: Type.String(), code: Type.Optional(Type.Integer()) });
export type ErrorDetail = Static<typeof ErrorDetail>;
const TurnEndReason = Type.Unsafe<"model" | "silence" | "finalize" | "stop">({
  type: "string",
  enum: ["model", "silence", "finalize", "stop"],
  description: "What ended the turn: the judgement of a pause, the longest silence, finalize, or the end of the audio",
});
export type TurnEndReason = Static<typeof TurnEndReason>;
const Range = (item: TSchema, description: string) =>
  Type.Unsafe<[number, number]>(Type.Array(item, { minItems: 2, maxItems: 2, description }));

function message<Name extends string, Properties extends TProperties>(
  type: Name,
  properties: Properties,
  summary: string,
) {
  const common = {
    type: Type.Literal(type),
    session_id: Type.String({ format: "uuid" }),
    created_at: Type.String({ format: "date-time" }),
  };
  return Type.Object({ ...common, ...properties }, { title: type, description: summary });
}

/** Message of an add-on that works on one final: data, or an error. */
const realtime = <Name extends string, Data extends TProperties>(type: Name, data: Data, summary: string) =>
  message(
    type,
    {
      error: Nullable(ErrorDetail),
      data: Nullable(Type.Object({ utterance_id: Type.String(), utterance: UtteranceBody, ...data })),
    },
    summary,
  );

// Add-ons run in another process, and sessions pass their results on unseen: the schemas describe them, types do not.
const AddonResult = (schema: TSchema) => Type.Unsafe<unknown>(schema);
const AddonResults = (schema: TSchema) => Type.Unsafe<unknown[]>(schema);

/** What the service sends, by type. */
export const SERVER_MESSAGES = {
  start_session: message("start_session", {}, "The session was created; to callbacks only"),
  start_recording: message("start_recording", {}, "The first connection"),
  end_recording: message(
    "end_recording",
    { data: Type.Object({ recording_duration: Seconds }) },
    "All audio is transcribed",
  ),
  end_session: message("end_session", {}, "The last message; the connection is closed with 1000"),
  speech_start: message(
    "speech_start",
    { data: Type.Object({ time: Seconds, channel: Type.Integer({ minimum: 0 }) }) },
    "Somebody begins to speak",
  ),
  speech_end: message(
    "speech_end",
    { data: Type.Object({ time: Seconds, channel: Type.Integer({ minimum: 0 }) }) },
    "The endpointing silence has passed, the client has stopped sending for as long or sent finalize, or a judged pause ended the turn",
  ),
  turn_probably_over: message(
    "turn_probably_over",
    {
      data: Type.Object({
        channel: Type.Integer({ minimum: 0 }),
        time: Type.Number({ minimum: 0, description: "End of the speech, seconds from the start of the session" }),
        probability: Nullable(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: "Probability that the turn is over; null where silence alone decides",
          }),
        ),
        id: Type.String({ description: "Id of the utterance; its final has the same id" }),
        utterance: UtteranceBody,
      }),
    },
    "Extension, with receive_turn_events: the turn is probably over. One turn_resumed or turn_over follows",
  ),
  turn_resumed: message(
    "turn_resumed",
    { data: Type.Object({ time: Seconds, channel: Type.Integer({ minimum: 0 }) }) },
    "Extension, with receive_turn_events: speech continues the turn that was probably over",
  ),
  turn_over: message(
    "turn_over",
    {
      data: Type.Object({
        channel: Type.Integer({ minimum: 0 }),
        time: Type.Number({ minimum: 0, description: "End of the speech, seconds from the start of the session" }),
        probability: Nullable(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: "Probability that the turn is over; null where it was not judged",
          }),
        ),
        reason: TurnEndReason,
      }),
    },
    "Extension, with receive_turn_events: the turn is over, and its finals were sent",
  ),
  unrecognized_speech: message(
    "unrecognized_speech",
    {
      data: Type.Object({
        channel: Type.Integer({ minimum: 0 }),
        time_range: Range(Seconds, "[start, end]"),
        is_filler: Type.Optional(
          Type.Literal(true, { description: "The speech had only fillers, which filler_words: drop removed" }),
        ),
      }),
    },
    "Extension: no words were recognised in voice activity, and no later final has them; speech may be missing",
  ),
  pre_processing: message(
    "pre_processing",
    {
      data: Type.Union([
        Type.Object({
          name: Type.Literal("audio_enhancer"),
          channel: Type.Integer({ minimum: 0 }),
          time_range: Range(Seconds, "[start, end]"),
          noise_decibels: Nullable(Type.Number({ description: "Noise relative to the speech" })),
          strength: Type.Number({
            minimum: 0,
            maximum: 1,
            description: "How much was taken away; 0 where it was clean",
          }),
        }),
        Type.Object({
          name: Type.Literal("language_detection"),
          channel: Type.Integer({ minimum: 0 }),
          time_range: Range(Seconds, "[start, end]"),
          language: Type.String({ description: "ISO 639 code" }),
          probability: Type.Number({ minimum: 0, maximum: 1 }),
        }),
      ]),
    },
    "What the enhancer did during an utterance, or the language detected in it",
  ),
  transcript: message(
    "transcript",
    { data: Type.Object({ id: Type.String(), is_final: Type.Boolean(), utterance: UtteranceBody }) },
    "A partial, or the final of an utterance under the same id",
  ),
  speaker_revision: message(
    "speaker_revision",
    {
      data: Type.Object({
        channel: Type.Integer({ minimum: 0 }),
        merged: Type.Array(Type.Object({ speaker: Type.Integer({ minimum: 0 }), into: Type.Integer({ minimum: 0 }) }), {
          description: "Speakers who are one person: every word of `speaker` so far belongs to `into`",
        }),
        utterances: Type.Array(
          Type.Object({
            id: Type.String({ description: "Of a final" }),
            speaker: Type.Integer({ minimum: 0, description: "Of most of its words now" }),
            words: Type.Array(
              Type.Object({
                index: Type.Integer({ minimum: 0, description: "In the words of the final" }),
                speaker: Type.Integer({ minimum: 0 }),
              }),
            ),
          }),
          { description: "Finals with words whose speaker was decided too early; they apply after `merged`" },
        ),
      }),
    },
    "Extension, with diarization: corrects the speakers of earlier finals",
  ),
  speaker_names: message(
    "speaker_names",
    { data: Type.Object({ speakers: Type.Array(SpeakerIdentityBody) }) },
    "Extension, with identify_speakers: speakers whose voices the account's library has; each message replaces the one before",
  ),
  audio_chunk: message(
    "audio_chunk",
    {
      acknowledged: Type.Boolean(),
      error: Nullable(ErrorDetail),
      data: Nullable(
        Type.Object({
          byte_range: Range(Type.Integer({ minimum: 0 }), "[start, end) over the whole session"),
          time_range: Range(Seconds, "The same in seconds"),
        }),
      ),
    },
    "The chunk is on disk",
  ),
  stop_recording: message(
    "stop_recording",
    {
      acknowledged: Type.Boolean(),
      error: Nullable(ErrorDetail),
      data: Nullable(Type.Object({ recording_duration: Seconds, recording_left_to_process: Seconds })),
    },
    "The stop was taken",
  ),
  finalize: message(
    "finalize",
    { acknowledged: Type.Boolean(), error: Nullable(ErrorDetail), data: Nullable(Type.Object({ time: Seconds })) },
    "Extension: every final of the audio before this time was sent",
  ),
  configure: message(
    "configure",
    { acknowledged: Type.Boolean(), error: Nullable(ErrorDetail), data: Nullable(Type.Object({ time: Seconds })) },
    "Extension: the audio from this time on is processed as the client requested; or why nothing was changed",
  ),
  translation: realtime(
    "translation",
    {
      original_language: Type.String(),
      target_language: Type.String(),
      translated_utterance: UtteranceBody,
      is_final: Type.Optional(Type.Boolean({ description: "False for a partial; absent for a final" })),
    },
    "A final in another language; with translation_config.partials, partials too",
  ),
  named_entity_recognition: realtime(
    "named_entity_recognition",
    { results: AddonResults(Type.Array(EntityBody)) },
    "Names, places, dates … of a final",
  ),
  sentiment_analysis: realtime(
    "sentiment_analysis",
    { results: AddonResults(Type.Array(SentimentBody)) },
    "Sentiment of a final",
  ),
  post_transcript: message("post_transcript", { data: TranscriptionBody }, "The whole transcript"),
  post_summarization: message(
    "post_summarization",
    { error: Nullable(ErrorDetail), data: Nullable(Type.Object({ results: AddonResult(Type.String()) })) },
    "Summary of the session",
  ),
  post_chapterization: message(
    "post_chapterization",
    { error: Nullable(ErrorDetail), data: Nullable(Type.Object({ results: AddonResult(Type.Array(ChapterBody)) })) },
    "Chapters of the session",
  ),
  post_final_transcript: message(
    "post_final_transcript",
    {
      data: LiveResultBody,
    },
    "The result as GET /v2/live/:id has it, without the messages",
  ),
  error: message(
    "error",
    {
      error: ErrorDetail,
      message: Type.String(),
      data: Type.Object({ code: Type.String(), message: Type.String() }),
    },
    "Something that was sent cannot be used",
  ),
};

type Sent = typeof SERVER_MESSAGES;
/** A message of a session. */
export type ServerMessage = { [Name in keyof Sent]: Static<Sent[Name]> }[keyof Sent];

type WithoutEnvelope<Message> = Message extends unknown ? Omit<Message, "session_id" | "created_at"> : never;
/** A message before it is numbered and sent. */
export type MessageBody = WithoutEnvelope<ServerMessage>;

/** What clients send as text; binary frames are audio. */
export const CLIENT_MESSAGES = {
  audio_chunk: Type.Object(
    { type: Type.Literal("audio_chunk"), data: Type.Object({ chunk: Type.String({ contentEncoding: "base64" }) }) },
    { title: "audio_chunk", description: "Audio in the session's encoding, split anywhere; empty is a keep-alive" },
  ),
  stop_recording: Type.Object(
    { type: Type.Literal("stop_recording") },
    { title: "stop_recording", description: "No more audio comes" },
  ),
  finalize: Type.Object(
    { type: Type.Literal("finalize") },
    {
      title: "finalize",
      description: "Extension: the utterance ends with the audio sent so far; later audio starts a new one",
    },
  ),
  configure: Type.Object(
    { type: Type.Literal("configure"), data: LiveChange },
    {
      title: "configure",
      description: "Extension: changes how the audio that follows is processed; what it does not name stays as it is",
    },
  ),
};
