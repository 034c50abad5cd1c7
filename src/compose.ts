// Builds every part once and hands each what it depends on. Nothing here decides anything.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { commandsOn } from "./accounts/administration/commands.ts";
import { serveAdministration } from "./accounts/administration/server.ts";
import { prepareAccounts } from "./accounts/first-account.ts";
import { createApp } from "./api/app.ts";
import type { Api, ApiContext } from "./api/context.ts";
import { DecoderPool } from "./audio/decode/decoder-pool.ts";
import { Enhancer } from "./audio/enhance/enhancer.ts";
import { SecretKeeper } from "./callbacks/secret-keeper.ts";
import { CallbackSender } from "./callbacks/sender.ts";
import { childEnvironment, networkEnvironment } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { errors } from "./errors.ts";
import { type Hearing, packageVersion, RECOGNITION_QUEUE_LIMIT } from "./hearing.ts";
import { RecognitionPool } from "./inference/pool.ts";
import { Analyst } from "./intelligence/process/analyst.ts";
import { LanguageModelChoice } from "./intelligence/providers/language-model-choice.ts";
import type { Providers } from "./intelligence/providers/providers.ts";
import { JobQueue } from "./jobs/queue.ts";
import { recoverJobs, workerName } from "./jobs/recover.ts";
import { startRetention } from "./jobs/retention.ts";
import type { StageServices } from "./jobs/stages/stage.ts";
import { Throughput } from "./jobs/throughput.ts";
import { WaitingForModels } from "./jobs/waiting-for-models.ts";
import { JobWorker, RECOVER_MILLISECONDS } from "./jobs/worker.ts";
import { acceptLiveConnections } from "./live/connection/socket.ts";
import { FolderLogs } from "./live/log/folder-logs.ts";
import type { SessionLogs } from "./live/log/log-contract.ts";
import { LiveRegistry } from "./live/session/registry.ts";
import type { HubOptions } from "./models/hub.ts";
import { ModelSupply } from "./models/supply.ts";
import { Engines } from "./observability/engines.ts";
import { Metrics } from "./observability/metrics.ts";
import { Waker } from "./process/waker.ts";
import { type Database, openDatabase } from "./storage/db/database.ts";
import { queueStateOf } from "./storage/db/queue-state.ts";
import { FreeSpace } from "./storage/free-space.ts";
import { FileStore } from "./storage/objects/file-store.ts";
import type { ObjectStore } from "./storage/objects/object-store.ts";
import { whenPossible } from "./storage/when-possible.ts";
import { Clerk } from "./transcripts/process/clerk.ts";
import { SearchIndex } from "./transcripts/search-index.ts";

/** A database that is started together with the service is waited for. */
const DATABASE_START_MILLISECONDS = 20_000;
/** As many as one recogniser process hears together. */
const JOBS_A_PROCESS = 8;
/** What is left of a live session that nobody ended is kept for so long beyond the longest session. */
const SPARE_SECONDS = 86_400;

export interface Service {
  api: Api;
  /** Starts the child processes; resolves when all are warm. Work that came earlier waits for them. */
  warm(): Promise<void>;
  /** Readiness goes: nothing new should be sent here. */
  drain(): void;
  /** Made at the first start, to be shown once. */
  madeKey?: string;
  stop(): Promise<void>;
}

export function hubOf({ modelsUrl, modelsToken }: Settings): HubOptions {
  return { base: modelsUrl, ...(modelsToken === "" ? {} : { token: modelsToken }) };
}

export function providersOf(settings: Settings): Providers {
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
  };
}

/** Where recordings and results lie. */
export async function objectStore(settings: Settings): Promise<ObjectStore> {
  const folder = path.join(settings.dataDirectory, "objects");
  if (settings.s3Bucket === "") return new FileStore(folder);
  // The client's library is loaded by those who need it.
  const { S3Store } = await import("./storage/objects/s3-store.ts");
  return new S3Store({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    bucket: settings.s3Bucket,
    prefix: settings.s3Prefix,
    pathStyle: settings.s3PathStyle,
    accessKeyId: settings.s3AccessKeyId,
    secretAccessKey: settings.s3SecretAccessKey,
    cache: folder,
    cacheBytes: settings.s3CacheBytes,
  });
}

/** Where live sessions lie. @throws settings.invalid */
async function sessionLogs(settings: Settings, database: Database, logger: Logger): Promise<SessionLogs> {
  const { dataDirectory, natsUrl } = settings;
  const machine = await machineName(dataDirectory);
  if (natsUrl === "") {
    const folder = path.join(dataDirectory, "objects", "live");
    return new FolderLogs({ database, machine, folder, syncEveryChunk: settings.fsync === "always" });
  }
  if (settings.databaseUrl === "") {
    throw errors.invalidSettings([
      "PARLANCE_NATS_URL is set: machines that share live sessions must see the same database. Set DATABASE_URL to a PostgreSQL server, or leave PARLANCE_NATS_URL out",
    ]);
  }
  // The client's library is loaded by those who need it.
  const { StreamLogs } = await import("./live/log/jetstream/stream-logs.ts");
  return StreamLogs.connect({
    database,
    machine,
    folder: path.join(dataDirectory, "live-copies"),
    url: natsUrl,
    credentialsFile: settings.natsCredentials,
    prefix: settings.natsPrefix,
    streams: settings.natsStreams,
    replicas: settings.natsReplicas,
    keepSeconds: settings.liveMaximumSeconds + settings.liveGraceSeconds + SPARE_SECONDS,
    logger,
  });
}

/** The same over restarts, for as long as the data folder is. */
async function machineName(dataDirectory: string): Promise<string> {
  const file = path.join(dataDirectory, "machine");
  const known = await readFile(file, "utf8").catch(() => "");
  if (known !== "") return known;
  const name = uuid();
  await writeFile(file, name);
  return name;
}

function concurrentJobsOf({ concurrentJobs, workers }: Settings): number {
  return concurrentJobs || JOBS_A_PROCESS * workers;
}

export function decoderPool(settings: Settings): DecoderPool {
  return new DecoderPool({
    processes: Math.min(concurrentJobsOf(settings), settings.workers),
    memoryLimitBytes: settings.decodeMemoryBytes,
    environment: childEnvironment(),
  });
}

/**
 * Builds all parts. The port is not open, and of the child processes only recognisers are being started: a client that
 * reconnects after a restart is answered before the models are loaded.
 * @param hearing  the service's from now on
 * @throws when a part cannot start; those that could are stopped again, what hears, too
 */
export async function composeService(settings: Settings, logger: Logger, hearing: Hearing): Promise<Service> {
  const { models, roles, recognition, hears, tracing } = hearing;
  const undo: (() => Promise<unknown>)[] = [() => hearing.stop()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await whenPossible(
      () => openDatabase(settings.databaseUrl, settings.dataDirectory),
      AbortSignal.timeout(DATABASE_START_MILLISECONDS),
      (error) => logger.warn({ err: error }, "waiting for the database"),
    );
    undo.push(() => database.destroy());
    const needsKey = settings.apiKey === "" && !settings.anonymous;
    const { account, madeKey } = await prepareAccounts(database, needsKey, uuid);
    const space = new FreeSpace(settings.dataDirectory, settings.reserveBytes);
    const objects = await objectStore(settings);
    undo.push(() => objects.stop());

    const supply = new ModelSupply({
      store: models,
      hub: hubOf(settings),
      mayFetch: settings.fetchModels,
      environment: networkEnvironment(),
      logger,
    });
    undo.push(() => supply.stop());
    // Live voice activity has a process of its own: it must never wait for a recognition to end.
    const detection = new RecognitionPool({
      workers: 1,
      queueLimit: RECOGNITION_QUEUE_LIMIT,
      taskTimeoutSeconds: settings.taskTimeoutSeconds,
      memoryLimitBytes: settings.recognizerMemoryBytes,
      environment: childEnvironment(),
      logger,
    });
    undo.push(() => detection.stop());
    const providers = providersOf(settings);
    const languageModel = new LanguageModelChoice(
      providers,
      path.join(settings.dataDirectory, "language-model.json"),
      { timeoutSeconds: settings.languageModelTimeoutSeconds, mostTokens: settings.languageModelTokens },
      settings.port,
    );
    await languageModel.load();
    // Live speech does not wait for the add-ons of recordings.
    const [analyst, liveAnalyst] = [0, 1].map(() => new Analyst(childEnvironment(), providers)) as [Analyst, Analyst];
    undo.push(() => Promise.all([analyst.stop(), liveAnalyst.stop()]));
    const enhancer = new Enhancer(childEnvironment(), logger);
    undo.push(() => enhancer.stop());
    const decoders = decoderPool(settings);
    undo.push(() => decoders.stop());
    const queue = new JobQueue(database, settings.accountConcurrentJobs, models);
    const isOnlyProcess = settings.databaseUrl === "";
    const metrics = new Metrics(recognition);
    const secrets = new SecretKeeper(settings.secretsKey);
    const callbacks = new CallbackSender({
      tracing,
      secrets,
      database,
      objects,
      timeoutSeconds: settings.callbackTimeoutSeconds,
      firstRetrySeconds: settings.callbackFirstRetrySeconds,
      spanSeconds: settings.callbackRetrySeconds,
      allowPrivateAddresses: settings.allowPrivateAddresses,
      isOnlyProcess,
      logger,
      onAttempt: (outcome, milliseconds) => metrics.callbackTried(outcome, milliseconds / 1000),
    });
    if (roles.has("worker")) await callbacks.start();
    undo.push(() => callbacks.stop());

    const services: StageServices = {
      tracing,
      database,
      objects,
      space,
      decoders,
      recognition,
      models,
      speech: settings,
      analyst,
      limits: settings,
      allowPrivateAddresses: settings.allowPrivateAddresses,
      logger,
    };
    const clerk = new Clerk(childEnvironment());
    undo.push(() => clerk.stop());
    const search = new SearchIndex({ database, objects, clerk, logger });
    if (roles.has("worker")) search.start();
    undo.push(() => search.stop());
    const ended = new Waker();
    const throughput = new Throughput();
    const worker = new JobWorker(queue, services, {
      name: workerName(),
      concurrency: concurrentJobsOf(settings),
      onEnded: ({ ending, createdAt, startedAt, running, hasCallback, audioSeconds }) => {
        const { completedAt } = ending;
        metrics.jobEnded(ending.status, { created: createdAt, started: startedAt, ended: completedAt }, audioSeconds);
        if (hasCallback) callbacks.wake();
        search.wake();
        ended.wake();
        if (ending.status !== "done") return;
        throughput.add(audioSeconds ?? 0, (completedAt.getTime() - startedAt.getTime()) / 1000, running);
      },
    });

    const recover = (isStart: boolean) =>
      recoverJobs({ database, objects, logger }, { isOnlyProcess, isStart, now: new Date() }).then((count) => {
        if (count > 0) logger.info({ count }, "interrupted jobs went back to the queue");
      });
    if (roles.has("worker")) {
      await recover(true);
      worker.start();
    }
    undo.push(() => worker.stop());
    if (roles.has("worker") && !isOnlyProcess) {
      const sweep = setInterval(() => {
        recover(false).catch((error: unknown) => logger.warn({ err: error }, "abandoned jobs were not looked for"));
      }, RECOVER_MILLISECONDS);
      undo.push(async () => clearInterval(sweep));
    }

    const waitingForModels = new WaitingForModels({
      database,
      models,
      supply,
      queue,
      multilingualModel: settings.multilingualModel,
      isOnlyProcess,
      logger,
      onEnded: () => callbacks.wake(),
    });
    if (roles.has("worker")) waitingForModels.start();
    undo.push(() => waitingForModels.stop());

    const logs = await sessionLogs(settings, database, logger);
    undo.push(() => logs.stop());
    const live = new LiveRegistry({
      tracing,
      database,
      objects,
      space,
      recognition,
      detection,
      models,
      enhancer,
      analyst: liveAnalyst,
      callbacks,
      settings,
      logs,
      logger,
    });
    if (roles.has("live")) await live.start();
    const retention = { audioDays: settings.audioRetentionDays, resultDays: settings.resultRetentionDays };
    if (roles.has("worker")) undo.push(startRetention({ database, objects, worker, live }, retention, logger));
    if (isOnlyProcess) undo.push(await serveAdministration(commandsOn(database), settings.dataDirectory));

    const isReady = () => !hears || recognition.isReady;
    metrics.watch({
      isReady,
      liveSessions: () => live.active,
      finalDelay: () => recognition.finalDelay,
      freeBytes: () => space.free(),
      queue: queueStateOf(database),
      engines: new Engines({
        database: () => sql`select 1`.execute(database),
        // There is none of this name: only the answer counts.
        objects: () => objects.size("none"),
        live_logs: () => logs.check(),
      }),
    });
    const context: ApiContext = {
      settings,
      roles,
      isReady,
      isDraining: false,
      database,
      objects,
      space,
      queue,
      callbacks,
      secrets,
      worker,
      live,
      ended,
      clerk,
      search,
      decoders,
      recognition,
      models,
      supply,
      languageModel,
      waitingForModels,
      throughput,
      metrics,
      tracing,
      logger,
      defaultAccount: account,
      newId: uuid,
      now: () => new Date(),
    };
    const api = await createApp(context, await packageVersion());
    undo.push(() => api.close());
    if (roles.has("live")) {
      const closeSockets = acceptLiveConnections(api.server, live, logger);
      undo.push(async () => closeSockets());
    }
    undo.push(() => live.stop());
    const warm = async () => {
      await Promise.all([
        ...(roles.has("live") ? [detection.start()] : []),
        hearing.ready,
        // Wanted after the first recognition: it leaves the processor to what loads the models.
        ...(roles.has("worker") ? [hearing.ready.then(() => analyst.start())] : []),
        ...(roles.has("worker") || roles.has("api") ? [decoders.start()] : []),
      ]);
    };
    const drain = () => {
      context.isDraining = true;
    };
    return { api, warm, drain, stop, ...(madeKey ? { madeKey } : {}) };
  } catch (error) {
    await stop();
    throw error;
  }
}
