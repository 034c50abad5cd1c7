// Messages of the server in Deepgram's live interface. Wire names of that interface.
// https://developers.deepgram.com/reference/speech-to-text/listen-streaming
import type { ListenWarning, ListenWord } from "./deepgram-recorded.ts";

export interface ListenModelInfo {
  name: string;
  version: string;
  arch: string;
}

export interface ListenResults {
  type: "Results";
  channel_index: [channel: number, channels: number];
  /** Seconds, as all times. */
  duration: number;
  start: number;
  is_final: boolean;
  speech_final: boolean;
  from_finalize: boolean;
  channel: {
    alternatives: [
      {
        transcript: string;
        confidence: number;
        words: ListenWord[];
        languages?: string[];
        /** With language=multi: the codes of language_hint. */
        languages_hinted?: string[];
      },
    ];
  };
  metadata: {
    request_id: string;
    model_info: ListenModelInfo;
    model_uuid: string;
    /** An extension: what has no effect or may be wrong with the text, since the last results. */
    warnings?: ListenWarning[];
  };
}

export type ListenMessage =
  | ListenResults
  | { type: "SpeechStarted"; channel: [number, number]; timestamp: number }
  | { type: "UtteranceEnd"; channel: [number, number]; last_word_end: number }
  | {
      type: "Metadata";
      transaction_key: "deprecated";
      request_id: string;
      sha256: string;
      created: string;
      duration: number;
      channels: number;
      models: string[];
      model_info: Record<string, ListenModelInfo>;
      warnings?: ListenWarning[];
      extra?: Record<string, string>;
      tags?: string[];
    }
  | { type: "ConfigureSuccess"; request_id: string; keyterms?: string[] }
  | { type: "ConfigureFailure"; request_id: string; code: string; description: string }
  | { type: "Error"; variant: string; description: string; message: string }
  /** An extension: where a resumed session continues. */
  | { type: "Resumed"; request_id: string; received_bytes: number; received_seconds: number };
