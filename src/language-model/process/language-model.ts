// The add-on process's side of its language-model process: started when first needed, ended when idle or when another model is
// chosen. A crash, a hang or too much memory fails the request that caused it; others are made again.
import { stat } from "node:fs/promises";
import os from "node:os";
import { childEnvironment } from "../../config/load.ts";
import { errors, toParlanceError } from "../../errors.ts";
import { FairSlots } from "../../fairness/fair-slots.ts";
import { entryFile } from "../../process/entry.ts";
import { SupervisedProcess } from "../../process/supervised-process.ts";
import { WANTED_SEQUENCES } from "../memory-plan.ts";
import type { CountRequest, GenerationRequest, LanguageModelRequest, LanguageModelResponse } from "./message.ts";

type LanguageModelProcess = SupervisedProcess<LanguageModelRequest, LanguageModelResponse>;

const READY_TIMEOUT_MILLISECONDS = 60_000;
/** From one token to the next. The first one comes after the question was computed: 8,000 tokens at 9 a second. */
const STALL_MILLISECONDS = 900_000;
/** The child sends a sign of life every second, also while it computes. */
const SILENCE_MILLISECONDS = 60_000;
/** Beside the file: two contexts of 8,192 tokens take 3.2 GB with the model of the list that needs most for them, smollm2. */
const MEMORY_BESIDE_FILE_BYTES = 4_500_000_000;
/** An idle process gives its memory back. */
const IDLE_MILLISECONDS = 300_000;
/** A process that another request ended is started again. */
const TRIES = 3;
/** Requests that wait, of all accounts: more are refused instead of waiting for hours. */
const MOST_WAITING = 256;

let current: { file: string; process: LanguageModelProcess } | undefined;
let idle: NodeJS.Timeout | undefined;
let active = 0;
const turns = new FairSlots({
  slots: WANTED_SEQUENCES,
  waiting: MOST_WAITING,
  waitingPerTenant: MOST_WAITING / 2,
  full: () => errors.languageModelBusy(MOST_WAITING),
});

async function processFor(file: string): Promise<LanguageModelProcess> {
  if (current?.file === file) return current.process;
  const { size } = await stat(file).catch((thrown: unknown) => {
    throw errors.languageModelRemoved(file, thrown);
  });
  const old = current;
  const process: LanguageModelProcess = new SupervisedProcess({
    name: "language model",
    file: entryFile("./child.js", import.meta.url),
    readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
    memoryLimitBytes: size + MEMORY_BESIDE_FILE_BYTES,
    environment: childEnvironment(os.tmpdir()),
    shared: { silenceMilliseconds: SILENCE_MILLISECONDS },
  });
  current = { file, process };
  await old?.process.stop();
  return process;
}

/** For tests and benches: a process of its own ends with its parent. */
export async function stopLanguageModel(): Promise<void> {
  clearTimeout(idle);
  const { process } = current ?? {};
  current = undefined;
  await process?.stop();
}

function endWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    if (active === 0) void stopLanguageModel();
  }, IDLE_MILLISECONDS).unref();
}

async function attempt(request: LanguageModelRequest, signal: AbortSignal): Promise<LanguageModelResponse> {
  const process = await processFor(request.file);
  try {
    return await process.call(request, { timeoutMilliseconds: STALL_MILLISECONDS, signal });
  } catch (thrown) {
    if (signal.aborted) throw errors.aborted();
    // Computation that stands still cannot be cancelled from outside.
    if (toParlanceError(thrown).code === "process.timeout") process.kill(toParlanceError(thrown));
    throw thrown;
  }
}

function ask(tenant: string, request: LanguageModelRequest, signal: AbortSignal): Promise<LanguageModelResponse> {
  const work = async () => {
    active++;
    clearTimeout(idle);
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(request, signal);
        } catch (thrown) {
          const { code } = toParlanceError(thrown);
          if (code !== "process.bystander" || tries === TRIES || signal.aborted) throw thrown;
        }
      }
    } finally {
      active--;
      endWhenIdle();
    }
  };
  return turns.run(tenant, work, signal);
}

/**
 * One answer of the model.
 * @param tenant  account on whose behalf; accounts take turns
 * @throws language_model.*, process.died, process.timeout, work.aborted
 */
export async function generate(
  tenant: string,
  request: Omit<GenerationRequest, "kind">,
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const response = await ask(tenant, { kind: "generate", ...request }, signal);
  if (response.kind !== "text") throw errors.internal(response.kind);
  return response;
}

/** Tokens of each text, and how many a question and its answer may have together. @throws as generate() */
export async function countTokens(
  tenant: string,
  request: Omit<CountRequest, "kind">,
  signal: AbortSignal,
): Promise<{ tokens: number[]; contextTokens: number }> {
  const response = await ask(tenant, { kind: "count", ...request }, signal);
  if (response.kind !== "counts" || response.tokens.length !== request.texts.length)
    throw errors.internal(response.kind);
  return response;
}
