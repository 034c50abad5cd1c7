// The models for the languages of a session, when it is opened and when a client changes them.
import type { Logger } from "pino";
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import type { Settings } from "../../../platform/config/settings.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { fetchFirst } from "../../models/begin-fetch.ts";
import {
  englishTranslatorOf,
  type LanguageRequest,
  languageRequestOf,
  planSpeech,
  type SpeechPlan,
  secondEnglishModel,
} from "../../models/speech-plan.ts";
import { ModelStore, type ServedModels } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import type { ChannelModels } from "../channel/channel-contract.ts";
import type { JournalEntry } from "../log/log-contract.ts";
import { withChange } from "./changes.ts";
import type { LanguageModels, MultilingualModel, SessionModels } from "./session-contract.ts";

export interface LanguageServices {
  /** Of this process. */
  models: Pick<ModelStore, "list" | "find">;
  /** Of all processes that run live sessions: each chooses the same model for a session. */
  liveModels: Pick<ServedModels, "list">;
  supply: ModelSupply;
  settings: Settings;
  logger: Logger;
  /** Why the session may not use a model in place of another one; undefined if it may. */
  refusalOf(model: string, former: string): string | undefined;
}

/** Identifies what a session's languages need: its model never changes. */
const keyOf = ({ languages, codeSwitching }: LanguageRequest) => JSON.stringify([languages, codeSwitching]);

export class SessionLanguages implements LanguageModels {
  private readonly known = new Map<string, SessionModels>();

  constructor(private readonly services: LanguageServices) {}

  /**
   * @throws request.invalid, models.missing, recognition.language_unavailable; models.on_its_way while this process fetches the model
   */
  async find(request: LiveParameters): Promise<SessionModels> {
    const wanted = languageRequestOf(request);
    return this.known.get(keyOf(wanted)) ?? this.use(wanted, await this.planOf(wanted));
  }

  /** The same for the changes of an earlier process. */
  async findChanged(request: LiveParameters, entries: readonly JournalEntry[]): Promise<void> {
    let current = request;
    for (const entry of entries) {
      if (entry.kind !== "change") continue;
      current = withChange(current, entry.change);
      await this.find(current);
    }
  }

  of(request: LiveParameters): SessionModels {
    const found = this.known.get(keyOf(languageRequestOf(request)));
    if (!found) throw new Error("the models of a change were not found");
    return found;
  }

  async choose(request: LiveParameters, { plan: { model: former } }: ChannelModels): Promise<string | undefined> {
    const wanted = languageRequestOf(request);
    try {
      const plan = await this.planOf(wanted);
      const refusal = plan.model === former ? undefined : this.services.refusalOf(plan.model, former);
      if (refusal === undefined) await this.use(wanted, plan);
      return refusal;
    } catch (error) {
      if (error instanceof ParlanceError) return error.message;
      throw error;
    }
  }

  /** A plan whose model this process has. */
  private async planOf(request: LanguageRequest): Promise<SpeechPlan> {
    const { models, liveModels, settings } = this.services;
    const plan = planSpeech(request, await liveModels.list(), settings);
    if (!(await models.find(plan.model))) await fetchFirst(plan.model, this.services, "here");
    return plan;
  }

  private async use(request: LanguageRequest, plan: SpeechPlan): Promise<SessionModels> {
    const installed = await this.services.models.list();
    const second = secondEnglishModel(plan, request, installed);
    const englishTranslator = englishTranslatorOf(plan, installed);
    const found = {
      plan,
      ...(second ? { secondEnglishModel: second } : {}),
      ...(englishTranslator ? { englishTranslator } : {}),
    };
    this.known.set(keyOf(request), found);
    return found;
  }
}

/** The model for speech that turns out not to be English. */
export function multilingualFor({
  models,
  supply,
  settings,
}: Pick<LanguageServices, "supply" | "settings"> & { models: Pick<ModelStore, "list" | "find"> }): MultilingualModel {
  const id = settings.multilingualModel;
  const plan = async (request: LanguageRequest) => planSpeech(request, await models.list(), settings);
  // A request that names a model is recognised by that model only.
  const mayChange = ({ model, languages }: LanguageRequest) => ModelStore.isDefault(model) && languages.length === 0;
  return {
    id,
    async plan(request) {
      if (!mayChange(request)) throw errors.modelMissing(id);
      await supply.ensure(id);
      return plan(request);
    },
    installedPlan: async (request) => (mayChange(request) && (await models.find(id)) ? plan(request) : undefined),
  };
}
