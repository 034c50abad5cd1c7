// OpenAI's Realtime interface for transcription: sessions, the messages of the server, and client secrets. Wire names of that
// interface. https://platform.openai.com/docs/api-reference/realtime

import type { Static } from "typebox";
import * as Type from "typebox";
import { Enum, Metadata, Nullable } from "./fields.ts";
import type { Logprob } from "./openai.ts";

const TurnDetection = Type.Union(
  [
    Type.Object({
      type: Type.Literal("server_vad"),
      threshold: Type.Number(),
      prefix_padding_ms: Type.Number(),
      silence_duration_ms: Type.Number(),
    }),
    Type.Object({ type: Type.Literal("semantic_vad"), eagerness: Enum(["low", "medium", "high", "auto"]) }),
  ],
  { title: "RealtimeTurnDetection" },
);
export type TurnDetection = Static<typeof TurnDetection>;

const NoiseReduction = Type.Object({ type: Type.String() }, { title: "RealtimeNoiseReduction" });

const Transcription = Type.Object(
  {
    model: Type.String(),
    language: Type.Optional(Type.String()),
    languages: Type.Optional(Type.Array(Type.String())),
    prompt: Type.Optional(Type.String()),
    keywords: Type.Optional(Type.Array(Type.String())),
  },
  { title: "RealtimeTranscription" },
);

const Include = Nullable(Type.Array(Type.String()));

/** The session in session.created, in session.updated and in client secrets. */
const RealtimeSession = Type.Object(
  {
    type: Type.Literal("transcription"),
    object: Type.Literal("realtime.transcription_session"),
    id: Type.String(),
    audio: Type.Object({
      input: Type.Object({
        format: Type.Object({ type: Type.String(), rate: Type.Optional(Type.Integer()) }),
        transcription: Transcription,
        noise_reduction: Nullable(NoiseReduction),
        turn_detection: Nullable(TurnDetection),
      }),
    }),
    include: Include,
  },
  { title: "RealtimeTranscriptionSession" },
);
export type RealtimeSession = Static<typeof RealtimeSession>;

const betaFields = {
  id: Type.String(),
  object: Type.Literal("realtime.transcription_session"),
  input_audio_format: Type.String(),
  input_audio_transcription: Transcription,
  input_audio_noise_reduction: Nullable(NoiseReduction),
  turn_detection: Nullable(TurnDetection),
  include: Include,
};
const BetaRealtimeSession = Type.Object(betaFields);
export type BetaRealtimeSession = Static<typeof BetaRealtimeSession>;

const SecretValue = { value: Type.String({ description: "ek_…" }), expires_at: Type.Integer() };

/** Warnings name fields without effect. */
const warnings = Type.Optional(Type.Array(Type.String(), { description: "Extension: fields without effect" }));

export const ClientSecretBody = Type.Object(
  { ...SecretValue, session: RealtimeSession, warnings },
  { title: "RealtimeClientSecret" },
);
export const BetaSessionBody = Type.Object(
  { ...betaFields, client_secret: Type.Object(SecretValue), warnings },
  { title: "RealtimeBetaTranscriptionSession" },
);

/** Time until a client secret expires, seconds. */
export const [LEAST_SECRET_SECONDS, DEFAULT_SECRET_SECONDS, MOST_SECRET_SECONDS] = [10, 600, 7_200];
/** A client secret contains the configuration of its sessions, and a header holds the secret. */
const MOST_SESSION_BYTES = 4_000;
/** Judged by the code that judges session.update. */
const Session = (description: string) => Metadata({ "x-metadata-limit": MOST_SESSION_BYTES, description });

export const ClientSecretRequest = Type.Object(
  {
    expires_after: Type.Optional(
      Type.Object({
        anchor: Type.Optional(Enum(["created_at"])),
        seconds: Type.Optional(
          Type.Integer({
            minimum: LEAST_SECRET_SECONDS,
            maximum: MOST_SECRET_SECONDS,
            default: DEFAULT_SECRET_SECONDS,
          }),
        ),
      }),
    ),
    session: Type.Optional(Session("As in session.update")),
  },
  { title: "RealtimeClientSecretRequest" },
);

export const BetaSessionRequest = Session(
  "As in transcription_session.update, and client_secret: {expires_at: {anchor: created_at, seconds: 10 to 7200}}",
);

export interface RealtimeError {
  type: string;
  code: string | null;
  message: string;
  param: string | null;
}

export interface RealtimeItem {
  id: string;
  object: "realtime.item";
  type: "message";
  status: "completed";
  role: "user";
  /** null until the transcript is complete. */
  content: [{ type: "input_audio"; transcript: string | null }];
}

interface OfItem {
  item_id: string;
}
interface OfContent extends OfItem {
  content_index: 0;
}
const transcription = "conversation.item.input_audio_transcription";
type TranscriptionEvent<Name extends string> = `${typeof transcription}.${Name}`;

/** Without event_id. */
export type RealtimeMessage =
  | { type: "session.created" | "session.updated"; session: RealtimeSession; warnings?: string[] }
  | {
      type: "transcription_session.created" | "transcription_session.updated";
      session: BetaRealtimeSession;
      warnings?: string[];
    }
  /** An extension: an unknown field of a message other than session.update, or a problem that the service detects while the session runs. */
  | { type: "session.warning"; message: string; code: string | null }
  | ({ type: "input_audio_buffer.speech_started"; audio_start_ms: number } & OfItem)
  | ({ type: "input_audio_buffer.speech_stopped"; audio_end_ms: number } & OfItem)
  | ({ type: "input_audio_buffer.committed"; previous_item_id: string | null } & OfItem)
  | { type: "input_audio_buffer.cleared" }
  | {
      type: "conversation.item.created" | "conversation.item.added" | "conversation.item.done";
      previous_item_id: string | null;
      item: RealtimeItem;
    }
  | { type: "conversation.item.retrieved"; item: RealtimeItem }
  | ({ type: TranscriptionEvent<"delta">; delta: string; logprobs?: Logprob[] } & OfContent)
  | ({
      type: TranscriptionEvent<"completed">;
      transcript: string;
      usage: { type: "duration"; seconds: number };
      languages: { code: string }[];
      logprobs?: Logprob[];
    } & OfContent)
  | ({
      type: TranscriptionEvent<"segment">;
      id: string;
      start: number;
      end: number;
      text: string;
      speaker: string;
    } & OfContent)
  | ({ type: TranscriptionEvent<"failed">; error: RealtimeError } & OfContent)
  | { type: "error"; error: RealtimeError & { event_id: string | null } };
