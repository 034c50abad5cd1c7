// The turn model of a live session, which is fetched when it is first needed. While it is not available, silence ends utterances.
import type { Logger } from "pino";
import { toParlanceError } from "../../../platform/errors.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import { fetchedModel, missingModel } from "../../models/optional-model.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import type { TurnOptions } from "../channel/channel-contract.ts";

const KIND = "turn model";

export interface TurnServices {
  models: Pick<ModelStore, "findTurnModel">;
  supply: Pick<ModelSupply, "ensure">;
  recognition: Pick<RecognitionPool, "judgeTurn">;
  /** Id of the turn model; empty for none. */
  turnModel: string;
  mayFetch: boolean;
  logger: Logger;
}

/** Of the request. */
export interface TurnParameters
  extends Pick<TurnOptions, "threshold" | "probableThreshold" | "minimumSeconds" | "maximumSeconds"> {}

export class TurnModel {
  private model: string | undefined;
  private hasWarned = false;
  private fetching: Promise<void> | undefined;
  private report: (problem: string) => void = () => undefined;

  constructor(private readonly services: TurnServices) {}

  /** Finds the model if it is installed. A session that resumes judges from its first audio on. */
  async find(): Promise<void> {
    const { models, turnModel } = this.services;
    const found = await models.findTurnModel(turnModel).catch(() => undefined);
    this.model = found?.id;
  }

  /** Fetches the model if it is missing. @param report  called once with the reason if there is no model, or if it fails */
  connected(report: (problem: string) => void): void {
    this.report = report;
    this.fetching ??= this.fetch();
  }

  optionsFor(parameters: TurnParameters): TurnOptions {
    return {
      ...parameters,
      isJudging: () => this.model !== undefined,
      judge: (audio, signal) => this.judge(audio, signal),
      fail: (error) => this.fail(error),
    };
  }

  private async fetch(): Promise<void> {
    if (this.model !== undefined) return;
    const { models, supply, turnModel, mayFetch, logger } = this.services;
    const found = await fetchedModel({
      ...{ id: turnModel, kind: KIND, variable: "PARLANCE_TURN_MODEL", supply, mayFetch },
      isInstalled: async () => (await models.findTurnModel(turnModel)) !== undefined,
    }).catch((error: unknown) => {
      logger.warn({ err: error }, "the installed turn models could not be read");
      return { problem: "the installed models could not be read" };
    });
    if ("model" in found) this.model = found.model;
    else this.warn(found.problem);
  }

  private judge(audio: Float32Array, signal: AbortSignal): Promise<number> {
    const { recognition, turnModel } = this.services;
    return recognition.judgeTurn(this.model ?? turnModel, audio, { priority: "live", signal });
  }

  private fail(thrown: unknown): void {
    const { code, message } = toParlanceError(thrown);
    this.model = undefined;
    this.services.logger.warn({ code, reason: message }, "the turn model of a live session failed");
    const { turnModel: id } = this.services;
    this.warn(
      code === "models.missing"
        ? missingModel({ id, kind: KIND })
        : `the ${KIND} ${id} failed; the log of the service has the reason`,
    );
  }

  private warn(problem: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.report(problem);
  }
}
