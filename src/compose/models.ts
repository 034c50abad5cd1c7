// Models: which this process and the others have, and how they are fetched.
import { networkEnvironment } from "../platform/config/load.ts";
import { SETTINGS } from "../platform/config/settings.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { releaseEarlierFetches } from "../platform/storage/db/fleet-models.ts";
import { workerName, workerNamePrefix } from "../platform/storage/db/jobs/leases.ts";
import { reportedProcesses } from "../platform/storage/db/machines.ts";
import { configuredModelProblems } from "../service/models/configured-models.ts";
import { FleetModels } from "../service/models/fleet-models.ts";
import { OtherProcesses, RETURN_SECONDS } from "../service/models/other-processes.ts";
import { ModelsOfRole } from "../service/models/served-models.ts";
import { hubOf } from "../service/models/store-settings.ts";
import { ModelSupply } from "../service/models/supply.ts";
import type { Base } from "./base.ts";
import type { Stores } from "./stores.ts";

export const defaultModels = {
  multilingualModel: SETTINGS.multilingualModel.default,
  speakerModel: SETTINGS.speakerModel.default,
  turnModel: SETTINGS.turnModel.default,
};

/** @param machine  name of the data folder of this process */
export async function readOthers(database: Database, machine: string, others: OtherProcesses): Promise<void> {
  const reported = (await reportedProcesses(database, RETURN_SECONDS)).filter((one) => one.machine !== machine);
  others.take(
    reported.filter(({ isRunning }) => isRunning),
    reported.filter(({ isRunning }) => !isRunning),
  );
}

export async function composeModels(
  { settings, logger, started, undo, temporary }: Base,
  { database, isOnlyProcess, machine, generation, objects, signals }: Stores,
) {
  const { models, roles } = started;
  const others = new OtherProcesses();
  const holder = workerName({ machine, generation });
  const fleet = isOnlyProcess
    ? undefined
    : new FleetModels({
        ...{ database, objects, others, signals, logger, holder, store: models },
        follows: roles.has("worker") || roles.has("live"),
        mayFetch: settings.fetchModels,
      });
  if (fleet) await releaseEarlierFetches(database, workerNamePrefix(machine), holder);
  const supply = new ModelSupply({
    store: models,
    fleet,
    hub: hubOf(settings),
    mayFetch: settings.fetchModels,
    environment: networkEnvironment(temporary),
    logger,
  });
  undo.push(() => supply.stop(), "model supply");
  for (const problem of await configuredModelProblems(models, settings, defaultModels)) logger.warn(problem);
  const parts = { models, roles, others, fleet };
  const recordingModels = new ModelsOfRole("worker", parts);
  const liveModels = new ModelsOfRole("live", parts);
  return { supply, others, fleet, recordingModels, liveModels };
}
