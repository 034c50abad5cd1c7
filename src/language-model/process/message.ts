// Between an add-on process and its language-model process.

export interface GenerationRequest {
  kind: "generate";
  /** GGUF file of the model. */
  file: string;
  /** Rules that hold for the whole conversation. */
  system: string;
  prompt: string;
  /** Grammar (GBNF) that the answer must follow. */
  grammar?: string;
  /** Length of the answer, tokens. */
  mostTokens: number;
}

export interface CountRequest {
  kind: "count";
  file: string;
  texts: readonly string[];
}

export type LanguageModelRequest = GenerationRequest | CountRequest;

export type LanguageModelResponse =
  /** `isCut`: the answer reached its longest length. */
  | { kind: "text"; text: string; isCut: boolean }
  /** `contextTokens`: of question and answer together. */
  | { kind: "counts"; tokens: number[]; contextTokens: number };
