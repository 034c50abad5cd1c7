// A loaded model, with concurrent conversations in one context. The only file that imports node-llama-cpp.
import path from "node:path";
import type { Llama, LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import { availableCores, availableMemory } from "../../../platform/config/container-limits.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { readGguf } from "../gguf.ts";
import { planContext } from "../memory-plan.ts";
import type { GenerationRequest } from "./message.ts";

/** Tokens that the chat format adds around a system text and a question. */
const FORMAT_TOKENS = 64;
/** Small models repeat themselves; the penalty applies to the last tokens of the answer. */
const REPEAT_PENALTY = { penalty: 1.1, lastTokens: 64, penalizeNewLine: false };

/** Models below this size run on one thread: synchronising several threads would take longer than the computation. */
const SMALL_FILE_BYTES = 50_000_000;

interface Conversation {
  sequence: LlamaContextSequence;
  /** The last prompt, whose tokens are still in the cache of the sequence. */
  prompt: string;
  isBusy: boolean;
}

const commonPrefix = (left: string, right: string): number => {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  return at;
};

const library = () => import("node-llama-cpp");

/**
 * @param usesGraphicsCard  one is used where its package is installed and the card is found
 * @throws language_model.unavailable if there is no binary for this platform
 */
async function startLlama(usesGraphicsCard = false): Promise<Llama> {
  const { getLlama, LlamaLogLevel } = await library();
  try {
    return await getLlama({
      gpu: usesGraphicsCard ? "auto" : false,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      // The library also throws its errors; its log may contain texts from the model's file.
      logger: () => undefined,
      maxThreads: availableCores(),
    });
  } catch (thrown) {
    throw errors.languageModelUnavailable(`${process.platform}-${process.arch}`, thrown);
  }
}

/** @throws language_model.damaged with the library's message */
async function loadWeights(llama: Llama, file: string, vocabOnly: boolean): Promise<LlamaModel> {
  try {
    // As many layers as fit the graphics card; without one, the processor computes all.
    const gpuLayers = llama.gpu === false ? 0 : "auto";
    return await llama.loadModel({ modelPath: file, gpuLayers, vocabOnly, ignoreMemorySafetyChecks: true });
  } catch (thrown) {
    throw errors.languageModelDamaged(path.basename(file), thrown);
  }
}

/** Whether the library reads the file's vocabulary and supports its architecture. @throws ParlanceError */
export async function checkVocabulary(file: string): Promise<void> {
  const model = await loadWeights(await startLlama(), file, true);
  await model.dispose();
}

export class LoadedModel {
  private constructor(
    private readonly llama: Llama,
    private readonly model: LlamaModel,
    private readonly conversations: Conversation[],
    readonly contextTokens: number,
  ) {}

  /** @throws language_model.memory, language_model.unavailable, language_model.damaged */
  static async load(file: string, usesGraphicsCard: boolean): Promise<LoadedModel> {
    const name = path.basename(file);
    const header = await readGguf(file).catch((thrown: unknown) => {
      throw errors.languageModelDamaged(name, thrown);
    });
    const plan = planContext(header, availableMemory().free, name);
    const llama = await startLlama(usesGraphicsCard);
    const model = await loadWeights(llama, file, false);
    try {
      const context = await model.createContext({
        contextSize: plan.contextTokens,
        sequences: plan.sequences,
        threads: header.fileBytes < SMALL_FILE_BYTES ? 1 : availableCores(),
      });
      const conversations = Array.from({ length: plan.sequences }, () => ({
        sequence: context.getSequence(),
        prompt: "",
        isBusy: false,
      }));
      // The library rounds up; texts that were divided for the planned size fit in any case.
      return new LoadedModel(llama, model, conversations, Math.min(context.contextSize, plan.contextTokens));
    } catch (thrown) {
      throw errors.languageModelMemory(name, plan.bytes, availableMemory().free, thrown);
    }
  }

  count(text: string): number {
    return this.model.tokenize(text).length;
  }

  /**
   * One answer. Calls up to the number of sequences run in one batch.
   * @param onToken  called for every token of the answer
   * @param onText   called with every piece of the answer's text
   * @throws language_model.too_long if prompt and answer exceed the context; work.aborted
   */
  async generate(
    request: GenerationRequest,
    signal: AbortSignal,
    onToken: () => void,
    onText: (piece: string) => void = () => undefined,
  ): Promise<{ text: string; isCut: boolean }> {
    const { LlamaChatSession } = await library();
    const { system, prompt, mostTokens } = request;
    const needed = this.count(system) + this.count(prompt) + FORMAT_TOKENS + mostTokens;
    if (needed > this.contextTokens) throw errors.languageModelTooLong(needed, this.contextTokens);
    const grammar =
      request.grammar === undefined ? undefined : await this.llama.createGrammar({ grammar: request.grammar });
    const conversation = this.take(prompt);
    const session = new LlamaChatSession({ contextSequence: conversation.sequence, systemPrompt: system });
    try {
      const { responseText, stopReason } = await session.promptWithMeta(prompt, {
        maxTokens: mostTokens,
        temperature: 0,
        signal,
        repeatPenalty: grammar ? false : REPEAT_PENALTY,
        budgets: { thoughtTokens: 0 },
        onToken,
        onTextChunk: onText,
        ...(grammar ? { grammar } : {}),
      });
      return { text: responseText, isCut: stopReason === "maxTokens" };
    } catch (thrown) {
      if (signal.aborted) throw errors.aborted();
      throw thrown instanceof ParlanceError ? thrown : errors.languageModelFailed(thrown);
    } finally {
      session.dispose({ disposeSequence: false });
      conversation.isBusy = false;
    }
  }

  /** The free conversation whose last prompt shares the longest beginning with this one: those tokens are not evaluated again. */
  private take(prompt: string): Conversation {
    const free = this.conversations.filter(({ isBusy }) => !isBusy);
    const [best] = free.sort((left, right) => commonPrefix(right.prompt, prompt) - commonPrefix(left.prompt, prompt));
    if (!best) throw errors.internal("no free conversation");
    best.isBusy = true;
    best.prompt = prompt;
    return best;
  }

  get sequences(): number {
    return this.conversations.length;
  }
}
