// Messages of the server in Deepgram's Flux interface, the WebSocket /v2/listen. Wire names of that interface.
// https://developers.deepgram.com/reference/speech-to-text/listen-flux

export interface FluxWord {
  word: string;
  confidence: number;
  start: number;
  end: number;
}

export type FluxEvent = "StartOfTurn" | "Update" | "EagerEndOfTurn" | "TurnResumed" | "EndOfTurn";

export interface FluxTurnInfo {
  type: "TurnInfo";
  event: FluxEvent;
  turn_index: number;
  /** Seconds, as all times. */
  audio_window_start: number;
  audio_window_end: number;
  transcript: string;
  words: FluxWord[];
  end_of_turn_confidence: number;
  /** Of EndOfTurn. */
  trigger?: "model" | "manual" | "timeout";
  languages?: string[];
  languages_hinted?: string[];
}

export interface FluxThresholds {
  eager_eot_threshold?: number;
  eot_threshold: number;
  eot_timeout_ms: number;
}

/** Without the fields of every message: request_id and sequence_id. */
export type FluxBody =
  | { type: "Connected" }
  | FluxTurnInfo
  | {
      type: "ConfigureSuccess";
      thresholds: FluxThresholds;
      keyterms: string[];
      language_hints?: string[];
      numerals: boolean;
    }
  /** Clients read either name of the code. */
  | { type: "ConfigureFailure"; code: string; error_code: string; description: string }
  /** What has no effect, or may be wrong with the text. */
  | { type: "Warning"; code: string; description: string }
  /** The connection is closed after the last turn. */
  | { type: "Error"; code: string; description: string };

export type FluxMessage = FluxBody & { request_id: string; sequence_id: number };
