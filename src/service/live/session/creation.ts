// Creates live sessions, for POST /v2/live and for dialects whose connections create their session themselves: both pass the
// same checks, and their sessions have the same row.
import type { Logger } from "pino";
import type { ClientRules } from "../../../contract/job-parameters.ts";
import type { LiveBody } from "../../../contract/live.ts";
import type { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import type { Settings } from "../../../platform/config/settings.ts";
import type { Account } from "../../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../../platform/storage/db/database-time.ts";
import { requestedTags } from "../../../platform/storage/db/jobs/job-tags.ts";
import { createTokens, type SessionTokens } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { insertJob, type NewJob } from "../../../platform/storage/db/jobs/new-job.ts";
import { inTransaction } from "../../../platform/storage/db/transaction.ts";
import type { FreeSpace } from "../../../platform/storage/free-space.ts";
import type { CallbackSender } from "../../callbacks/sender.ts";
import { fetchFirst } from "../../models/begin-fetch.ts";
import { chooseModel } from "../../models/choose-model.ts";
import type { ModelsOfRole } from "../../models/served-models.ts";
import { languageRequestOf } from "../../models/speech-plan.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import { addedWords } from "../../vocabulary/account-vocabulary.ts";
import type { VoiceLibrary } from "../../voices/library.ts";
import { hasViewers } from "../viewers/session-viewers.ts";
import type { LiveRegistry } from "./registry.ts";

export interface CreationServices {
  callbacks: CallbackSender;
  database: Database;
  live: LiveRegistry;
  logger: Logger;
  models: ModelStore;
  liveModels: ModelsOfRole;
  settings: Settings;
  space: FreeSpace;
  supply: ModelSupply;
  voices: VoiceLibrary;
  newId(): string;
  now(): DatabaseTime;
}

/** @property body  judged already, with defaults and a model */
export interface SessionRequest {
  account: Account;
  /** Of the key in the database; null for another one. */
  keyId: string | null;
  body: LiveBody & { model: string };
  /** Parts of the request without effect, a sentence each. */
  warnings: readonly string[];
  /** Of another interface than POST /v2/live. */
  client?: ClientRules | undefined;
  /** Whether this process opens the session. */
  opensHere?: boolean;
  /** traceparent of the request. */
  trace?: string | undefined;
  /** Address of the live source. `body.source` has it without its credentials. */
  source?: FetchAddress | undefined;
}

export interface CreatedSession extends SessionTokens {
  id: string;
  createdAt: Date;
}

export class SessionCreation {
  constructor(private readonly services: CreationServices) {}

  /**
   * @throws storage.full, voices.off, models.missing, models.on_its_way, recognition.language_unavailable,
   * limit.live_sessions, service.overloaded, service.not_ready
   */
  async create({ opensHere, ...request }: SessionRequest): Promise<CreatedSession> {
    const { live, settings, space, voices } = this.services;
    const { account, body } = request;
    await space.check();
    if (body.diarization && body.diarization_config?.identify_speakers) await voices.requireOn(account.id);
    const wanted = languageRequestOf({ model: body.model, language_config: body.language_config });
    const { models, liveModels } = this.services;
    const { model } = await chooseModel(wanted, { models: liveModels, settings });
    const isReady = opensHere ? (await models.find(model)) !== undefined : await this.hasReady(model);
    if (!isReady) await fetchFirst(model, this.services, opensHere ? "here" : "fleet");
    const id = this.services.newId();
    await live.reserve(id, account, model, body.channels);
    try {
      return await this.insert(request, id, model);
    } catch (error) {
      live.capacity.release(id);
      throw error;
    }
  }

  private async insert(
    { account, keyId, body, warnings, client, trace, source }: SessionRequest,
    id: string,
    model: string,
  ): Promise<CreatedSession> {
    const { database, live, callbacks } = this.services;
    const { custom_metadata, tags, ...given } = body;
    const { realtime_processing: realtime = {} } = given;
    const added = await addedWords(database, account.id, realtime);
    const { account_words } = added;
    const all = [...warnings, ...added.warnings.map((sentence) => `realtime_processing.${sentence}`)];
    const params = {
      ...given,
      ...(account_words ? { realtime_processing: { ...realtime, account_words } } : {}),
      ...(all.length > 0 ? { warnings: all } : {}),
      ...(client ? { client_rules: client } : {}),
      // A-law and mu-law always have eight bits; the default of bit_depth does not apply.
      bit_depth: body.encoding === "wav/alaw" || body.encoding === "wav/ulaw" ? 8 : body.bit_depth,
    };
    const createdAt = this.services.now();
    const job: NewJob = {
      trace,
      id,
      accountId: account.id,
      kind: "live",
      model,
      createdAt,
      params,
      ...(custom_metadata ? { metadata: custom_metadata } : {}),
      ...(tags ? { tags: requestedTags("tags", tags) } : {}),
      ...(source ? { audioUrl: source } : {}),
    };
    const tokens = await inTransaction(database, async (transaction) => {
      await insertJob(transaction, job);
      await live.enqueueStartSession(transaction, { id, request_params: params }, createdAt);
      return createTokens(transaction, id, keyId, hasViewers(params));
    });
    callbacks.wake();
    return { id, createdAt, ...tokens };
  }

  /** Whether a process that runs live sessions has the model. */
  private async hasReady(model: string): Promise<boolean> {
    const { live, liveModels } = this.services;
    return live.capacity.isElsewhere(model) || liveModels.isReady(model);
  }
}
