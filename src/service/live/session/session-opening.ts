// Builds a session from its job: models, parameters, callbacks, log.

import { type LiveParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import { isLogLost } from "../../../platform/errors.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { insertDeliveries } from "../../../platform/storage/db/deliveries/deliveries.ts";
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import { inTransaction } from "../../../platform/storage/db/transaction.ts";
import { callbackTarget } from "../../callbacks/enqueue.ts";
import { DecodedLog } from "../compressed/decoded-log.ts";
import { subscriptionOf } from "../events/subscription.ts";
import type { Claim, SessionLog } from "../log/log-contract.ts";
import type { SpeakerServices } from "../speakers/speaker-services.ts";
import { TurnModel } from "../turns/turn-model.ts";
import { hasViewers, SessionViewers } from "../viewers/session-viewers.ts";
import { ViewerRecord } from "../viewers/viewer-record.ts";
import { LiveCallbacks, type StoreDeliveries } from "./callbacks.ts";
import { sessionParams, turnsOf } from "./params.ts";
import type { RegistryServices } from "./registry-services.ts";
import { Session } from "./session.ts";
import type { SessionOwner, SessionParams, SessionServices, SessionTimers } from "./session-contract.ts";
import { type LanguageServices, multilingualFor, SessionLanguages } from "./session-languages.ts";
import { fetchForSession } from "./translation-models.ts";

function callbacksOf(registry: RegistryServices, jobId: string, parameters: LiveParameters): LiveCallbacks | undefined {
  const target = callbackTarget(jobId, parameters);
  const flags = parameters.callback_config;
  if (!target || !flags) return undefined;
  const { database, callbacks, logger } = registry;
  const store: StoreDeliveries = async (to, deliveries) => {
    const now = databaseTime(database);
    await inTransaction(database, (transaction) => insertDeliveries(transaction, to, deliveries, now));
    callbacks.wake();
  };
  return new LiveCallbacks(target, subscriptionOf(parameters.callback_config), registry.recordFormat, store, logger);
}

/** @returns undefined without viewers, and with a source, whose connection stores what they read */
function viewersOf(registry: RegistryServices, jobId: string, parameters: LiveParameters): SessionViewers | undefined {
  if (!hasViewers(parameters) || parameters.source) return undefined;
  const { database, recordFormat, viewerFeeds, logger } = registry;
  return new SessionViewers(new ViewerRecord(database, jobId, recordFormat, viewerFeeds), logger);
}

function speakersOf(
  registry: RegistryServices,
  row: JobRow,
  { diarization = false, diarization_config = {} }: LiveParameters,
): SpeakerServices {
  const { models, supply, recognition, settings, voices, resultProcesses, logger } = registry;
  const { speakerModel, fetchModels } = settings;
  return {
    models,
    supply,
    speakerModel,
    mayFetch: fetchModels,
    recognition,
    resultProcesses,
    params: { diarization, diarization_config },
    accountId: row.account_id,
    logger: logger.child({ session: row.id }),
    people: (model) => voices.people(row.account_id, model),
    identify: (matches) => voices.identify(row.account_id, row.id, matches),
  };
}

/** Found now if the session needs it from its beginning; a change of the session may need it later. */
async function turnModelOf(registry: RegistryServices, row: JobRow, parameters: LiveParameters): Promise<TurnModel> {
  const { models, supply, recognition, settings, logger } = registry;
  const { turnModel, fetchModels: mayFetch } = settings;
  const own = logger.child({ session: row.id });
  const model = new TurnModel({ models, supply, recognition, turnModel, mayFetch, logger: own });
  if (turnsOf(parameters)) await model.find();
  return model;
}

/** A session whose client cannot reconnect ends at once where its connection is lost, and where a process finds it again. */
function timersOf(
  { status }: Pick<JobRow, "status">,
  { client_rules = { reconnects: true } }: LiveParameters,
  { liveIdleSeconds, liveGraceSeconds, liveMaximumSeconds }: RegistryServices["settings"],
): SessionTimers {
  const { reconnects, idle_seconds = liveIdleSeconds, most_seconds = liveMaximumSeconds } = client_rules;
  const grace = liveGraceSeconds * 1000;
  return {
    idleMilliseconds: Math.min(liveIdleSeconds, idle_seconds) * 1000,
    graceMilliseconds: reconnects || status === "queued" ? grace : 0,
    awayMilliseconds: reconnects ? grace : 0,
    maximumMilliseconds: Math.min(liveMaximumSeconds, most_seconds) * 1000,
  };
}

/** The log, with the decoded samples of a compressed stream as its audio. */
async function withSamples(
  { streamDecoders: decoders, decodedFolder: folder }: RegistryServices,
  log: SessionLog,
  id: string,
  { compression }: SessionParams,
  { timers, accountId }: SessionServices,
): Promise<SessionLog> {
  if (!compression) return log;
  const mostSeconds = timers.maximumMilliseconds / 1000;
  return DecodedLog.open(log, id, compression, { accountId, decoders, folder, mostSeconds });
}

/** Finds the models for the changes of an earlier process. @returns the log with samples */
async function prepared(
  registry: RegistryServices,
  log: SessionLog,
  id: string,
  params: SessionParams,
  services: SessionServices,
  { turns, languages }: { turns: TurnModel; languages: SessionLanguages },
): Promise<SessionLog> {
  if (log.entries.some((entry) => entry.kind === "change")) await turns.find();
  await languages.findChanged(params.request, log.entries);
  return withSamples(registry, log, id, params, services);
}

/** Channels of the audio of a session. */
export const channelsOf = ({ request_params }: Pick<JobRow, "request_params">): number =>
  parseLiveParameters(request_params).channels ?? 1;

/**
 * Opens the log of a session and resumes it.
 * @returns undefined while another machine owns it
 */
export async function openSession(
  registry: RegistryServices &
    Pick<SessionServices, "mayReturn" | "stopping" | "ticks"> &
    Pick<LanguageServices, "refusalOf">,
  row: JobRow,
  claim: Claim,
  owner: SessionOwner,
): Promise<Session | undefined> {
  const { logs, recognition, detection, models, enhancer, resultProcesses, settings, logger } = registry;
  const parameters = parseLiveParameters(row.request_params);
  const callbacks = callbacksOf(registry, row.id, parameters);
  const viewers = viewersOf(registry, row.id, parameters);
  const mayFetch = settings.fetchModels && !resultProcesses.translates;
  const translation = { models, supply: registry.supply, mayFetch, logger };
  const turns = await turnModelOf(registry, row, parameters);
  const languages = new SessionLanguages(registry);
  const services: SessionServices = {
    ...(callbacks ? { callbacks } : {}),
    ...(viewers ? { viewers } : {}),
    recognition,
    detection,
    enhancer,
    resultProcesses,
    accountId: row.account_id,
    speakers: speakersOf(registry, row, parameters),
    turns,
    logger,
    space: registry.space,
    ...(registry.ticks ? { ticks: registry.ticks } : {}),
    ...(registry.stopping ? { stopping: registry.stopping } : {}),
    ...(registry.mayReturn ? { mayReturn: registry.mayReturn } : {}),
    recordFormat: registry.recordFormat,
    fetchTranslation: (source, targets) => fetchForSession(translation, source, targets),
    languages,
    multilingual: multilingualFor(registry),
    timers: timersOf(row, parameters, settings),
  };
  const params = sessionParams(await languages.find(parameters), parameters);
  const now = databaseTime(registry.database).getTime();
  // By the clock of this machine, with which the session compares it.
  const startedAt = Date.now() - (now - (row.started_at?.getTime() ?? now));
  const log = await logs.open(row.id, claim).catch((error: unknown) => {
    if (isLogLost(error)) return undefined;
    throw error;
  });
  if (!log) return undefined;
  const decoded = await prepared(registry, log, row.id, params, services, { turns, languages }).catch(
    async (error: unknown) => {
      await log.close();
      if (isLogLost(error)) return undefined;
      throw error;
    },
  );
  if (!decoded) return undefined;
  return Session.open(row.id, params, decoded, services, owner, startedAt).catch(async (error: unknown) => {
    await decoded.close();
    if (isLogLost(error)) return undefined;
    throw error;
  });
}
