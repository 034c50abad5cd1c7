// Contract of an engine: its built-in models, how a published checkpoint is converted, and how models are loaded. Model
// capabilities and optional members describe what an engine supports.
import type { PrepareElsewhere } from "../onnx/prepared-graphs.ts";
import type { VoiceActivity } from "../recognition/decoding/speech-evidence.ts";
import type { Recognizer, RecognizerCapabilities } from "../recognition/recognizer.ts";
import type { SpeakerEmbedder } from "../speakers/embedder.ts";
import type { SpeakerNetworks } from "../speakers/speaker-networks.ts";
import type { TurnDetector } from "../turns/turn-detector.ts";

/** Capabilities of models that recognise no speech. */
export const NO_SPEECH_CAPABILITIES: RecognizerCapabilities = {
  wordTimes: false,
  confidence: false,
  continuation: false,
  vocabulary: false,
  languageDetection: false,
  bearsPauses: false,
  translation: false,
};

/** A loadable model. Plain data, as it is sent between processes. */
export interface Model {
  /** Id used by clients. */
  id: string;
  /** Name of its engine. */
  engine: string;
  /** Folder of its files; undefined for files of an npm package. */
  folder?: string;
  /** ISO 639 codes of the supported languages. */
  languages: readonly string[];
  capabilities: RecognizerCapabilities;
  /** SPDX identifier, if known. */
  licence: string;
}

/** Files of a published checkpoint: a folder, or a repository on a hub. */
export interface CheckpointSource {
  /** Used in messages. */
  name: string;
  /** The text of a small file. @returns undefined if it does not exist */
  text(file: string): Promise<string | undefined>;
  has(file: string): Promise<boolean>;
  /** Names of all files, where the source can list them. */
  names?(): Promise<readonly string[]>;
}

export interface PreparedModel {
  languages: readonly string[];
  capabilities: RecognizerCapabilities;
  /** Names of the written files, all that the model needs. */
  files: readonly string[];
}

export interface PrepareOptions {
  /** Called with the completed share, 0 to 1. */
  progress(share: number): void;
  signal?: AbortSignal;
  /** Languages of the model, if its files do not name them. */
  languages?: readonly string[];
  /** Names from `filesOf`: the folder may hold others. */
  files?: readonly string[];
}

/** Options of an inference process for the models that it loads. */
export interface LoadOptions {
  /** Voice activity detection, for models that decide whether a short answer was spoken. */
  detector?: VoiceActivity;
  /** Folder of graphs that the processes of this machine share; undefined to share none. */
  sharedFolder?: string;
  /** Prepares missing graphs of the model in another process; undefined to prepare them in this one. */
  prepareGraphs?: PrepareElsewhere;
}

/**
 * Implementations are imported on demand: every process imports the registry, but few run a given engine. The service calls the methods that load or
 * prepare a model in child processes, because these methods occupy their process and load native code.
 */
export interface Engine {
  name: string;
  /** Purpose of its models; speech if undefined. The languages of a translation model are its source and its target. */
  purpose?: "translation" | "language-model" | "speakers" | "turns";
  /** Models in the npm packages. */
  builtIn: readonly Model[];
  /**
   * Tasks that one process runs at once; 1 if a task occupies the process. Further tasks wait in the queue of the pool, where live ones
   * overtake.
   */
  concurrentTasks: number;
  /** Whether it resumes growing audio from the cached encoder output of its beginning (`audioId`). */
  continuesAudio: boolean;
  /** @throws Error if the model's files are missing or damaged */
  load(model: Model, options?: LoadOptions): Promise<Recognizer>;
  /**
   * Saves the graphs of a model that processes share, without loading it; undefined where loading saves them.
   * @param folder  of all shared graphs
   */
  prepareGraphs?(model: Model, folder: string): Promise<void>;
  /**
   * Loads the networks that find speakers, of a model with the capabilities `turns` and `voices`.
   * @throws Error if the model's files are missing or damaged
   */
  loadSpeakers?(model: Model): Promise<SpeakerNetworks>;
  /**
   * Loads the detector of the ends of turns.
   * @throws Error if the model's files are missing or damaged
   */
  loadTurns?(model: Model): Promise<TurnDetector>;
  /** Loads the speaker embedder, if the engine has one. */
  loadVoices?(): Promise<SpeakerEmbedder>;
  /**
   * Checks whether a checkpoint belongs to this engine.
   * @returns names of the files that `prepare` reads; undefined for a checkpoint of another kind
   * @throws models.bad_checkpoint if it is incomplete or of an unsupported size
   */
  filesOf?(source: CheckpointSource): Promise<string[] | undefined>;
  /**
   * Converts a checkpoint to the files that `load` reads.
   * @param from  folder with the files named by `filesOf`
   * @param to    empty folder
   */
  prepare?(from: string, to: string, options: PrepareOptions): Promise<PreparedModel>;
}
