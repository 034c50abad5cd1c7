// Chooses the largest context that fits into the free memory.
import { errors } from "../../platform/errors.ts";
import type { GgufHeader } from "./gguf.ts";

export interface ContextPlan {
  /** Context of one conversation: prompt and answer together. */
  contextTokens: number;
  /** Conversations at once. */
  sequences: number;
  /** Memory for weights, context and computation together. */
  bytes: number;
}

/** About 40 minutes of transcript with prompt and answer. */
const WANTED_TOKENS = 8_192;
/** Below this, even a transcript of a few minutes would be divided. */
const LEAST_TOKENS = 512;
export const WANTED_SEQUENCES = 2;
/** Buffers of the computation and the runtime itself (measured with 0.5 billion parameters: 300 MB). */
const RUNTIME_BYTES = 350_000_000;

/**
 * @param freeBytes  memory that this process may take
 * @throws language_model.memory if not even the shortest context fits
 */
export function planContext(
  { fileBytes, cacheBytesPerToken, contextTokens }: GgufHeader,
  freeBytes: number,
  name: string,
): ContextPlan {
  const bytesOf = (tokens: number, sequences: number) =>
    fileBytes + RUNTIME_BYTES + tokens * sequences * cacheBytesPerToken;
  let sequences = WANTED_SEQUENCES;
  let tokens = Math.min(WANTED_TOKENS, contextTokens);
  while (bytesOf(tokens, sequences) > freeBytes) {
    if (sequences > 1) sequences = 1;
    else if (tokens / 2 >= LEAST_TOKENS) tokens = Math.floor(tokens / 2);
    else throw errors.languageModelMemory(name, bytesOf(tokens, sequences), freeBytes);
  }
  return { contextTokens: tokens, sequences, bytes: bytesOf(tokens, sequences) };
}
