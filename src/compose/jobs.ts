// Processing of recorded jobs.

import { workerName } from "../platform/storage/db/jobs/leases.ts";
import { AwaitedJobs } from "../service/jobs/awaited-jobs.ts";
import { JobChanges } from "../service/jobs/job-changes.ts";
import { SearchIndex } from "../service/jobs/search-index.ts";
import { StageTimes } from "../service/jobs/stage-times.ts";
import { stagesOf } from "../service/jobs/stages/all.ts";
import { resumeFromEarlier } from "../service/jobs/stages/resume.ts";
import type { StageServices } from "../service/jobs/stages/stage.ts";
import { Throughput } from "../service/jobs/throughput.ts";
import { WaitingForModels } from "../service/jobs/waiting-for-models.ts";
import { JobWorker } from "../service/jobs/worker.ts";
import type { Base } from "./base.ts";
import { concurrentJobsOf } from "./concurrent-jobs.ts";
import { readOthers } from "./models.ts";
import { startRecovery } from "./recovery.ts";
import type { Shared } from "./shared.ts";
import { DATABASE_START_MILLISECONDS, type Stores } from "./stores.ts";

/** The role `worker`: processes recorded jobs. Other roles use the parts without starting them. */
export async function composeJobs(
  { settings, logger, started }: Base,
  { database, objects, space, isOnlyProcess, machine, generation, duties, signals }: Stores,
  {
    supply,
    fleet,
    others,
    decoders,
    resultProcesses,
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
    resultProcesses,
    stageTimes: new StageTimes(),
    voices,
    requestVoices,
    limits: settings,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    logger,
  };
  const search = new SearchIndex({ database, duties, results, transcriptProcess, logger });
  if (roles.has("worker")) search.start();
  undo.push(() => search.stop(), "search");
  const awaitedJobs = new AwaitedJobs(database, logger, signals);
  undo.push(() => awaitedJobs.stop(), "awaited jobs");
  const jobChanges = new JobChanges({ database, signals, logger });
  const throughput = new Throughput(others);
  const worker = new JobWorker(queue, services, {
    name: workerName({ machine, generation }),
    concurrency: { process: concurrentJobsOf(settings), fetch: settings.concurrentFetches },
    pipeline: { stagesOf, resume: resumeFromEarlier },
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

  undo.push(() => worker.stop(), "jobs");
  if (roles.has("worker")) {
    undo.push(
      await startRecovery(
        { database, objects, logger, duties },
        { isOnlyProcess, self: { machine, generation }, worker, startMilliseconds: DATABASE_START_MILLISECONDS },
      ),
      "recovery",
    );
    worker.start();
  }

  const waitingForModels = new WaitingForModels({
    database,
    models,
    supply,
    queue,
    multilingualModel: settings.multilingualModel,
    speech: settings,
    fleet,
    others,
    readOthers: () => readOthers(database, machine, others),
    logger,
    onEnded: () => callbacks.wake(),
  });
  signals.onPulse((pulse) => {
    if (pulse.fetch || pulse.process) waitingForModels.noticeWaiting();
  });
  undo.push(() => waitingForModels.stop(), "jobs that wait for models");

  return { search, awaitedJobs, jobChanges, throughput, worker, waitingForModels };
}

export type Jobs = Awaited<ReturnType<typeof composeJobs>>;
