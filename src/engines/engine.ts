// What an engine is to the rest: the models that come with it, how a published checkpoint becomes one of its models, and
// what a loaded model offers. Which of it an engine has, its models' capabilities and its own members say.
import type { Recognizer, RecognizerCapabilities } from "../recognition/recognizer.ts";
import type { SpeakerEmbedder } from "../speakers/embedder.ts";

/** A model that can be loaded. Plain data: it crosses process borders. */
export interface Model {
  /** As clients name it. */
  id: string;
  /** Name of its engine. */
  engine: string;
  /** Folder of its files; none where they come in an npm package. */
  folder?: string;
  /** ISO 639 codes of the languages that it recognises. */
  languages: readonly string[];
  capabilities: RecognizerCapabilities;
  /** SPDX name, where known. */
  licence: string;
}

/** Files of a checkpoint as its author published them: a folder, or a repository on a hub. */
export interface CheckpointSource {
  /** For messages. */
  name: string;
  /** A small file's text. @returns undefined where there is none of that name */
  text(file: string): Promise<string | undefined>;
  has(file: string): Promise<boolean>;
}

export interface PreparedModel {
  languages: readonly string[];
  capabilities: RecognizerCapabilities;
  /** Names of the files that were written, all that the model needs. */
  files: readonly string[];
}

export interface PrepareOptions {
  /** Told how much of it is done, 0 to 1. */
  progress(share: number): void;
  signal?: AbortSignal;
  /** Languages that the model knows, where that is known from elsewhere than its files. */
  languages?: readonly string[];
}

/** What it needs to run a model is imported when it is asked to: every process knows the engines, few run one. */
export interface Engine {
  name: string;
  /** Models that come with the npm packages. */
  builtIn: readonly Model[];
  /** Called in a child process only. @throws Error when the model's files are missing or damaged */
  load(model: Model): Promise<Recognizer>;
  /** What tells voices apart, where the engine can. */
  loadVoices?(): Promise<SpeakerEmbedder>;
  /**
   * Whether a checkpoint is one of this engine's.
   * @returns names of the files that `prepare` reads; undefined when it is of another kind
   * @throws models.bad_checkpoint when it is of this kind but incomplete or of a size that is not supported
   */
  filesOf?(source: CheckpointSource): Promise<string[] | undefined>;
  /**
   * Writes what `load` reads.
   * @param from  folder with the files that `filesOf` named
   * @param to    empty folder
   */
  prepare?(from: string, to: string, options: PrepareOptions): Promise<PreparedModel>;
}
