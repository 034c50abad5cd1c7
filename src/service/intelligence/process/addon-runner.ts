// Runs in the service process and manages the processes that run add-ons, started when first needed. Calls are concurrent: a call
// that waits for a provider does not delay others. If a call hangs or crashes its process, only its own add-ons fail; the transcript
// and other calls are not affected.

import type { AddonParameters } from "../../../contract/job-parameters.ts";
import type { CitedAnswer, QuestionEvent } from "../../../contract/questions.ts";
import type { AddonResult, Transcription } from "../../../contract/transcript/transcript.ts";
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { type ErrorCode, errors, toParlanceError } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import { NO_LANGUAGE_MODEL } from "../../models/language-model-choice.ts";
import { type AddonInput, failed } from "../addon.ts";
import { AddonFailed } from "../addon-error.ts";
import type { Providers } from "../providers/providers.ts";
import type { ProviderLimits } from "../turns.ts";
import type {
  AddonCall,
  AddonRequest,
  AddonResponse,
  Assembled,
  Assembly,
  DiarizationRequest,
  Diarized,
  QuestionRequest,
} from "./message.ts";

export interface AddonRunnerLimits extends ProviderLimits {
  /** Most concurrent calls; each has a transcript in memory. */
  calls: number;
  /** Most concurrent calls of one account. */
  callsPerTenant: number;
}

type AddonProcess = SupervisedProcess<AddonCall, AddonResponse>;

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

/** Bounds of the questions answered and waiting; each one being answered has a transcript in memory. */
const QUESTIONS = { slots: 8, slotsPerTenant: 4, waiting: 64, waitingPerTenant: 16 };

const isLoss = (code: ErrorCode) =>
  code === "process.died" || code === "process.timeout" || code === "process.bystander";

function assembledIn(response: AddonResponse): Assembled {
  if (response.kind !== "assembled") throw errors.internal(response);
  const { hash, speakerVoices } = response;
  return { hash, speakerVoices };
}

export class AddonRunner {
  private readonly shared: AddonProcess;
  private readonly isolated: AddonProcess;
  private readonly calls: FairSlots;
  private readonly questions = new FairSlots({
    ...QUESTIONS,
    full: () => errors.questionsBusy(QUESTIONS.waitingPerTenant, QUESTIONS.waiting),
  });
  private readonly isolatedCalls = new FairSlots({ slots: 1 });

  constructor(
    environment: ChildEnvironment,
    private readonly providers: Providers,
    { calls, callsPerTenant, requests, requestsPerTenant }: AddonRunnerLimits,
  ) {
    const create = (silenceMilliseconds: number): AddonProcess =>
      new SupervisedProcess({
        name: "add-on",
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

  /**
   * Writes the result of a job.
   * @param tenant  account of the job
   * @throws work.aborted; process.died when even the transcript alone cannot be written
   */
  async assemble(tenant: string, assembly: Assembly, signal: AbortSignal): Promise<Assembled> {
    const request = { kind: "assemble" as const, providers: this.providers, ...assembly };
    try {
      return assembledIn(await this.send({ tenant, request: { ...request, withAddons: true } }, signal));
    } catch (thrown) {
      signal.throwIfAborted();
      if (!isLoss(toParlanceError(thrown).code)) throw thrown;
      return assembledIn(await this.send({ tenant, request: { ...request, withAddons: false } }, signal));
    }
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

  /**
   * Runs one add-on over one transcript. Never throws.
   * @param tenant  account of the call
   */
  async run(
    tenant: string,
    name: string,
    transcription: Transcription,
    params: AddonParameters,
    options: Pick<AddonInput, "isRealtime" | "english"> = {},
  ): Promise<AddonResult<unknown>> {
    try {
      const request: AddonRequest = {
        kind: "addon",
        name,
        transcription,
        params,
        providers: this.providers,
        ...options,
      };
      const response = await this.send({ tenant, request });
      if (response.kind === "answer") return response.answer;
    } catch {
      // Returned as the add-on's failure.
    }
    return failed(new AddonFailed(`${name} did not end; the transcript is complete without it`));
  }

  /**
   * Divides the utterances of a live session by speakers.
   * @throws process.died, process.timeout
   */
  async diarize(tenant: string, diarization: DiarizationRequest): Promise<Diarized> {
    const response = await this.send({ tenant, request: { kind: "diarize", ...diarization } });
    if (response.kind !== "diarized") throw errors.internal(response);
    const { kind: _, ...diarized } = response;
    return diarized;
  }

  /**
   * Answers a question about a result. QUESTIONS bounds how many are answered and wait; further ones are refused.
   * @param question  read when its turn has come: it may have 20 MB of corrections
   * @param onEvent  receives progress, citations and pieces of the answer, in order
   * @throws questions.unavailable, questions.failed, questions.busy, work.aborted
   */
  async answer(
    tenant: string,
    question: () => Promise<QuestionRequest>,
    signal: AbortSignal,
    onEvent: (event: QuestionEvent) => void,
  ): Promise<CitedAnswer> {
    const onText = (text: string) => onEvent(JSON.parse(text) as QuestionEvent);
    const work = async () => {
      const request: AddonRequest = { kind: "question", providers: this.providers, ...(await question()) };
      return this.shared.call({ tenant, request }, { ...this.callOptions(signal), onText });
    };
    try {
      const response = await this.questions.run(tenant, work, signal);
      if (response.kind !== "answered") throw errors.internal(response);
      return response.answer;
    } catch (thrown) {
      if (!signal.aborted && isLoss(toParlanceError(thrown).code))
        throw errors.questionFailed("The process that writes the answer ended; ask again");
      throw thrown;
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.shared.stop(), this.isolated.stop()]);
  }

  /** Runs a call in the shared process. A call that crashes it is repeated once in a dedicated process. */
  private async send(call: AddonCall, signal?: AbortSignal): Promise<AddonResponse> {
    try {
      return await this.calls.run(call.tenant, () => this.sendShared(call, signal), signal);
    } catch (thrown) {
      if (toParlanceError(thrown).code !== "process.died") throw thrown;
    }
    const alone = async () => {
      try {
        return await this.isolated.call(call, this.callOptions(signal));
      } finally {
        await this.isolated.stop();
      }
    };
    return this.isolatedCalls.run(call.tenant, alone, signal);
  }

  private async sendShared(call: AddonCall, signal?: AbortSignal): Promise<AddonResponse> {
    for (let losses = 0; losses < MOST_LOSSES; losses++) {
      try {
        return await this.shared.call(call, this.callOptions(signal));
      } catch (thrown) {
        if (toParlanceError(thrown).code !== "process.bystander") throw thrown;
        await sleep(LOSS_PAUSE_MILLISECONDS);
      }
    }
    throw errors.processDied("add-on", "other calls crashed it repeatedly");
  }

  private callOptions(signal?: AbortSignal) {
    return { timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS, ...(signal ? { signal } : {}) };
  }
}
