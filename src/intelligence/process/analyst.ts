// The service's side of the processes that run add-ons: one task at a time in each, started when first needed. A
// task that hangs or ends its process costs its add-ons, never the transcript.

import { toParlanceError } from "../../errors.ts";
import type { AddonResult, Transcription } from "../../jobs/transcript.ts";
import { entryFile } from "../../process/entry.ts";
import { SupervisedProcess } from "../../process/supervised-process.ts";
import { AddonFailed, type AddonInput, failed } from "../addon.ts";
import type { Providers } from "../providers/providers.ts";
import type { AnalystRequest, AnalystResponse, Assembly } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
/** Local add-ons need a small part of this; language models may need much of it. */
const ASSEMBLY_TIMEOUT_MILLISECONDS = 900_000;
const ADDON_TIMEOUT_MILLISECONDS = 90_000;

export class Analyst {
  private readonly process: SupervisedProcess<AnalystRequest, AnalystResponse>;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    environment: Record<string, string>,
    private readonly providers: Providers,
  ) {
    this.process = new SupervisedProcess({
      name: "add-on",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
    });
  }

  async start(): Promise<void> {
    await this.process.start();
  }

  /** Writes the result of a job. @throws work.aborted; process.died when even the transcript alone cannot be written */
  async assemble(assembly: Assembly, signal: AbortSignal): Promise<void> {
    const request = { kind: "assemble" as const, providers: this.providers, ...assembly };
    try {
      await this.inTurn({ ...request, withAddons: true }, ASSEMBLY_TIMEOUT_MILLISECONDS, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      const { code } = toParlanceError(thrown);
      if (code !== "process.died" && code !== "process.timeout") throw thrown;
      await this.inTurn({ ...request, withAddons: false }, ASSEMBLY_TIMEOUT_MILLISECONDS, signal);
    }
  }

  /** Whether something is configured that translates. */
  get translates(): boolean {
    return this.providers.translation !== undefined || this.providers.languageModel !== undefined;
  }

  /** One add-on over one transcript. Never throws. */
  async run(
    name: string,
    transcription: Transcription,
    params: Record<string, unknown>,
    options: Pick<AddonInput, "isWantedAtOnce" | "english"> = {},
  ): Promise<AddonResult<unknown>> {
    try {
      const request = {
        kind: "addon" as const,
        name,
        transcription,
        params,
        providers: this.providers,
        ...options,
      };
      const response = await this.inTurn(request, ADDON_TIMEOUT_MILLISECONDS);
      if (response.kind === "answer") return response.answer;
    } catch {
      // Told as the add-on's failure.
    }
    return failed(new AddonFailed(`${name} did not end; the transcript is complete without it`));
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private inTurn(request: AnalystRequest, timeoutMilliseconds: number, signal?: AbortSignal): Promise<AnalystResponse> {
    const answer = this.last.then(() => {
      signal?.throwIfAborted();
      return this.process.call(request, { timeoutMilliseconds, ...(signal ? { signal } : {}) });
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }
}
