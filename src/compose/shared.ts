// Parts that several roles use.

import path from "node:path";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { childEnvironment } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import { safeSend } from "../platform/net/safe-send.ts";
import { Metrics } from "../platform/observability/metrics.ts";
import { takeSecretsKey } from "../platform/storage/db/accounts/callback-secrets.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { databaseTime } from "../platform/storage/db/database-time.ts";
import { temporaryFolder } from "../platform/storage/temporary-folder.ts";
import { KeyHolders } from "../service/accounts/key-holders.ts";
import { resealJobs } from "../service/callbacks/job-secrets.ts";
import { lockedRequests, lockedSecrets } from "../service/callbacks/locked-secrets.ts";
import { SecretSealer } from "../service/callbacks/secret-sealer.ts";
import { CallbackSender } from "../service/callbacks/sender.ts";
import { RecognitionPool } from "../service/inference/pool.ts";
import { ResultProcesses } from "../service/intelligence/process/result-processes.ts";
import { LanguageModelChoice } from "../service/intelligence/providers/language-model-choice.ts";
import type { Providers } from "../service/intelligence/providers/providers.ts";
import { NamedResults } from "../service/jobs/named-results.ts";
import { JobQueue } from "../service/jobs/queue.ts";
import { StoredResults } from "../service/jobs/stored-results.ts";
import { modelStore } from "../service/models/store-settings.ts";
import { TranscriptProcess } from "../service/transcripts/process/transcript-process.ts";
import { VoiceLibrary } from "../service/voices/library.ts";
import { RequestVoices } from "../service/voices/request-voices.ts";
import { resealVoices, VoiceSeals } from "../service/voices/voice-seals.ts";
import { DecoderPool } from "../speech/audio/decode/decoder-pool.ts";
import { Enhancer } from "../speech/audio/enhance/enhancer.ts";
import type { Base } from "./base.ts";
import { concurrentJobsOf } from "./concurrent-jobs.ts";
import { composeModels } from "./models.ts";
import { RECOGNITION_QUEUE_LIMIT } from "./recognition-startup.ts";
import type { Stores } from "./stores.ts";

const LOCKED_VOICES =
  "PARLANCE_SECRETS_KEY is not the key that sealed some voices of the accounts' libraries; their names are missing from results. Set the right key, or the right one as PARLANCE_SECRETS_KEY_PREVIOUS while you change it";

/** Seals all secrets with the current key, and logs how many no key opens. */
async function openSecrets({ secretsKey, previousSecretsKey }: Settings, database: Database, logger: Logger) {
  const secrets = new SecretSealer(secretsKey, previousSecretsKey);
  const seals = new VoiceSeals(secretsKey, previousSecretsKey);
  const hasKey = secretsKey !== "";
  const jobs = await resealJobs(database, { secrets, voices: seals });
  if (jobs > 0) logger.error({ jobs }, lockedRequests(jobs, hasKey));
  const { locked, isKeyKnown } = await takeSecretsKey(database, secrets);
  if (locked.length > 0) logger.error({ accounts: locked.length }, lockedSecrets(locked, hasKey));
  else if (!isKeyKnown)
    logger.warn("PARLANCE_SECRETS_KEY is another one than before; no stored secret needs the former");
  const lockedVoices = await resealVoices(database, seals);
  if (lockedVoices > 0) logger.error({ voices: lockedVoices }, LOCKED_VOICES);
  return { secrets, seals };
}

/** Results made at once: each has a whole transcript in memory. */
export const ASSEMBLIES = { calls: 96, callsPerTenant: 16 };
/** Add-ons of finals at once: each has one utterance in memory. */
const LIVE_ADDONS = { calls: 512, callsPerTenant: 64 };

function providersOf(settings: Settings): Providers {
  const timeoutSeconds = settings.languageModelTimeoutSeconds;
  return {
    ...(settings.languageModelUrl === ""
      ? {}
      : {
          languageModel: {
            url: settings.languageModelUrl,
            key: settings.languageModelKey,
            model: settings.languageModelName,
            timeoutSeconds,
            mostTokens: settings.languageModelTokens,
          },
        }),
    ...(settings.translationUrl === ""
      ? {}
      : { translation: { url: settings.translationUrl, key: settings.translationKey, timeoutSeconds } }),
    translationModels: modelStore(settings).folder,
    languageModels: {
      folder: modelStore(settings).folder,
      name: settings.languageModel,
      mostTokens: settings.languageModelTokens,
      usesGraphicsCard: settings.languageModelGpu,
    },
  };
}

export function decoderPool(settings: Settings): DecoderPool {
  return new DecoderPool({
    processes: Math.min(concurrentJobsOf(settings), settings.workers),
    memoryLimitBytes: settings.decodeMemoryBytes,
    environment: childEnvironment(temporaryFolder(settings.dataDirectory)),
  });
}

/** Parts that several roles use: child processes, job queue, results, callbacks. */
export async function composeShared(base: Base, stores: Stores) {
  const { settings, logger, started, undo, environment, temporary } = base;
  const { account, disk, database, isOnlyProcess, firstKey, quarantine, fence, objects, reach, duties, signals } =
    stores;
  const { models, roles, recognition, tracing } = started;
  const modelParts = await composeModels(base, stores);
  // Live voice activity has a process of its own: it must never wait for a recognition to end.
  const detection = new RecognitionPool({
    workers: 1,
    queueLimit: RECOGNITION_QUEUE_LIMIT,
    taskTimeoutSeconds: settings.taskTimeoutSeconds,
    memoryLimitBytes: settings.recognizerMemoryBytes,
    environment,
    logger,
  });
  undo.push(() => detection.stop(), "live voice activity");
  const providers = providersOf(settings);
  const languageModel = new LanguageModelChoice(
    providers,
    path.join(settings.dataDirectory, "language-model.json"),
    { timeoutSeconds: settings.languageModelTimeoutSeconds, mostTokens: settings.languageModelTokens },
    settings.port,
    disk,
    quarantine,
  );
  await languageModel.load();
  // Live speech does not wait for the add-ons of recordings.
  const requests = settings.languageModelRequests;
  const toProviders = { requests, requestsPerTenant: Math.ceil(requests / 2) };
  const resultProcesses = new ResultProcesses(environment, providers, { ...ASSEMBLIES, ...toProviders });
  const liveResultProcesses = new ResultProcesses(environment, providers, { ...LIVE_ADDONS, ...toProviders });
  undo.push(() => Promise.all([resultProcesses.stop(), liveResultProcesses.stop()]), "result processes");
  const enhancer = new Enhancer(environment, logger);
  undo.push(() => enhancer.stop(), "enhancer");
  const decoders = decoderPool(settings);
  undo.push(() => decoders.stop(), "decoders");
  const { accountConcurrentJobs, accountConcurrentFetches } = settings;
  const limits = { process: accountConcurrentJobs, fetch: accountConcurrentFetches };
  const mayTake = async () => (await fence.isCurrent()) && (await reach.isInReach());
  const queue = new JobQueue(database, limits, models, { mayTake, signals });
  const transcriptProcess = new TranscriptProcess(environment);
  undo.push(() => transcriptProcess.stop(), "transcripts");
  const results = new StoredResults({
    database,
    objects,
    quarantine,
    problemOf: (tenant, file) => transcriptProcess.problemOf({ tenant }, file),
    onRequeued: () => queue.wake(),
    logger,
  });
  const metrics = new Metrics(recognition);
  const { secrets, seals } = await openSecrets(settings, database, logger);
  const voices = new VoiceLibrary({ database, seals, newId: uuid, now: () => databaseTime(database) });
  const requestVoices = new RequestVoices(settings.secretsKey, settings.previousSecretsKey);
  const namedResults = new NamedResults({ database, results, voices, transcriptProcess, temporaryFolder: temporary });
  const callbacks = new CallbackSender({
    tracing,
    secrets,
    database,
    resultOf: (jobId) => namedResults.text(jobId),
    send: safeSend,
    timeoutSeconds: settings.callbackTimeoutSeconds,
    firstRetrySeconds: settings.callbackFirstRetrySeconds,
    spanSeconds: settings.callbackRetrySeconds,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    isOnlyProcess,
    duties,
    signals,
    logger,
    onAttempt: (outcome, milliseconds) => metrics.callbackAttempted(outcome, milliseconds / 1000),
  });
  if (roles.has("worker")) await callbacks.start();
  undo.push(() => callbacks.stop(), "callbacks");
  return {
    keys: new KeyHolders({ database, defaultAccount: account, firstKey, settings }),
    ...modelParts,
    detection,
    languageModel,
    resultProcesses,
    liveResultProcesses,
    enhancer,
    decoders,
    queue,
    transcriptProcess,
    results,
    voices,
    requestVoices,
    namedResults,
    metrics,
    secrets,
    callbacks,
  };
}

export type Shared = Awaited<ReturnType<typeof composeShared>>;
