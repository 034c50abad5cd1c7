// What the operator has plugged in for add-ons that need more than this machine's own dictionaries.

export interface LanguageModelSettings {
  /** Base of an OpenAI-compatible interface, up to and including /v1. */
  url: string;
  key: string;
  model: string;
  timeoutSeconds: number;
  /** Most tokens that one add-on of one job may use, prompts and answers together. */
  mostTokens: number;
}

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
}
