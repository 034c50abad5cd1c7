// Everything that passes between the service and a recogniser process.
import type { AudioSource } from "../../audio/samples.ts";
import type { VoiceActivityState } from "../../audio/voice-activity/silero.ts";
import type { EmbeddingRequest, SpeakerEmbeddings, SpeakerSpace } from "../../speakers/embedder.ts";
import type { Recognition, RecognitionRequest } from "../recognizer.ts";

export type InferenceRequest =
  /** Without a model: the voice activity detector alone. */
  | { kind: "load"; model?: string }
  | ({ kind: "recognize"; model: string } & RecognitionTask)
  | { kind: "voice-activity"; audio: AudioSource; state?: VoiceActivityState }
  | ({ kind: "embed-speakers" } & EmbeddingTask);

/** A recognition request whose audio may still lie in a file. */
export interface RecognitionTask extends Omit<RecognitionRequest, "samples"> {
  audio: AudioSource;
}

/** A request for speaker embeddings whose audio may still lie in a file. */
export interface EmbeddingTask extends Omit<EmbeddingRequest, "samples"> {
  audio: AudioSource;
}

/** Embeddings and the space that they lie in. */
export interface EmbeddingAnswer extends SpeakerEmbeddings {
  space: SpeakerSpace;
}

export interface VoiceActivityAnswer {
  /** One probability per whole window of 512 samples. */
  probabilities: Float32Array;
  state: VoiceActivityState;
}

export type InferenceResponse =
  | { kind: "loaded" }
  | ({ kind: "recognition" } & Recognition)
  | ({ kind: "voice-activity" } & VoiceActivityAnswer)
  | ({ kind: "speaker-embeddings" } & EmbeddingAnswer);
