// Events of the service in the Wyoming protocol. Wire names of that protocol.
// https://github.com/OHF-Voice/wyoming

export interface WyomingAttribution {
  name: string;
  url: string;
}

export interface WyomingArtifact {
  name: string;
  attribution: WyomingAttribution;
  installed: boolean;
  description: string;
  version: string | null;
}

export interface WyomingModel extends WyomingArtifact {
  languages: string[];
}

export interface WyomingProgram extends WyomingArtifact {
  models: WyomingModel[];
  supports_transcript_streaming: boolean;
  /** Clients determine the end of a command: transcription ends with `audio-stop`. */
  requires_external_vad: boolean;
  prefers_auto_gain_enabled: boolean;
  prefers_noise_reduction_enabled: boolean;
}

export interface WyomingInfo {
  asr: WyomingProgram[];
  tts: [];
  handle: [];
  intent: [];
  wake: [];
  mic: [];
  snd: [];
}

export type WyomingEvent =
  | { type: "info"; data: WyomingInfo }
  | { type: "pong"; data: { text: string | null } }
  | { type: "transcript-start"; data: { language?: string } }
  | { type: "transcript-chunk"; data: { text: string } }
  /** `warnings` and `session_id` are extensions. */
  | { type: "transcript"; data: { text: string; language?: string; warnings?: string[]; session_id?: string } }
  | { type: "transcript-stop"; data: Record<string, never> }
  /** `validation_errors` and `retry_after` are extensions. */
  | { type: "error"; data: { text: string; code: string; validation_errors?: string[]; retry_after?: number } };
