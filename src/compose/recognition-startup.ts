// What recognizes: the models and the processes that run them. They take longest to be ready, and are begun before the rest of
// the service is even read.
import path from "node:path";
import type { Logger } from "pino";
import { PARLANCE } from "../platform/command-prefix.ts";
import { childEnvironment, useTemporaryFolder } from "../platform/config/load.ts";
import { ROLES, type Role, type Settings } from "../platform/config/settings.ts";
import { errors } from "../platform/errors.ts";
import { NO_TRACING, openTracing, type Tracing } from "../platform/observability/tracing.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { StopSteps } from "../platform/process/stop-steps.ts";
import { type FolderLock, lockDirectory } from "../platform/storage/directory-lock.ts";
import { emptyTemporaryFolder, temporaryFolder } from "../platform/storage/temporary-folder.ts";
import { removeUnfinishedPreparations } from "../service/inference/graph-preparation.ts";
import { RecognitionPool } from "../service/inference/pool.ts";
import type { ModelStore } from "../service/models/store.ts";
import { modelStore } from "../service/models/store-settings.ts";
import { recordedTasksOf } from "./concurrent-jobs.ts";

/** Most waiting tasks that are not of recordings. The limit for recordings is at least this, and large enough for all tasks of concurrent jobs. */
export const RECOGNITION_QUEUE_LIMIT = 4_096;

export interface StartedRecognition {
  /** The data folder is this process's alone. */
  lock: FolderLock;
  models: ModelStore;
  roles: ReadonlySet<Role>;
  recognition: RecognitionPool;
  /** Whether this process recognises at all. */
  recognizes: boolean;
  /** Rejects when the recognisers cannot be started; somebody must wait for it. */
  ready: Promise<void>;
  tracing: Tracing;
  /** What to undo at a stop, the data folder's lock last of all; further parts add theirs. */
  steps: StopSteps;
}

/** @param folder  the data folder, or another one */
export const sharedWeights = (folder: string) => path.resolve(folder, "shared-weights");

export function recognitionPool(
  settings: Settings,
  models: ModelStore,
  logger: Logger,
  { tracing = NO_TRACING, sharedFolder }: { tracing?: Tracing; sharedFolder?: string | undefined } = {},
): RecognitionPool {
  return new RecognitionPool({
    tracing,
    workers: settings.workers,
    models,
    model: settings.model,
    queueLimit: RECOGNITION_QUEUE_LIMIT,
    recordedQueueLimit: Math.max(RECOGNITION_QUEUE_LIMIT, recordedTasksOf(settings)),
    taskTimeoutSeconds: settings.taskTimeoutSeconds,
    memoryLimitBytes: settings.recognizerMemoryBytes,
    environment: childEnvironment(temporaryFolder(settings.dataDirectory)),
    ...(settings.shareWeights ? { sharedFolder: sharedFolder ?? sharedWeights(settings.dataDirectory) } : {}),
    logger,
  });
}

/** @throws settings.invalid where parts of the service cannot be on their own */
function rolesOf({ roles, databaseUrl }: Settings): ReadonlySet<Role> {
  const wanted = new Set(roles.split(",").map((role) => role.trim()) as Role[]);
  if (wanted.size < ROLES.length && databaseUrl === "") {
    throw errors.invalidSettings([
      `PARLANCE_ROLES is ${roles}: what does the rest must see the same database. Set DATABASE_URL to a PostgreSQL server, or leave PARLANCE_ROLES out`,
    ]);
  }
  return wanted;
}

/**
 * Takes the data folder and starts the recognisers that the roles need.
 * @param sharedFolder  of packed weights, if they are not in the data folder
 * @throws settings.invalid, storage.folder_in_use; nothing is left running then
 */
export async function startRecognition(
  settings: Settings,
  logger: Logger,
  sharedFolder?: string,
): Promise<StartedRecognition> {
  const models = modelStore(settings);
  if (!(await models.list()).some(({ id }) => id === settings.model)) {
    const installed = (await models.list()).map(({ id }) => id).join(", ");
    throw errors.invalidSettings([
      `PARLANCE_MODEL must be an installed model (${installed}); it is "${settings.model}". Add one with: ${PARLANCE} models add ${settings.model}`,
    ]);
  }
  const roles = rolesOf(settings);
  const lock = await lockDirectory(settings.dataDirectory);
  try {
    useTemporaryFolder(await emptyTemporaryFolder(settings.dataDirectory));
    await removeUnfinishedPreparations(sharedWeights(settings.dataDirectory));
    const { tracesUrl, tracesName } = settings;
    const tracing = tracesUrl === "" ? NO_TRACING : await openTracing(tracesUrl, tracesName, await packageVersion());
    const recognition = recognitionPool(settings, models, logger, { tracing, sharedFolder });
    const recognizes = roles.has("live") || roles.has("worker");
    const ready = recognizes ? recognition.start() : Promise.resolve();
    ready.catch(() => undefined);
    const steps = new StopSteps(logger);
    steps.push(() => lock.release(), "lock of the data folder");
    steps.push(() => tracing.stop(), "traces");
    steps.push(() => recognition.stop(), "recognisers");
    return { lock, models, roles, recognition, recognizes, ready, tracing, steps };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
