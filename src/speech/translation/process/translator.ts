// Runs in the result process and manages its translation process: started when first needed, ended when idle. Requests run one at a time;
// accounts are served in fair order. A request that hangs or crashes the process fails only its own add-on.
import os from "node:os";
import { childEnvironment } from "../../../platform/config/load.ts";
import { errors, toParlanceError } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { TranslationRequest, TranslationResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
/** Longest time for one batch; the slowest one measured took two seconds. */
const BATCH_TIMEOUT_MILLISECONDS = 60_000;
/** Four directions and the work on a batch take about 500 MB. */
const MEMORY_LIMIT_BYTES = 1_500_000_000;
/** An idle process is ended after this time, which frees its memory. */
const IDLE_MILLISECONDS = 300_000;
/** Attempts of a request: if the process ended before it, a new one is started. */
const TRIES = 2;

const turns = new FairSlots({ slots: 1 });
let child: SupervisedProcess<TranslationRequest, TranslationResponse> | undefined;
let idle: NodeJS.Timeout | undefined;

function running(): SupervisedProcess<TranslationRequest, TranslationResponse> {
  child ??= new SupervisedProcess({
    name: "translation",
    file: entryFile("./child.js", import.meta.url),
    readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    environment: childEnvironment(os.tmpdir()),
  });
  return child;
}

/** For tests and benches: a process of its own ends with its parent. */
export async function stopTranslation(): Promise<void> {
  clearTimeout(idle);
  await child?.stop();
}

/** Ends the process after IDLE_MILLISECONDS without a request. */
function endWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => void running().stop(), IDLE_MILLISECONDS).unref();
}

/**
 * @param tenant  account of the request; accounts are served in fair order
 * @returns a translation of each text, in their order
 * @throws process.died, process.timeout, process.failed, work.aborted
 */
export async function translateTexts(
  tenant: string,
  request: TranslationRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const work = async () => {
    clearTimeout(idle);
    for (let attempt = 1; ; attempt++) {
      try {
        const { texts } = await running().call(request, { timeoutMilliseconds: BATCH_TIMEOUT_MILLISECONDS, signal });
        if (texts.length !== request.texts.length) throw errors.internal(texts.length);
        return texts;
      } catch (thrown) {
        if (toParlanceError(thrown).code !== "process.died" || attempt === TRIES || signal.aborted) throw thrown;
      }
    }
  };
  return turns.run(tenant, work, signal).finally(endWhenIdle);
}
