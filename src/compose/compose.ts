// Builds every part once and hands each what it depends on. compose/ has one file per role; nothing here decides anything.
import type { Logger } from "pino";
import type { Api } from "../api/context.ts";
import type { ListenSettings } from "../api/server.ts";
import { childEnvironment } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { ParlanceError } from "../platform/errors.ts";
import { asDatabaseDamage } from "../platform/storage/db/database.ts";
import { temporaryFolder } from "../platform/storage/temporary-folder.ts";
import type { FirstKey } from "../service/accounts/first-key.ts";
import { composeAudioSocket } from "./audiosocket.ts";
import { composeInterface } from "./interface.ts";
import { composeJobs } from "./jobs.ts";
import { composeLive } from "./live.ts";
import { composeReports } from "./process-reports.ts";
import type { StartedRecognition } from "./recognition-startup.ts";
import { composeShared } from "./shared.ts";
import { openStores } from "./stores.ts";
import { composeUpkeep } from "./upkeep.ts";
import { composeWyoming } from "./wyoming.ts";

export { natsProbe } from "./live.ts";
export { defaultModels } from "./models.ts";
export { ASSEMBLIES, decoderPool } from "./shared.ts";
export { backupOptionsOf, objectStore } from "./stores.ts";

/** For all parts to stop, beyond the time for requests; as much as deployments give (deploy/compose.yaml). */
const STOP_MILLISECONDS = 15_000;

export interface Service {
  /** The HTTP interface, also for requests without a port. */
  api: Api;
  /** Opens the port. @returns its address @throws Error when it is in use */
  listen(address: ListenSettings): Promise<string>;
  /**
   * Starts the decoder; resolves when it and a recogniser are warm. Work that came earlier waits for them. Other child processes start with
   * their first work.
   */
  warm(): Promise<void>;
  /** Readiness goes: nothing new should be sent here. */
  drain(): void;
  /** Made at the first start, to be shown once. */
  firstKey: FirstKey;
  /** Stops every part, whatever the others do. @returns whether all stopped in order */
  stop(): Promise<boolean>;
}

/**
 * Builds all parts. The port is not open, and of the child processes only recognisers are being started: a client that
 * reconnects after a restart is answered before the models are loaded.
 * @param started      the service's from now on
 * @param onTakenOver  must end the process at once: another one uses its data folder, its object store is that of another database, or NATS is closed for good
 * @throws when a part cannot start; those that could are stopped again, the recognisers included
 */
export async function composeService(
  settings: Settings,
  logger: Logger,
  started: StartedRecognition,
  onTakenOver: (error: ParlanceError) => void,
): Promise<Service> {
  const { roles, steps: undo } = started;
  const temporary = temporaryFolder(settings.dataDirectory);
  const base = { settings, logger, started, undo, environment: childEnvironment(temporary), temporary, onTakenOver };
  const stop = () => undo.run(settings.shutdownSeconds * 1000 + STOP_MILLISECONDS);
  try {
    const stores = await openStores(base);
    const shared = await composeShared(base, stores);
    const jobs = await composeJobs(base, stores, shared);
    const live = await composeLive(base, stores, shared);
    await composeUpkeep(base, stores, jobs, live, shared);
    await composeReports(base, stores, jobs, shared);
    // Once the models of the fleet are read: a job whose model can be copied waits for it.
    if (roles.has("worker")) jobs.waitingForModels.start();
    const made = await composeInterface(base, stores, shared, jobs, live);
    const { api, drain } = made;
    const listenForWyoming = await composeWyoming(base, made);
    const listenForAudioSocket = composeAudioSocket(base, made);
    const listen = async (address: ListenSettings) => {
      await listenForWyoming();
      await listenForAudioSocket();
      return made.listen(address);
    };
    const warm = async () => {
      await Promise.all([started.ready, ...(roles.has("worker") || roles.has("api") ? [shared.decoders.start()] : [])]);
    };
    return { api, listen, warm, drain, stop, firstKey: stores.firstKey };
  } catch (error) {
    await stop().catch((failure: unknown) => logger.warn({ err: failure }, "a part could not be stopped"));
    throw settings.databaseUrl === "" ? asDatabaseDamage(error, settings.dataDirectory) : error;
  }
}
