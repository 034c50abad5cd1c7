// The language model of this machine's store: selects it, requests answers, and divides texts into parts that fit its context.
import path from "node:path";
import { ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { grammarOf } from "../../../speech/language-model/grammar.ts";
import type { JsonSchema } from "../../../speech/language-model/json-schema.ts";
import { countTokens, generate } from "../../../speech/language-model/process/language-model.ts";
import { isSentenceEnd } from "../../../speech/text/sentences.ts";
import { chosenLanguageModel } from "../../models/language-model-choice.ts";
import { ModelStore } from "../../models/store.ts";
import { AddonFailed, AddonUnavailable } from "../addon-error.ts";
import { outsideTimeLimit } from "../turns.ts";
import type { LocalLanguageModel, Providers } from "./providers.ts";

/** Longest answers, tokens: a summary; data of one part of a transcript. */
const TEXT_TOKENS = 768;
const JSON_TOKENS = 1_536;
/** Largest share of the context for the answer, so that short contexts have room for the transcript. */
const ANSWER_SHARE = 0.25;
/** Tokens of the chat format and the frame of the transcript, and the error of the count. */
const SPARE_TOKENS = 160;
/** A smaller part of a transcript has too little content for an answer. */
const LEAST_PART_TOKENS = 64;
/** Texts in one request that counts tokens. */
const COUNT_BATCH = 500;

let store: ModelStore | undefined;

/**
 * Providers with the language model that add-ons use: a configured server, else the one of the store, if it is installed.
 */
export async function withLanguageModel(providers: Providers): Promise<Providers> {
  const { languageModel, languageModels } = providers;
  if (languageModel || !languageModels) return providers;
  const { folder, name, mostTokens, usesGraphicsCard = false } = languageModels;
  if (store?.folder !== folder) store = new ModelStore(folder);
  const found = await chosenLanguageModel(store, name);
  const file = found?.manifest?.files[0]?.name;
  if (!found?.folder || file === undefined) return providers;
  return {
    ...providers,
    languageModel: { id: found.id, file: path.join(found.folder, file), mostTokens, usesGraphicsCard },
  };
}

function explained(thrown: unknown): unknown {
  const error = toParlanceError(thrown);
  if (error.code === "work.aborted") return thrown;
  if (error.status === 501 || error.code === "language_model.memory") return new AddonUnavailable(error.message);
  if (error.code.startsWith("language_model.")) return new AddonFailed(error.message);
  if (error.code === "process.timeout") return new AddonFailed("The language model stopped responding and was ended");
  if (thrown instanceof ParlanceError) {
    return new AddonFailed("The language-model process ended while it wrote an answer; the log has the reason");
  }
  return thrown;
}

async function asked<Result>(work: (signal: AbortSignal, tenant: string) => Promise<Result>): Promise<Result> {
  try {
    return await outsideTimeLimit(work);
  } catch (thrown) {
    throw explained(thrown);
  }
}

async function tokensOf(
  { file, usesGraphicsCard = false }: LocalLanguageModel,
  texts: readonly string[],
): Promise<{ tokens: number[]; contextTokens: number }> {
  const tokens: number[] = [];
  let contextTokens = 0;
  for (let at = 0; at === 0 || at < texts.length; at += COUNT_BATCH) {
    const batch = texts.slice(at, at + COUNT_BATCH);
    const counted = await asked((signal, tenant) =>
      countTokens(tenant, { file, usesGraphicsCard, texts: batch }, signal),
    );
    tokens.push(...counted.tokens);
    contextTokens = counted.contextTokens;
  }
  return { tokens, contextTokens };
}

const answerTokens = (contextTokens: number, schema: JsonSchema | undefined) =>
  Math.min(schema ? JSON_TOKENS : TEXT_TOKENS, Math.floor(contextTokens * ANSWER_SHARE));

/** The transcript comes first, so that the model evaluates it only once for several questions. */
export async function chatLocally(
  system: string,
  task: string,
  content: string,
  model: LocalLanguageModel,
  { schema, onText }: { schema?: JsonSchema; onText?: (piece: string) => void } = {},
): Promise<{ text: string; isCut: boolean }> {
  const { contextTokens } = await tokensOf(model, []);
  const request = {
    file: model.file,
    usesGraphicsCard: model.usesGraphicsCard ?? false,
    system,
    prompt: `${content}\n\n${task}`,
    mostTokens: answerTokens(contextTokens, schema),
    ...(schema ? { grammar: grammarOf(schema) } : {}),
  };
  return asked((signal, tenant) => generate(tenant, request, signal, onText));
}

/** The lines of a text; its sentences if it is a single line. */
function piecesOf(text: string): string[] {
  if (text.includes("\n")) return text.split(/(?<=\n)/);
  const pieces: string[] = [];
  let open = "";
  const words = text.split(/(?<=\s)/);
  for (const [at, word] of words.entries()) {
    open += word;
    if (!isSentenceEnd(word.trim(), words[at + 1])) continue;
    pieces.push(open);
    open = "";
  }
  if (open !== "") pieces.push(open);
  return pieces;
}

/** Cuts a piece that is longer than a part; assumes that tokens have about the same length throughout. */
function cut(piece: string, tokens: number, most: number): string[] {
  const count = Math.ceil(tokens / most);
  const characters = [...piece];
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, at) => characters.slice(at * size, (at + 1) * size).join(""));
}

/**
 * Divides a text at the ends of sentences or lines, so that each part fits the context together with the rules, the task and an answer.
 * @throws AddonFailed if the task leaves no room for a transcript
 */
export async function divided(
  text: string,
  instructions: readonly string[],
  model: LocalLanguageModel,
  schema?: JsonSchema,
): Promise<string[]> {
  const pieces = piecesOf(text);
  const { tokens, contextTokens } = await tokensOf(model, [...instructions, ...pieces]);
  const ofInstructions = tokens.splice(0, instructions.length).reduce((sum, count) => sum + count, 0);
  const most = contextTokens - answerTokens(contextTokens, schema) - ofInstructions - SPARE_TOKENS;
  if (most < LEAST_PART_TOKENS) {
    throw new AddonFailed(
      `The prompt has ${ofInstructions} tokens, and the language model has room for ${contextTokens} with transcript and answer. Shorten the prompt, or use a model with a longer context.`,
    );
  }
  const parts: string[] = [];
  let open = "";
  let size = 0;
  const close = () => {
    if (open !== "") parts.push(open);
    open = "";
    size = 0;
  };
  for (const [at, piece] of pieces.entries()) {
    const count = tokens[at] ?? 0;
    if (size + count > most) close();
    if (count > most) parts.push(...cut(piece, count, most));
    else {
      open += piece;
      size += count;
    }
  }
  close();
  return parts.length === 0 ? [text] : parts;
}
