// Builds every part once and hands each what it depends on. Nothing here decides anything.
import path from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { commandsOn } from "./accounts/administration/commands.ts";
import { serveAdministration } from "./accounts/administration/server.ts";
import { prepareAccounts } from "./accounts/first-account.ts";
import { FirstKey } from "./accounts/first-key.ts";
import { createApp } from "./api/app.ts";
import type { Api, ApiContext } from "./api/context.ts";
import { ApiServer, type ListenSettings } from "./api/server.ts";
import { DecoderPool } from "./audio/decode/decoder-pool.ts";
import { Enhancer } from "./audio/enhance/enhancer.ts";
import { type BackupOptions, backUp } from "./backup/backup.ts";
import { lockedSecrets } from "./callbacks/locked-secrets.ts";
import { SecretSealer } from "./callbacks/secret-sealer.ts";
import { CallbackSender } from "./callbacks/sender.ts";
import { childEnvironment, networkEnvironment } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { errors, type ParlanceError } from "./errors.ts";
import { FairSlots } from "./fairness/fair-slots.ts";
import { RecognitionPool } from "./inference/pool.ts";
import { AddonRunner } from "./intelligence/process/addon-runner.ts";
import { LanguageModelChoice } from "./intelligence/providers/language-model-choice.ts";
import { modelsOfStore, type Providers } from "./intelligence/providers/providers.ts";
import { AccountRemoval } from "./jobs/account-removal.ts";
import { AwaitedJobs } from "./jobs/awaited-jobs.ts";
import { JobQueue } from "./jobs/queue.ts";
import { recoverJobs, workerName } from "./jobs/recover.ts";
import { startRetention } from "./jobs/retention.ts";
import { SearchIndex } from "./jobs/search-index.ts";
import type { StageServices } from "./jobs/stages/stage.ts";
import { StoredResults } from "./jobs/stored-results.ts";
import { Throughput } from "./jobs/throughput.ts";
import { WaitingForModels } from "./jobs/waiting-for-models.ts";
import { JobWorker, RECOVER_MILLISECONDS } from "./jobs/worker.ts";
import { LiveConnections } from "./live/connection/socket.ts";
import { FolderLogs } from "./live/log/folder-logs.ts";
import type { SessionLogs } from "./live/log/log-contract.ts";
import { LiveRegistry } from "./live/session/registry.ts";
import type { HubOptions } from "./models/hub.ts";
import { ModelSupply } from "./models/supply.ts";
import { AcceptedSockets } from "./net/accepted-sockets.ts";
import { Forwarding } from "./net/forwarding.ts";
import { Engines } from "./observability/engines.ts";
import { Metrics } from "./observability/metrics.ts";
import { packageVersion } from "./process/package-version.ts";
import { modelStore, RECOGNITION_QUEUE_LIMIT, type StartedRecognition } from "./recognition-startup.ts";
import { takeSecretsKey } from "./storage/db/callback-secrets.ts";
import { weakCommitSettings } from "./storage/db/commit-settings.ts";
import { asDatabaseDamage, type Database, openDatabase } from "./storage/db/database.ts";
import { beginGeneration } from "./storage/db/machines.ts";
import { queueStateOf } from "./storage/db/queue-state.ts";
import { databaseBytes, vacuumWhenDue } from "./storage/db/upkeep.ts";
import type { FolderLock } from "./storage/directory-lock.ts";
import { type Disk, diskOf } from "./storage/disk/disk.ts";
import { Fence } from "./storage/fence.ts";
import { FreeSpace } from "./storage/free-space.ts";
import { machineName } from "./storage/machine-name.ts";
import { FileStore } from "./storage/objects/file-store.ts";
import type { ObjectStore } from "./storage/objects/object-store.ts";
import { prepareFolders } from "./storage/prepare-folders.ts";
import { Quarantine } from "./storage/quarantine.ts";
import { StoreReach } from "./storage/store-identity.ts";
import { startSweeps } from "./storage/sweep-loop.ts";
import { temporaryFolder } from "./storage/temporary-folder.ts";
import { whenPossible } from "./storage/when-possible.ts";
import { TranscriptProcess } from "./transcripts/process/transcript-process.ts";

/** A database that is started together with the service is waited for. */
const DATABASE_START_MILLISECONDS = 20_000;
/** As many as one recogniser process recognizes together. */
const JOBS_A_PROCESS = 8;
/** Results made at once: each has a whole transcript in memory. */
export const ASSEMBLIES = { calls: 96, callsPerTenant: 16 };
/** Add-ons of finals at once: each has one utterance in memory. */
const LIVE_ADDONS = { calls: 512, callsPerTenant: 64 };
/** Uploads by address that wait for a place, of one account and of all; further ones are answered 503. */
const WAITING_FETCHES_PER_ACCOUNT = 64;
const WAITING_FETCHES = 1_024;
/** What is left of a live session that nobody ended is kept for so long beyond the longest session. */
const SPARE_SECONDS = 86_400;

/** Beyond the time that requests under way have: for their connections to be destroyed. */
const SPARE_STOP_MILLISECONDS = 2_000;
/** For all parts to stop, beyond the time for requests; as much as deployments give (deploy/compose.yaml). */
const STOP_MILLISECONDS = 15_000;

export interface Service {
  /** The HTTP interface, also for requests without a port. */
  api: Api;
  /** Opens the port. @returns its address @throws Error when it is in use */
  listen(address: ListenSettings): Promise<string>;
  /** Starts the child processes; resolves when all are warm. Work that came earlier waits for them. */
  warm(): Promise<void>;
  /** Readiness goes: nothing new should be sent here. */
  drain(): void;
  /** Made at the first start, to be shown once. */
  firstKey: FirstKey;
  /** Stops every part, whatever the others do. @returns whether all stopped in order */
  stop(): Promise<boolean>;
}

export function hubOf({ modelsUrl, modelsToken, translationModelsUrl }: Settings): HubOptions {
  return {
    base: modelsUrl,
    translationBase: translationModelsUrl,
    ...(modelsToken === "" ? {} : { token: modelsToken }),
  };
}

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
    ...modelsOfStore(modelStore(settings).folder, settings),
  };
}

/** Where recordings and results lie. */
export async function objectStore(settings: Settings, disk = diskOf(settings)): Promise<ObjectStore> {
  const folder = path.join(settings.dataDirectory, "objects");
  if (settings.s3Bucket === "") return new FileStore(folder, disk);
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
    disk,
  });
}

export async function backupOptionsOf(settings: Settings, database: Database): Promise<BackupOptions> {
  const { dataDirectory, s3Bucket } = settings;
  const version = await packageVersion();
  return { database, dataDirectory, hasOwnObjects: s3Bucket === "", version, now: () => new Date() };
}

/** Where live sessions lie. @throws settings.invalid */
async function sessionLogs(
  settings: Settings,
  services: {
    database: Database;
    machine: string;
    disk: Disk;
    adoptsAll: boolean;
    isOnlyMachine: boolean;
    quarantine: Quarantine;
    logger: Logger;
  },
): Promise<SessionLogs> {
  const { dataDirectory, natsUrl } = settings;
  const { database, machine, logger } = services;
  if (natsUrl === "") {
    const folder = path.join(dataDirectory, "objects", "live");
    return new FolderLogs({ ...services, folder });
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

/** Names this process in the database, ahead of every one before it on the same data folder. */
async function enterDatabase(
  lock: FolderLock,
  database: Database,
  isOnlyProcess: boolean,
  quarantine: Quarantine,
  disk: Disk,
): Promise<{ machine: string; isNew: boolean; generation: number }> {
  const { name: machine, isNew } = await machineName({
    lock,
    database,
    isOnlyProcess,
    quarantine,
    disk,
    newName: uuid,
  });
  const generation = await beginGeneration(database, machine, lock.before.generation ?? 0, new Date());
  await lock.write({ machine, generation });
  return { machine, isNew, generation };
}

function concurrentJobsOf({ concurrentJobs, workers }: Settings): number {
  return concurrentJobs || JOBS_A_PROCESS * workers;
}

export function decoderPool(settings: Settings): DecoderPool {
  return new DecoderPool({
    processes: Math.min(concurrentJobsOf(settings), settings.workers),
    memoryLimitBytes: settings.decodeMemoryBytes,
    environment: childEnvironment(temporaryFolder(settings.dataDirectory)),
  });
}

/**
 * Builds all parts. The port is not open, and of the child processes only recognisers are being started: a client that
 * reconnects after a restart is answered before the models are loaded.
 * @param startedRecognition      the service's from now on
 * @param onTakenOver  must end the process at once: another one uses its data folder, or its object store is that of another database
 * @throws when a part cannot start; those that could are stopped again, what recognizes, too
 */
export async function composeService(
  settings: Settings,
  logger: Logger,
  startedRecognition: StartedRecognition,
  onTakenOver: (error: ParlanceError) => void,
): Promise<Service> {
  const { lock, models, roles, recognition, recognizes, tracing } = startedRecognition;
  const temporary = temporaryFolder(settings.dataDirectory);
  const environment = childEnvironment(temporary);
  const undo = startedRecognition.steps;
  const stop = () => undo.run(settings.shutdownSeconds * 1000 + STOP_MILLISECONDS);
  try {
    const disk = diskOf(settings);
    const database = await whenPossible(
      () =>
        openDatabase(settings.databaseUrl, settings.dataDirectory, disk, { connections: settings.databaseConnections }),
      // Nothing else makes room for the embedded database while it starts.
      settings.databaseUrl === "" ? AbortSignal.abort() : AbortSignal.timeout(DATABASE_START_MILLISECONDS),
      (error) => logger.warn({ err: error }, "waiting for the database"),
    );
    undo.push(() => database.destroy(), "database");
    const weak = settings.databaseUrl === "" ? [] : await weakCommitSettings(database);
    if (weak.length > 0) logger.warn({ settings: weak }, "PostgreSQL may lose acknowledged work in a power cut");
    const isOnlyProcess = settings.databaseUrl === "";
    const quarantine = new Quarantine(settings.dataDirectory, logger);
    await prepareFolders(settings.dataDirectory, quarantine);
    const { machine, isNew, generation } = await enterDatabase(lock, database, isOnlyProcess, quarantine, disk);
    const fence = new Fence({ lock, database, machine, generation, onTakenOver });
    fence.start();
    undo.push(() => fence.stop(), "fence");
    const needsKey = settings.apiKey === "" && !settings.anonymous && roles.has("api");
    const firstKey = new FirstKey(settings.dataDirectory, disk);
    const { account } = await prepareAccounts(database, needsKey ? firstKey : false, uuid);
    const space = new FreeSpace(settings.dataDirectory, settings.reserveBytes);
    const objects = await objectStore(settings, disk);
    undo.push(() => objects.stop(), "objects");
    const identity = { database, objects, isOnlyProcess, newId: uuid };
    const reach = new StoreReach({ ...identity, logger, onOtherStore: onTakenOver });
    await reach.start();
    undo.push(() => reach.stop(), "check of the object store");

    const supply = new ModelSupply({
      store: models,
      hub: hubOf(settings),
      mayFetch: settings.fetchModels,
      environment: networkEnvironment(temporary),
      logger,
    });
    undo.push(() => supply.stop(), "model supply");
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
    const addonRunner = new AddonRunner(environment, providers, { ...ASSEMBLIES, ...toProviders });
    const liveAddonRunner = new AddonRunner(environment, providers, { ...LIVE_ADDONS, ...toProviders });
    undo.push(() => Promise.all([addonRunner.stop(), liveAddonRunner.stop()]), "add-ons");
    const enhancer = new Enhancer(environment, logger);
    undo.push(() => enhancer.stop(), "enhancer");
    const decoders = decoderPool(settings);
    undo.push(() => decoders.stop(), "decoders");
    const { accountConcurrentJobs, accountConcurrentFetches, concurrentFetches } = settings;
    const limits = { process: accountConcurrentJobs, fetch: accountConcurrentFetches };
    const mayClaim = async () => (await fence.isCurrent()) && (await reach.isInReach());
    const queue = new JobQueue(database, limits, models, mayClaim);
    const transcriptProcess = new TranscriptProcess(environment);
    undo.push(() => transcriptProcess.stop(), "transcripts");
    const results = new StoredResults({
      database,
      objects,
      quarantine,
      problemOf: (tenant, file) => transcriptProcess.problemOf(tenant, file),
      onRequeued: () => queue.wake(),
      logger,
    });
    const metrics = new Metrics(recognition);
    const secrets = new SecretSealer(settings.secretsKey, settings.previousSecretsKey);
    const { locked, isKeyKnown } = await takeSecretsKey(database, secrets);
    if (locked.length > 0) logger.error({ accounts: locked.length }, lockedSecrets(locked, settings.secretsKey !== ""));
    else if (!isKeyKnown)
      logger.warn("PARLANCE_SECRETS_KEY is another one than before; no stored secret needs the former");
    const callbacks = new CallbackSender({
      tracing,
      secrets,
      database,
      resultOf: (jobId) => results.text(jobId),
      timeoutSeconds: settings.callbackTimeoutSeconds,
      firstRetrySeconds: settings.callbackFirstRetrySeconds,
      spanSeconds: settings.callbackRetrySeconds,
      allowPrivateAddresses: settings.allowPrivateAddresses,
      isOnlyProcess,
      logger,
      onAttempt: (outcome, milliseconds) => metrics.callbackAttempted(outcome, milliseconds / 1000),
    });
    if (roles.has("worker")) await callbacks.start();
    undo.push(() => callbacks.stop(), "callbacks");

    const services: StageServices = {
      tracing,
      database,
      objects,
      space,
      decoders,
      recognition,
      models,
      supply,
      speech: settings,
      addonRunner,
      limits: settings,
      allowPrivateAddresses: settings.allowPrivateAddresses,
      logger,
    };
    const search = new SearchIndex({ database, results, transcriptProcess, logger });
    if (roles.has("worker")) search.start();
    undo.push(() => search.stop(), "search");
    const awaitedJobs = new AwaitedJobs(database, logger);
    undo.push(() => awaitedJobs.stop(), "awaited jobs");
    const throughput = new Throughput();
    const worker = new JobWorker(queue, services, {
      name: workerName({ machine, generation }),
      concurrency: { process: concurrentJobsOf(settings), fetch: concurrentFetches },
      onEnded: ({ ending, createdAt, startedAt, running, hasCallback, audioSeconds }) => {
        const { completedAt } = ending;
        metrics.jobEnded(ending.status, { created: createdAt, started: startedAt, ended: completedAt }, audioSeconds);
        if (hasCallback) callbacks.wake();
        search.wake();
        awaitedJobs.wake();
        if (ending.status !== "done") return;
        throughput.add(audioSeconds ?? 0, (completedAt.getTime() - startedAt.getTime()) / 1000, running);
      },
    });

    const recover = () =>
      recoverJobs(
        { database, objects, logger },
        { isOnlyProcess, self: { machine, generation }, now: new Date() },
      ).then((count) => {
        if (count > 0) logger.info({ count }, "interrupted jobs went back to the queue");
      });
    if (roles.has("worker")) {
      await whenPossible(
        () => recover(),
        AbortSignal.timeout(DATABASE_START_MILLISECONDS),
        (error) => logger.warn({ err: error }, "waiting for the database"),
      );
      worker.start();
    }
    undo.push(() => worker.stop(), "jobs");
    if (roles.has("worker") && !isOnlyProcess) {
      const sweep = setInterval(() => {
        recover().catch((error: unknown) => logger.warn({ err: error }, "abandoned jobs were not looked for"));
      }, RECOVER_MILLISECONDS);
      undo.push(() => clearInterval(sweep), "recovery");
    }

    const waitingForModels = new WaitingForModels({
      database,
      models,
      supply,
      queue,
      multilingualModel: settings.multilingualModel,
      speech: settings,
      isOnlyProcess,
      logger,
      onEnded: () => callbacks.wake(),
    });
    if (roles.has("worker")) waitingForModels.start();
    undo.push(() => waitingForModels.stop(), "jobs that wait for models");

    const adoptsAll = isOnlyProcess || isNew;
    const ownership = { machine, adoptsAll, isOnlyMachine: isOnlyProcess };
    const logs = await sessionLogs(settings, { database, ...ownership, disk, quarantine, logger });
    undo.push(() => logs.stop(), "live logs");
    const live = new LiveRegistry({
      tracing,
      database,
      objects,
      space,
      recognition,
      detection,
      models,
      supply,
      enhancer,
      addonRunner: liveAddonRunner,
      callbacks,
      settings,
      logs,
      logger,
    });
    if (roles.has("live")) await live.start();
    const removals = { database, objects, worker, live, isOnlyProcess };
    const retention = { audioDays: settings.audioRetentionDays, resultDays: settings.resultRetentionDays };
    if (roles.has("worker")) {
      const tidyDatabase = isOnlyProcess ? vacuumWhenDue(database) : undefined;
      undo.push(startRetention(removals, retention, logger, tidyDatabase), "retention");
    }
    const removal = new AccountRemoval(removals, logger);
    if (roles.has("worker")) removal.start();
    undo.push(() => removal.stop(), "removal of accounts");
    undo.push(
      startSweeps({
        database,
        dataDirectory: settings.dataDirectory,
        modelsDirectory: models.folder,
        hasOwnObjects: settings.s3Bucket === "",
        isShared: !isOnlyProcess,
        quarantine,
        logger,
      }),
      "sweeps",
    );
    if (isOnlyProcess) {
      const backupOptions = await backupOptionsOf(settings, database);
      const onRevoked = () => {
        removal.wake();
        live
          .endWithoutAccess()
          .catch((error: unknown) => logger.warn({ err: error }, "live sessions are checked again soon"));
      };
      const administration = commandsOn(database, {
        onRevoked,
        backUp: (folder) => backUp(backupOptions, folder),
      });
      undo.push(await serveAdministration(administration, settings.dataDirectory, logger), "administration");
    }

    const isReady = () => !recognizes || recognition.isReady;
    metrics.watch({
      isReady,
      liveSessions: () => live.active,
      finalDelay: () => recognition.finalDelay,
      freeBytes: () => space.free(),
      databaseBytes: () => databaseBytes(database),
      queue: queueStateOf(database),
      engines: new Engines({
        database: () => sql`select 1`.execute(database),
        // There is none of this name: only the answer counts.
        objects: () => objects.size("none"),
        live_logs: () => logs.check(),
      }),
    });
    const forwarding = new Forwarding(settings);
    const context: ApiContext = {
      forwarding,
      firstKey,
      settings,
      temporaryFolder: temporary,
      roles,
      isReady,
      isOnlyProcess,
      isDraining: false,
      database,
      objects,
      results,
      space,
      queue,
      callbacks,
      secrets,
      worker,
      live,
      awaitedJobs,
      transcriptProcess,
      search,
      decoders,
      fetches: new FairSlots({
        slots: concurrentFetches,
        slotsPerTenant: accountConcurrentFetches,
        waitingPerTenant: WAITING_FETCHES_PER_ACCOUNT,
        waiting: WAITING_FETCHES,
        full: errors.fetchesBusy,
      }),
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
    const targetOf = forwarding.routeTarget.bind(forwarding);
    const sockets = new AcceptedSockets({
      stallMilliseconds: settings.stallSeconds * 1000,
      onRefused: (error) => logger.error({ err: error }, "a connection could not be accepted"),
    });
    const connections = roles.has("live") ? new LiveConnections(live, sockets, targetOf, logger) : undefined;
    const server = new ApiServer(sockets, { upgrades: connections, targetOf });
    const api = await createApp(context, await packageVersion(), server.factory);
    const requestMilliseconds = settings.shutdownSeconds * 1000;
    undo.push(() => server.stop(api, requestMilliseconds), "requests", requestMilliseconds + SPARE_STOP_MILLISECONDS);
    undo.push(() => connections?.stop(), "live connections");
    undo.push(() => live.stop(), "live sessions");
    undo.push(() => connections?.stopAccepting(), "new live connections");
    const listen = (address: ListenSettings) => server.listen(api, address);
    const warm = async () => {
      await Promise.all([
        ...(roles.has("live") ? [detection.start()] : []),
        startedRecognition.ready,
        // Wanted after the first recognition: it leaves the processor to what loads the models.
        ...(roles.has("worker") ? [startedRecognition.ready.then(() => addonRunner.start())] : []),
        ...(roles.has("worker") || roles.has("api") ? [decoders.start()] : []),
      ]);
    };
    const drain = () => {
      context.isDraining = true;
    };
    return { api, listen, warm, drain, stop, firstKey };
  } catch (error) {
    await stop().catch((failure: unknown) => logger.warn({ err: failure }, "a part could not be stopped"));
    throw settings.databaseUrl === "" ? asDatabaseDamage(error, settings.dataDirectory) : error;
  }
}
