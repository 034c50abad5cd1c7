// Messages between a result process and its language-model process.

export interface GenerationRequest {
  kind: "generate";
  /** GGUF file of the model. */
  file: string;
  /** Applies to the request that loads the model. */
  usesGraphicsCard?: boolean;
  /** The system prompt. */
  system: string;
  prompt: string;
  /** Grammar (GBNF) that the answer must follow. */
  grammar?: string;
  /** Send the answer in pieces, too. */
  isStreamed?: boolean;
  /** Longest answer, tokens. */
  mostTokens: number;
}

export interface CountRequest {
  kind: "count";
  file: string;
  usesGraphicsCard?: boolean;
  texts: readonly string[];
}

export type LanguageModelRequest = GenerationRequest | CountRequest;

export type LanguageModelResponse =
  /** `isCut`: the answer was truncated at its longest length. */
  | { kind: "text"; text: string; isCut: boolean }
  /** `contextTokens`: size of the context, for prompt and answer together. */
  | { kind: "counts"; tokens: number[]; contextTokens: number };
