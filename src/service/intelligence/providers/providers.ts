// Servers and models that add-ons use besides their own rules and dictionaries.

export interface LanguageModelServer {
  /** Base of an OpenAI-compatible interface, up to and including /v1. */
  url: string;
  key: string;
  model: string;
  timeoutSeconds: number;
  /** Most tokens that one add-on of one job may use, prompts and answers together. */
  mostTokens: number;
}

/** A model of this machine's store. */
export interface LocalLanguageModel {
  id: string;
  /** Its GGUF file. */
  file: string;
  /** Most tokens that one add-on of one job may use, prompts and answers together. */
  mostTokens: number;
  /** Whether to use a graphics card, if one is found. */
  usesGraphicsCard?: boolean;
}

export type LanguageModelSettings = LanguageModelServer | LocalLanguageModel;

export const isLocal = (model: LanguageModelSettings): model is LocalLanguageModel => "file" in model;

export interface TranslationSettings {
  /** Base of a LibreTranslate-compatible server. */
  url: string;
  key: string;
  timeoutSeconds: number;
}

export interface Providers {
  languageModel?: LanguageModelSettings;
  translation?: TranslationSettings;
  /** Folder of the model store, which may hold translation models. */
  translationModels?: string;
  /** Model store, and the name of the model that is preferred or "off"; used where no server is configured. */
  languageModels?: { folder: string; name: string; mostTokens: number; usesGraphicsCard?: boolean };
}
