// Messages between the service and an inference process.
import type { AudioSource } from "../../speech/audio/samples.ts";
import type { VoiceActivityState } from "../../speech/audio/voice-activity/detector-state.ts";
import type { Model } from "../../speech/engines/engine.ts";
import type {
  Recognition,
  RecognitionRequest,
  StretchRequest,
  StretchTexts,
} from "../../speech/recognition/recognizer.ts";
import type { EmbeddingRequest, SpeakerEmbeddings, SpeakerSpace } from "../../speech/speakers/embedder.ts";
import type { Excerpt } from "../../speech/speakers/speaker-networks.ts";

/** What a process needs in order to load a model. */
export interface LoadableModel extends Model {
  /** Installation time, which distinguishes versions of a model. */
  stamp?: string;
}

/** Identifies a loaded model: one that was removed and added again has another stamp. */
export const modelKey = ({ id, folder, stamp }: LoadableModel) => JSON.stringify([id, folder, stamp]);

export type InferenceRequest =
  /** Without a model: only the voice activity detector. */
  | { kind: "load"; model?: LoadableModel }
  /** Loads the model and its second one, and prepares their shared graphs in this process. */
  | { kind: "prepare"; model: LoadableModel }
  | ({ kind: "recognize"; model: LoadableModel } & RecognitionTask)
  /** Texts that a stretch may have. */
  | ({ kind: "texts"; model: LoadableModel } & StretchTask)
  | { kind: "voice-activity"; audio: AudioSource; state?: VoiceActivityState }
  | ({ kind: "embed-speakers" } & EmbeddingTask)
  | ({ kind: "segment-speakers"; model: LoadableModel } & SpeakerWindows)
  | ({ kind: "voices"; model: LoadableModel } & VoicesTask)
  /** Whether a turn is complete at the end of its audio. */
  | { kind: "judge-turn"; model: LoadableModel; audio: AudioSource };

/** Windows of a recording in which local speakers are marked. */
export interface SpeakerWindows {
  /** From the start of the first window. */
  audio: AudioSource;
  windows: number;
  /** Steps between the windows; 1 if left out. */
  stride?: number;
}

/** Stretches of one speaker each. */
export interface VoicesTask {
  stretches: readonly AudioSource[];
  /** Of each stretch, by its index; none if left out. */
  excerpts?: readonly (readonly Excerpt[])[];
}

/** Voices of the stretches, each followed by those of its excerpts, row-major [voices, dimensions], of unit length. */
export interface VoicesAnswer {
  dimensions: number;
  voices: Float32Array;
}

/** A recognition request whose audio may be in a file. */
export interface RecognitionTask extends Omit<RecognitionRequest, "samples"> {
  audio: AudioSource;
}

/** A stretch whose audio may be in a file. */
export interface StretchTask extends Omit<StretchRequest, "samples"> {
  audio: AudioSource;
}

/** A speaker embedding request whose audio may be in a file. */
export interface EmbeddingTask extends Omit<EmbeddingRequest, "samples"> {
  audio: AudioSource;
}

/** Embeddings and their vector space. */
export interface EmbeddingAnswer extends SpeakerEmbeddings {
  space: SpeakerSpace;
}

export interface VoiceActivityAnswer {
  /** One probability per whole window of 512 samples. */
  probabilities: Float32Array;
  state: VoiceActivityState;
}

export type InferenceResponse = Outcome & {
  /** Of this request in the inference process; undefined before the process has added it. */
  processorMilliseconds?: number;
};

type Outcome =
  | { kind: "loaded" }
  | ({ kind: "recognition" } & Recognition)
  | ({ kind: "texts" } & StretchTexts)
  | ({ kind: "voice-activity" } & VoiceActivityAnswer)
  | ({ kind: "speaker-embeddings" } & EmbeddingAnswer)
  | { kind: "speaker-windows"; frames: Uint8Array }
  | ({ kind: "voices" } & VoicesAnswer)
  | { kind: "turn"; probability: number };
