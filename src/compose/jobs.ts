// Processing of recorded jobs.

import { workerName } from "../platform/storage/db/jobs/leases.ts";
import { whenPossible } from "../platform/storage/when-possible.ts";
import { AwaitedJobs } from "../service/jobs/awaited-jobs.ts";
import { recoverJobs } from "../service/jobs/recover.ts";
import { SearchIndex } from "../service/jobs/search-index.ts";
import type { StageServices } from "../service/jobs/stages/stage.ts";
import { Throughput } from "../service/jobs/throughput.ts";
import { WaitingForModels } from "../service/jobs/waiting-for-models.ts";
import { JobWorker, RECOVER_MILLISECONDS } from "../service/jobs/worker.ts";
import type { Base } from "./base.ts";
import { concurrentJobsOf, type Shared } from "./shared.ts";
import { DATABASE_START_MILLISECONDS, type Stores } from "./stores.ts";

/** The role `worker`: processes recorded jobs. Other roles use the parts without starting them. */
export async function composeJobs(
  { settings, logger, started }: Base,
  { database, objects, space, isOnlyProcess, machine, generation }: Stores,
  {
    supply,
    decoders,
    addonRunner,
    queue,
    results,
    transcriptProcess,
    metrics,
    callbacks,
    voices,
    requestVoices,
  }: Shared,
) {
  const { models, roles, recognition, tracing, steps: undo } = started;
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
    speakerModel: settings.speakerModel,
    addonRunner,
    voices,
    requestVoices,
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
    concurrency: { process: concurrentJobsOf(settings), fetch: settings.concurrentFetches },
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
      { isOnlyProcess, self: { machine, generation }, running: worker.runningJobs },
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
      recover().catch((error: unknown) =>
        logger.warn({ err: error }, "the search for abandoned jobs failed; retrying"),
      );
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

  return { search, awaitedJobs, throughput, worker, waitingForModels };
}

export type Jobs = Awaited<ReturnType<typeof composeJobs>>;
