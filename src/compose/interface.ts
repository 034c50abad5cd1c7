// The HTTP interface.
import { sql } from "kysely";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { createApp } from "../api/app.ts";
import type { ApiContext } from "../api/context.ts";
import { judgeLiveBody } from "../api/live/judge.ts";
import { ApiServer, type ListenSettings } from "../api/server.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors } from "../platform/errors.ts";
import { AcceptedSockets } from "../platform/net/accepted-sockets.ts";
import { Forwarding } from "../platform/net/forwarding.ts";
import { Engines } from "../platform/observability/engines.ts";
import { FairSlots } from "../platform/process/fairness/fair-slots.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { databaseTime } from "../platform/storage/db/database-time.ts";
import { QueuePlaces } from "../platform/storage/db/jobs/queue-place.ts";
import { queueStateOf } from "../platform/storage/db/jobs/queue-state.ts";
import { databaseBytes } from "../platform/storage/db/upkeep/upkeep.ts";
import { ClientSecrets } from "../service/accounts/client-secrets.ts";
import { RequestRates } from "../service/accounts/request-rates.ts";
import { LOAD_STAGES } from "../service/inference/partial-pace.ts";
import { RecognitionPool } from "../service/inference/pool.ts";
import { SessionAccess } from "../service/live/connection/session-access.ts";
import { LiveConnections } from "../service/live/connection/socket.ts";
import { DIALECTS } from "../service/live/dialects/registry.ts";
import { DecodedRecordings } from "../service/stretches/decoded-recordings.ts";
import { Stretches } from "../service/stretches/stretches.ts";
import { ResumableUploads } from "../service/uploads/resumable-uploads.ts";
import { Enroller } from "../service/voices/enroller.ts";
import type { Base } from "./base.ts";
import type { Jobs } from "./jobs.ts";
import type { Live } from "./live.ts";
import { RECOGNITION_QUEUE_LIMIT, sharedWeights } from "./recognition-startup.ts";
import type { Shared } from "./shared.ts";
import type { Stores } from "./stores.ts";

/**
 * Chooses the processes that run models for requests whose clients wait, such as the speaker model for the library of voices: the
 * recognisers of this service process, or one inference process that is started for them.
 */
function inferenceOnDemand({ settings, logger, started, undo, environment }: Base): () => Promise<RecognitionPool> {
  const { recognition, recognizes, models } = started;
  if (recognizes) return async () => recognition;
  const own = new RecognitionPool({
    workers: 1,
    models,
    queueLimit: RECOGNITION_QUEUE_LIMIT,
    taskTimeoutSeconds: settings.taskTimeoutSeconds,
    memoryLimitBytes: settings.recognizerMemoryBytes,
    environment,
    ...(settings.shareWeights ? { sharedFolder: sharedWeights(settings.dataDirectory) } : {}),
    logger,
  });
  undo.push(() => own.stop(), "inference for the interface");
  let starting: Promise<void> | undefined;
  return async () => {
    starting ??= own.start().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    await starting;
    return own;
  };
}

/** Uploads by address that wait for a place, of one account and of all; further ones are answered 503. */
const WAITING_FETCHES_PER_ACCOUNT = 64;
const WAITING_FETCHES = 1_024;
/** Beyond the time that requests under way have: for their connections to be destroyed. */
const SPARE_STOP_MILLISECONDS = 2_000;

const fetchSlots = ({ concurrentFetches, accountConcurrentFetches }: Settings) =>
  new FairSlots({
    slots: concurrentFetches,
    slotsPerTenant: accountConcurrentFetches,
    waitingPerTenant: WAITING_FETCHES_PER_ACCOUNT,
    waiting: WAITING_FETCHES,
    full: errors.fetchesBusy,
  });

const resumableUploads = (settings: Settings, { database, objects, quarantine, space }: Stores, { metrics }: Shared) =>
  new ResumableUploads({
    ...{ database, objects, quarantine, space, metrics },
    bounds: {
      mostUploads: settings.maximumUnfinishedUploads,
      mostBytes: settings.maximumUnfinishedUploadBytes,
      expirySeconds: settings.uploadExpiryHours * 3_600,
    },
  });

function acceptedSockets(settings: Settings, logger: Logger): AcceptedSockets {
  return new AcceptedSockets({
    stallMilliseconds: settings.stallSeconds * 1000,
    onRefused: (error) => logger.error({ err: error }, "a connection could not be accepted"),
    onCrowded: (count) =>
      logger.warn(
        { count },
        "connections were closed: too many were open for the limit of file descriptors (ulimit -n)",
      ),
  });
}

/** Recognises stretches of recordings again. */
function stretchesOf(
  { settings, logger, started, undo, temporary }: Base,
  { objects, space }: Pick<Stores, "objects" | "space">,
  { decoders }: Shared,
  recognition: () => Promise<RecognitionPool>,
): Stretches {
  const maximumSeconds = settings.maximumAudioSeconds;
  const recordings = new DecodedRecordings({
    decoders,
    objects,
    space,
    temporaryFolder: temporary,
    maximumSeconds,
    logger,
  });
  undo.push(() => recordings.stop(), "decoded recordings");
  return new Stretches({ recordings, recognition, models: started.models, speech: settings });
}

const isReady = ({ recognizes, recognition }: Base["started"]) => !recognizes || recognition.isReady;

function watchMetrics(
  { started }: Base,
  { database, objects, space, duties }: Stores,
  { metrics }: Shared,
  { live, logs }: Live,
): void {
  const { recognition } = started;
  metrics.watch({
    isReady: () => isReady(started),
    liveSessions: () => live.active,
    finalDelay: () => recognition.finalDelay,
    liveLoad: () => live.capacity.report,
    loadStage: () => LOAD_STAGES.indexOf(recognition.pace.level.stage),
    freeBytes: () => space.free(),
    // Held from one scrape to the next: a process whose metrics nobody reads does not hold it.
    reportsFleet: () => duties.holds("fleet figures"),
    databaseBytes: () => databaseBytes(database),
    queue: queueStateOf(database),
    engines: new Engines({
      database: () => sql`select 1`.execute(database),
      // There is none of this name: only the answer counts.
      objects: () => objects.size("none"),
      live_logs: () => logs.check(),
    }),
  });
}

/** The HTTP interface, and the connections of live sessions. */
export async function composeInterface(base: Base, stores: Stores, shared: Shared, jobs: Jobs, parts: Live) {
  const { database, objects, quarantine, space, isOnlyProcess, firstKey, account } = stores;
  const { live, creation, sources, viewerFeeds } = parts;
  const { settings, logger, started, undo, temporary } = base;
  const { models, roles, recognition, tracing } = started;
  const { metrics } = shared;
  watchMetrics(base, stores, shared, parts);
  const inference = inferenceOnDemand(base);
  const uploads = resumableUploads(settings, stores, shared);
  const context: ApiContext = {
    forwarding: new Forwarding(settings),
    firstKey,
    settings,
    temporaryFolder: temporary,
    roles,
    isReady: () => isReady(started),
    isOnlyProcess,
    isDraining: false,
    database,
    objects,
    quarantine,
    results: shared.results,
    space,
    uploads,
    queue: shared.queue,
    callbacks: shared.callbacks,
    secrets: shared.secrets,
    worker: jobs.worker,
    ...{ live, creation, sources, viewerFeeds },
    keys: shared.keys,
    requestRates: new RequestRates(settings, isOnlyProcess ? undefined : database),
    clientSecrets: new ClientSecrets(database, shared.secrets),
    awaitedJobs: jobs.awaitedJobs,
    jobChanges: jobs.jobChanges,
    voices: shared.voices,
    requestVoices: shared.requestVoices,
    namedResults: shared.namedResults,
    enroller: new Enroller({
      decoders: shared.decoders,
      space,
      temporaryFolder: temporary,
      networks: inference,
      models,
      supply: shared.supply,
      mayFetch: settings.fetchModels,
      speakerModel: settings.speakerModel,
    }),
    stretches: stretchesOf(base, { objects, space }, shared, inference),
    transcriptProcess: shared.transcriptProcess,
    search: jobs.search,
    decoders: shared.decoders,
    fetches: fetchSlots(settings),
    recognition,
    models,
    ...{ recordingModels: shared.recordingModels, liveModels: shared.liveModels, fleet: shared.fleet },
    supply: shared.supply,
    languageModel: shared.languageModel,
    resultProcesses: shared.resultProcesses,
    waitingForModels: jobs.waitingForModels,
    throughput: jobs.throughput,
    queuePlaces: new QueuePlaces(database),
    metrics,
    tracing,
    logger,
    defaultAccount: account,
    newId: uuid,
    now: () => databaseTime(database),
  };
  const sockets = acceptedSockets(settings, logger);
  const access = new SessionAccess({
    ...context,
    registry: live,
    judgeLiveBody: (given) => judgeLiveBody(given, settings),
  });
  const connections = roles.has("live") ? new LiveConnections(access, DIALECTS, sockets, logger) : undefined;
  const server = new ApiServer(sockets, { upgrades: connections, targetOf: (request) => access.targetOf(request) });
  const api = await createApp(context, await packageVersion(), server.factory);
  const requestMilliseconds = settings.shutdownSeconds * 1000;
  undo.push(() => server.stop(api, requestMilliseconds), "requests", requestMilliseconds + SPARE_STOP_MILLISECONDS);
  undo.push(() => uploads.stop(), "uploads that resume");
  // Streams of events would last until the time for requests is over.
  undo.push(() => jobs.jobChanges.stop(), "streams of events");
  undo.push(() => context.requestRates.stop(), "request rates");
  undo.push(() => connections?.stop(), "live connections");
  undo.push(() => live.stop().then(() => sources.ended()), "live sessions");
  undo.push(() => sources.stopReading(), "sources of live sessions");
  undo.push(() => connections?.stopAccepting(), "new live connections");
  return {
    api,
    access,
    listen: (address: ListenSettings) => server.listen(api, address),
    drain: () => {
      context.isDraining = true;
      // The only worker completes what it can: no other process would begin with it.
      if (isOnlyProcess || !shared.others.isRunning("worker")) return;
      jobs.worker.drain();
      shared.callbacks.drain();
    },
  };
}

export type Interface = Awaited<ReturnType<typeof composeInterface>>;
