// Runs in the result process and manages its language-model process: started when first needed, ended when idle or when another model
// is selected. A crash, a hang or too much memory fails the request that caused it; other requests are repeated.
import { stat } from "node:fs/promises";
import os from "node:os";
import { childEnvironment } from "../../../platform/config/load.ts";
import { errors, toParlanceError } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import { WANTED_SEQUENCES } from "../memory-plan.ts";
import type { CountRequest, GenerationRequest, LanguageModelRequest, LanguageModelResponse } from "./message.ts";

type OnText = (piece: string) => void;
type LanguageModelProcess = SupervisedProcess<LanguageModelRequest, LanguageModelResponse>;

const READY_TIMEOUT_MILLISECONDS = 60_000;
/** Longest time between tokens. The first one follows the evaluation of the prompt: 8,000 tokens at 9 a second. */
const STALL_MILLISECONDS = 900_000;
/** Longest time without a heartbeat; the child sends one every second, also while it computes. */
const SILENCE_MILLISECONDS = 60_000;
/** In addition to the file: two contexts of 8,192 tokens take 3.2 GB with smollm2, the model of the catalogue with the largest cache. */
const MEMORY_BESIDE_FILE_BYTES = 4_500_000_000;
/** An idle process is ended after this time, which frees its memory. */
const IDLE_MILLISECONDS = 300_000;
/** Attempts of a request whose process was ended by another request. */
const TRIES = 3;
/** Waiting requests of all accounts; further ones are refused instead of waiting for hours. */
const MOST_WAITING = 256;
const MOST_WAITING_OF_ACCOUNT = 128;

let current: { file: string; process: LanguageModelProcess } | undefined;
let idle: NodeJS.Timeout | undefined;
let active = 0;
const turns = new FairSlots({
  slots: WANTED_SEQUENCES,
  waiting: MOST_WAITING,
  waitingPerTenant: MOST_WAITING_OF_ACCOUNT,
  full: () => errors.languageModelBusy(MOST_WAITING_OF_ACCOUNT, MOST_WAITING),
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

async function attempt(
  request: LanguageModelRequest,
  signal: AbortSignal,
  onText: OnText | undefined,
): Promise<LanguageModelResponse> {
  const process = await processFor(request.file);
  try {
    return await process.call(request, {
      timeoutMilliseconds: STALL_MILLISECONDS,
      signal,
      ...(onText ? { onText } : {}),
    });
  } catch (thrown) {
    if (signal.aborted) throw errors.aborted();
    // Computation that hangs cannot be cancelled from outside.
    if (toParlanceError(thrown).code === "process.timeout") process.kill(toParlanceError(thrown));
    throw thrown;
  }
}

function ask(
  tenant: string,
  request: LanguageModelRequest,
  signal: AbortSignal,
  onText?: OnText,
): Promise<LanguageModelResponse> {
  // A repeated request would send its first pieces again.
  let isStarted = false;
  const onPiece: OnText | undefined =
    onText &&
    ((piece) => {
      isStarted = true;
      onText(piece);
    });
  const work = async () => {
    active++;
    clearTimeout(idle);
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(request, signal, onPiece);
        } catch (thrown) {
          const { code } = toParlanceError(thrown);
          if (code !== "process.bystander" || tries === TRIES || isStarted || signal.aborted) throw thrown;
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
 * @param tenant  account of the request; accounts are served in fair order
 * @param onText  called with each piece of the answer, in order
 * @throws language_model.*, process.died, process.timeout, work.aborted
 */
export async function generate(
  tenant: string,
  request: Omit<GenerationRequest, "kind" | "isStreamed">,
  signal: AbortSignal,
  onText?: OnText,
): Promise<{ text: string; isCut: boolean }> {
  const response = await ask(
    tenant,
    { kind: "generate", ...request, ...(onText ? { isStreamed: true } : {}) },
    signal,
    onText,
  );
  if (response.kind !== "text") throw errors.internal(response.kind);
  return response;
}

/** The number of tokens of each text, and of the context for prompt and answer. @throws as generate() */
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
