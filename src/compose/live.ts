// Live sessions and their logs.
import path from "node:path";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { availableCores } from "../platform/config/container-limits.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors, type ParlanceError } from "../platform/errors.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { databaseTime } from "../platform/storage/db/database-time.ts";
import type { Disk } from "../platform/storage/disk/disk.ts";
import type { Quarantine } from "../platform/storage/quarantine.ts";
import { loadStageLog } from "../service/inference/load-stage-log.ts";
import { RECORD_FORMAT } from "../service/live/dialects/registry.ts";
import { copiesIn } from "../service/live/log/audio-copies.ts";
import { FolderLogs } from "../service/live/log/folder-logs.ts";
import type { SessionLogs } from "../service/live/log/log-contract.ts";
import { SessionCreation } from "../service/live/session/creation.ts";
import { LiveRegistry } from "../service/live/session/registry.ts";
import { LiveSources } from "../service/live/sources/live-sources.ts";
import { ViewerFeeds } from "../service/live/viewers/viewer-feeds.ts";
import { StreamDecoders } from "../speech/audio/streams/stream-decoders.ts";
import type { Base } from "./base.ts";
import type { Shared } from "./shared.ts";
import type { Stores } from "./stores.ts";

/** What is left of a live session that nobody ended is kept for so long beyond the longest session. */
const SPARE_SECONDS = 86_400;

/** Where the logs of live sessions lie that machines share. */
const serversOf = (settings: Settings) => ({
  url: settings.natsUrl,
  credentialsFile: settings.natsCredentials,
  prefix: settings.natsPrefix,
  streams: settings.natsStreams,
  bytes: settings.natsBytes,
});

/** @param logger  receives problems of the connection */
function brokerOptionsOf(settings: Settings, logger: Logger) {
  return {
    ...serversOf(settings),
    replicas: settings.natsReplicas,
    keepSeconds: settings.liveMaximumSeconds + settings.liveGraceSeconds + SPARE_SECONDS,
    logger,
  };
}

/** Whether the NATS servers store messages. @returns what they do @throws settings.invalid; what the servers refuse */
export async function natsProbe(settings: Settings): Promise<string> {
  const { probeNats } = await import("../service/live/log/jetstream/probe.ts");
  return probeNats(serversOf(settings), `doctor-${uuid()}`);
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
    /** See BrokerOptions. */
    onClosed: (error: ParlanceError) => void;
    logger: Logger;
  },
): Promise<SessionLogs> {
  const { dataDirectory, natsUrl } = settings;
  const { database, machine, onClosed, logger } = services;
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
  const { StreamLogs } = await import("../service/live/log/jetstream/stream-logs.ts");
  return StreamLogs.connect({
    database,
    machine,
    copies: copiesIn(path.join(dataDirectory, "live-copies")),
    ...brokerOptionsOf(settings, logger),
    onClosed,
  });
}

/** The role `live`: sessions of this process. */
export async function composeLive(
  { settings, logger, started, undo, environment, temporary, onTakenOver }: Base,
  { database, objects, space, disk, quarantine, isOnlyProcess, machine, isNew, duties }: Stores,
  { supply, liveModels, detection, enhancer, liveResultProcesses, callbacks, voices }: Shared,
) {
  const { models, roles, recognition, tracing } = started;
  const adoptsAll = isOnlyProcess || isNew;
  const ownership = { machine, adoptsAll, isOnlyMachine: isOnlyProcess };
  const logs = await sessionLogs(settings, {
    ...{ database, ...ownership, disk, quarantine, logger },
    // A closed connection cannot reconnect: the process ends, and its supervisor starts another one.
    onClosed: onTakenOver,
  });
  undo.push(() => logs.stop(), "live logs");
  const streamDecoders = new StreamDecoders({ environment, memoryLimitBytes: settings.decodeMemoryBytes });
  undo.push(() => streamDecoders.stop(), "stream decoders");
  const decodedFolder = path.join(temporary, "live");
  const viewerFeeds = new ViewerFeeds(logs.messenger);
  const live = new LiveRegistry({
    cores: availableCores(),
    tracing,
    duties,
    database,
    objects,
    space,
    recognition,
    detection,
    wakeProcesses: () => {
      detection.wake();
      recognition.wake();
    },
    models,
    liveModels,
    supply,
    enhancer,
    streamDecoders,
    decodedFolder,
    voices,
    resultProcesses: liveResultProcesses,
    callbacks,
    settings,
    logs,
    recordFormat: RECORD_FORMAT,
    viewerFeeds,
    logger,
  });
  recognition.onFinished((task) => live.capacity.add(task));
  detection.onFinished((task) => {
    live.capacity.addDetection(task);
    recognition.pace.add("detection", task.waitedMilliseconds);
  });
  recognition.pace.onStage(loadStageLog(logger));
  const { allowPrivateAddresses } = settings;
  const sources = new LiveSources(
    {
      ...{ database, decoders: streamDecoders, feeds: viewerFeeds, format: RECORD_FORMAT },
      ...{ allowPrivateAddresses, logger },
    },
    live,
    settings,
  );
  if (roles.has("live")) {
    viewerFeeds.listen();
    await live.start();
    sources.start();
  }
  if (roles.has("api") && !roles.has("live")) logs.follow();
  const creation = new SessionCreation({
    ...{ callbacks, database, live, logger, models, liveModels, settings, space, supply, voices },
    newId: uuid,
    now: () => databaseTime(database),
  });
  return { live, creation, logs, sources, viewerFeeds };
}

export type Live = Awaited<ReturnType<typeof composeLive>>;
