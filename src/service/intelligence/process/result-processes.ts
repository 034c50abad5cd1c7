// Runs in the service process and manages the processes that write results, run add-ons, divide live sessions by speakers and answer
// questions; calls/ has a file for each. They are started when first needed. Calls are concurrent: a call that waits for a provider
// does not delay others. If a call hangs or crashes its process, only its own add-ons fail; the transcript and other calls are not
// affected.
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { type ErrorCode, errors, toParlanceError } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import type { CallOptions } from "../../../platform/process/supervised-options.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import { NO_LANGUAGE_MODEL } from "../../models/language-model-choice.ts";
import type { Providers } from "../providers/providers.ts";
import type { ProviderLimits } from "../turns.ts";
import type { ResultCall, ResultResponse } from "./message.ts";
import { receivedMessage, type Sent, type SentCall, sentMessage } from "./sent-message.ts";

export interface ResultLimits extends ProviderLimits {
  /** Most concurrent calls; each has a transcript in memory. */
  calls: number;
  /** Most concurrent calls of one account. */
  callsPerTenant: number;
}

type ResultProcess = SupervisedProcess<SentCall, Sent<ResultResponse>>;

const READY_TIMEOUT_MILLISECONDS = 30_000;
/**
 * A process that reads no message for this long counts as hung. The add-ons of a recording of six hours take a few seconds. A call
 * that is ended wrongly is repeated in a dedicated process with a longer limit.
 */
const SILENCE_MILLISECONDS = 30_000;
const SILENCE_ALONE_MILLISECONDS = 300_000;
/** Longest time between two turns of a call, for hangs that the add-ons' own time limits do not catch. */
const CALL_TIMEOUT_MILLISECONDS = 3_600_000;
/** Longer than the idle times of its language-model and translation processes, which end with it. */
const IDLE_MILLISECONDS = 330_000;
/** How often a call is repeated after other calls have crashed the process, and the pause before each. */
const MOST_LOSSES = 20;
const LOSS_PAUSE_MILLISECONDS = 100;

/** The process ended before it answered. */
export const isLoss = (code: ErrorCode) =>
  code === "process.died" || code === "process.timeout" || code === "process.bystander";

export class ResultProcesses {
  private readonly shared: ResultProcess;
  private readonly isolated: ResultProcess;
  private readonly calls: FairSlots;
  private readonly isolatedCalls = new FairSlots({ slots: 1 });

  constructor(
    environment: ChildEnvironment,
    readonly providers: Providers,
    { calls, callsPerTenant, requests, requestsPerTenant }: ResultLimits,
  ) {
    const create = (silenceMilliseconds: number): ResultProcess =>
      new SupervisedProcess({
        name: "result",
        file: entryFile("./child.js", import.meta.url),
        arguments: [String(requests), String(requestsPerTenant)],
        // `serveParent` collects garbage when no call has run for a second. Small semi-spaces keep less of it until then.
        execArguments: ["--expose-gc", "--max-semi-space-size=4"],
        readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
        environment,
        shared: { silenceMilliseconds },
        idleMilliseconds: IDLE_MILLISECONDS,
      });
    this.shared = create(SILENCE_MILLISECONDS);
    this.isolated = create(SILENCE_ALONE_MILLISECONDS);
    this.calls = new FairSlots({ slots: calls, slotsPerTenant: callsPerTenant });
  }

  /** Starts the process ahead of a call. A failure is ignored: the call starts it again. */
  prepare(): void {
    this.shared.start().catch(() => undefined);
  }

  /** Whether a server is configured that translates every pair. */
  get hasTranslationServer(): boolean {
    return this.providers.translation !== undefined;
  }

  /** Whether a language model server is configured or selected. */
  get hasLanguageModelServer(): boolean {
    return this.providers.languageModel !== undefined;
  }

  /** PARLANCE_LANGUAGE_MODEL, which may be empty; undefined if a server is configured, or language models are off. */
  get ownLanguageModel(): string | undefined {
    const { languageModel, languageModels } = this.providers;
    if (languageModel || !languageModels || languageModels.name === NO_LANGUAGE_MODEL) return undefined;
    return languageModels.name;
  }

  /** Whether a translation server or a language model server is configured. */
  get translates(): boolean {
    return this.providers.translation !== undefined || this.providers.languageModel !== undefined;
  }

  async stop(): Promise<void> {
    await Promise.all([this.shared.stop(), this.isolated.stop()]);
  }

  /** Runs a call in the shared process. A call that crashes it is repeated once in a dedicated process. */
  async send(call: ResultCall, signal?: AbortSignal): Promise<ResultResponse> {
    try {
      return await this.calls.run(call.tenant, () => this.sendShared(call, signal), signal);
    } catch (thrown) {
      if (toParlanceError(thrown).code !== "process.died") throw thrown;
    }
    const alone = async () => {
      try {
        return await this.callIn(this.isolated, call, this.callOptions(signal));
      } finally {
        await this.isolated.stop();
      }
    };
    return this.isolatedCalls.run(call.tenant, alone, signal);
  }

  /**
   * Runs a call in the shared process, beside the calls of `send` and without their bounds. It is not repeated.
   * @param onText  receives texts before the response
   */
  sendOnce(call: ResultCall, signal: AbortSignal, onText: (text: string) => void): Promise<ResultResponse> {
    return this.callIn(this.shared, call, { ...this.callOptions(signal), onText });
  }

  private async sendShared(call: ResultCall, signal?: AbortSignal): Promise<ResultResponse> {
    for (let losses = 0; losses < MOST_LOSSES; losses++) {
      try {
        return await this.callIn(this.shared, call, this.callOptions(signal));
      } catch (thrown) {
        if (toParlanceError(thrown).code !== "process.bystander") throw thrown;
        await sleep(LOSS_PAUSE_MILLISECONDS);
      }
    }
    throw errors.processDied("result", "other calls crashed it repeatedly");
  }

  private async callIn(
    child: ResultProcess,
    { tenant, request }: ResultCall,
    options: CallOptions,
  ): Promise<ResultResponse> {
    const sent = { tenant, request: await sentMessage(request) };
    return receivedMessage(await child.call(sent, options));
  }

  private callOptions(signal?: AbortSignal) {
    return { timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS, ...(signal ? { signal } : {}) };
  }
}
