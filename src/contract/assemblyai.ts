// Messages of the server in AssemblyAI's streaming interface, the WebSocket /v3/ws, and the answer of GET /v3/token. Wire names of that
// interface. https://www.assemblyai.com/docs/streaming/api-spec/streaming-websocket
import type { Static } from "typebox";
import * as Type from "typebox";

export interface StreamingWord {
  text: string;
  /** Milliseconds, as all times. */
  start: number;
  end: number;
  confidence: number;
  word_is_final: boolean;
  speaker?: string;
}

export interface StreamingTurn {
  type: "Turn";
  turn_order: number;
  turn_is_formatted: boolean;
  end_of_turn: boolean;
  /** The turn so far. */
  transcript: string;
  /** Of the end of a turn: its transcript. */
  utterance: string;
  end_of_turn_confidence: number;
  words: StreamingWord[];
  language_code?: string;
  language_confidence?: number;
  speaker_label?: string;
}

export type StreamingMessage =
  | {
      type: "Begin";
      id: string;
      /** Seconds since 1970. */
      expires_at: number;
      configuration: { model: string; api_version: string; speaker_labels: boolean };
    }
  | { type: "SpeechStarted"; timestamp: number }
  | StreamingTurn
  | {
      type: "SpeakerRevision";
      revisions: { turn_order: number; speaker_label?: string; words: StreamingWord[] }[];
    }
  /** What has no effect, or may be wrong with the text. */
  | { type: "Warning"; warning_code: number; warning: string }
  | { type: "Error"; error_code: number; error: string }
  | {
      type: "Termination";
      audio_duration_seconds: number;
      session_duration_seconds: number;
      /** An extension: what had no effect in the session. */
      warnings?: string[];
    };

const [LEAST_TOKEN_SECONDS, MOST_TOKEN_SECONDS] = [1, 600];
const [LEAST_SESSION_SECONDS, MOST_SESSION_SECONDS] = [60, 10_800];

export const TokenQuery = Type.Object({
  expires_in_seconds: Type.Integer({
    minimum: LEAST_TOKEN_SECONDS,
    maximum: MOST_TOKEN_SECONDS,
    description: "How long the token opens sessions",
  }),
  max_session_duration_seconds: Type.Optional(
    Type.Integer({
      minimum: LEAST_SESSION_SECONDS,
      maximum: MOST_SESSION_SECONDS,
      description: "Longest session that the token opens; PARLANCE_LIVE_MAX_SECONDS, if that is shorter",
    }),
  ),
});
export type TokenQuery = Static<typeof TokenQuery>;

export const TokenBody = Type.Object(
  {
    token: Type.String({ description: "For the parameter token of /v3/ws" }),
    expires_in_seconds: Type.Integer(),
  },
  { title: "StreamingToken" },
);

const ErrorBody = Type.Object({ error: Type.String() }, { title: "AssemblyAiError" });

export function assemblyAiErrors(...statuses: number[]) {
  return Object.fromEntries(
    [...statuses, 403, 429, 500].map((status) => [status, { ...ErrorBody, description: "Error" }]),
  );
}
