// Everything that passes between the service and an inference process.
import type { AudioSource } from "../audio/samples.ts";
import type { VoiceActivityState } from "../audio/voice-activity/silero.ts";
import type { Model } from "../engines/engine.ts";
import type { Recognition, RecognitionRequest } from "../recognition/recognizer.ts";
import type { EmbeddingRequest, SpeakerEmbeddings, SpeakerSpace } from "../speakers/embedder.ts";

/** What a process needs to know to load a model. */
export interface LoadableModel extends Model {
  /** When it was installed. */
  stamp?: string;
}

export type InferenceRequest =
  /** Without a model: the voice activity detector alone. */
  | { kind: "load"; model?: LoadableModel }
  | ({ kind: "recognize"; model: LoadableModel } & RecognitionTask)
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
