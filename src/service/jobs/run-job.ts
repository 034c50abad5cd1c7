// Runs one job to its end: stage by stage, each recorded in its row when it is complete.

import { parseJobParameters } from "../../contract/job-parameters.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import { errors, type ParlanceError, toParlanceError, withDetail } from "../../platform/errors.ts";
import { countCrash, finishStage, type Hold, holdOf, setProgress } from "../../platform/storage/db/jobs/held-jobs.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { whenPossible } from "../../platform/storage/when-possible.ts";
import { fileSecondsOf, transcribedSeconds } from "./audio-length.ts";
import { JobEstimate } from "./job-estimate.ts";
import {
  costOf,
  type Stage,
  type StageContext,
  type StageJob,
  type StageOutputs,
  type StageServices,
  shownAfter,
} from "./stages/stage.ts";
import { attemptFolder, WorkFiles } from "./stages/work-files.ts";

/**
 * A recording that crashes its process this often in one stage fails. The first crash may have been caused by another
 * job.
 */
const MOST_CRASHES = 3;
const PROGRESS_INTERVAL_MILLISECONDS = 1_000;
const UNREPORTED_INTERVAL_MILLISECONDS = 5_000;

/** The child process was lost, which may be retried. */
const isCrash = (error: ParlanceError) => error.code === "process.died" || error.code === "process.timeout";

function stageJob(row: JobRow): StageJob {
  return {
    id: row.id,
    hold: holdOf(row),
    accountId: row.account_id,
    model: row.model,
    audioUrl: row.audio_url === null ? null : FetchAddress.of(row.audio_url),
    fileId: row.file_id,
    startedAt: row.started_at ?? row.created_at,
    params: parseJobParameters(row.request_params),
    addedTo: row.added_to,
  };
}

/** A recording whose length is not known yet. */
const UNKNOWN_AUDIO_SECONDS = 60;

/** An estimate is made again if the length turns out to differ by more than this share of it. */
const MOST_LENGTH_DIFFERENCE = 0.05;

const isOtherLength = (now: number, before: number) => Math.abs(now - before) > MOST_LENGTH_DIFFERENCE * before;

/** @param outputs  of the completed stages @param shown  share that was shown before */
function estimateOf(
  job: StageJob,
  outputs: StageOutputs,
  stages: readonly Stage[],
  services: StageServices,
  audioSeconds: number,
  shown: number,
) {
  return new JobEstimate(
    stages.map((stage) => ({ name: stage.name, cost: costOf(stage, job, services) })),
    new Set(stages.filter(({ name }) => outputs[name]).map(({ name }) => name)),
    services.stageTimes,
    audioSeconds,
    shown,
  );
}

/**
 * Whether no earlier attempt can have begun a stage that is left: the first attempt, or the first one after the recording was fetched. The
 * file of a fetched recording has the id of the job.
 * @param outputs  of the stages that earlier attempts completed
 */
function beginsStages(row: JobRow, outputs: StageOutputs): boolean {
  if (row.attempt === 1) return true;
  const isFetched = row.file_id === row.id && row.stage === "decode";
  return isFetched && outputs.fetch?.attempt === row.attempt - 1 && Object.keys(outputs).length === 1;
}

/** The recording is decoded before its distinct channels are known: it is estimated as one. */
const oneChannel = (seconds: number, { decode }: StageOutputs) =>
  seconds / Math.max(1, decode?.distinctChannels.length ?? 1);

/** Learns how long a stage took. The fetch depends on the network. */
function learn(
  stage: Stage,
  job: StageJob,
  outputs: StageOutputs,
  { audioSeconds, seconds }: { audioSeconds: number; seconds: number },
  services: StageServices,
): void {
  if (stage.name === "fetch" || stage.hasWork?.(job, services) === false) return;
  const estimated = stage.name === "decode" ? oneChannel(audioSeconds, outputs) : audioSeconds;
  services.stageTimes.add(stage.cost(job, services), estimated, seconds);
}

/**
 * Writes progress and the estimated end to the row while a stage runs: at most once a second, and every five seconds without a report.
 * @param onLost  called if the attempt no longer holds the job
 */
function startProgress(
  hold: Hold,
  stage: Stage,
  estimate: JobEstimate,
  { database, logger }: StageServices,
  onLost: () => void,
): { report(share: number): void; stop(): void } {
  estimate.begin(stage.name);
  let last = performance.now();
  const write = () => {
    last = performance.now();
    setProgress(database, hold, {
      stage: stage.name,
      progress: estimate.share,
      restSeconds: estimate.restSeconds,
      clearsStrikes: stage.keepsProgress ?? false,
    }).then(
      (isHeld) => {
        if (!isHeld) onLost();
      },
      (error: unknown) => logger.warn({ err: error, job: hold.id }, "progress could not be written"),
    );
  };
  const timer = setInterval(() => {
    if (performance.now() - last >= UNREPORTED_INTERVAL_MILLISECONDS) write();
  }, PROGRESS_INTERVAL_MILLISECONDS).unref();
  const report = (share: number) => {
    estimate.report(share);
    if (performance.now() - last >= PROGRESS_INTERVAL_MILLISECONDS) write();
  };
  return { report, stop: () => clearInterval(timer) };
}

/** Retries a stage whose process crashed in a dedicated process, so that one bad recording cannot fail other jobs. */
async function runStage(stage: Stage, given: StageContext): Promise<NonNullable<StageOutputs[Stage["name"]]>> {
  let context = given;
  for (;;) {
    try {
      return await stage.run(context);
    } catch (thrown) {
      context.signal.throwIfAborted();
      const error = toParlanceError(thrown);
      if (!isCrash(error)) throw error;
      const crashes = await countCrash(context.services.database, context.job.hold);
      context.requireHeld(crashes !== undefined);
      if (crashes === undefined) throw error;
      context.services.logger.warn(
        { job: context.job.id, stage: stage.name, crashes, reason: withDetail(error.message, error.detail) },
        "worker lost",
      );
      if (crashes >= MOST_CRASHES) throw errors.jobPoisoned(stage.name, error.message);
      context = { ...context, priority: "suspect", hasCrashed: true };
    }
  }
}

/** Shorter stages are not checkpointed: repeating one after a crash costs less than the database write. */
const CHECKPOINT_MILLISECONDS = 1_000;

/**
 * Runs the remaining stages of a claimed job. A job is requeued after its recording was fetched, and if it needs a
 * model that is not installed yet.
 * @param outputs  of its completed stages; further ones are added
 * @param stages   all of a job
 * @param trace    traceparent of the job's span
 * @param onStage  called before each stage
 * @param onLost   aborts `signal`: the attempt no longer holds the job
 * @returns false if it was requeued
 * @throws the error that the job ends with; after an abort the job is left as it is
 */
export async function runJob(
  row: JobRow,
  outputs: StageOutputs,
  stages: readonly Stage[],
  services: StageServices,
  signal: AbortSignal,
  trace: string | undefined,
  { onStage, onLost }: { onStage: (stage: Stage["name"]) => void; onLost: () => void },
): Promise<boolean> {
  const job = stageJob(row);
  const { hold } = job;
  const files = WorkFiles.of(job.id, hold.attempt, outputs);
  const requireHeld: StageContext["requireHeld"] = (isHeld) => {
    if (isHeld) return;
    onLost();
    signal.throwIfAborted();
  };
  // Its process starts while the recording is decoded and recognised.
  services.resultProcesses.prepare();
  let written = performance.now();
  const begins = beginsStages(row, outputs);
  // Add-ons that are made from the text alone do not learn the length from the audio.
  const fileSeconds = row.added_to === null ? undefined : await fileSecondsOf(services.database, row);
  const lengthKnown = () => transcribedSeconds(job, outputs, fileSeconds);
  let audioSeconds = lengthKnown() ?? UNKNOWN_AUDIO_SECONDS;
  let estimate = estimateOf(job, outputs, stages, services, audioSeconds, row.progress);
  for (const [index, stage] of stages.entries()) {
    if (outputs[stage.name]) continue;
    signal.throwIfAborted();
    onStage(stage.name);
    const priority = row.crashes > 0 ? "suspect" : "recorded";
    const progress = startProgress(hold, stage, estimate, services, onLost);
    const context: StageContext = {
      job,
      outputs,
      files,
      services,
      signal,
      priority,
      progress: progress.report,
      requireHeld,
    };
    services.logger.debug({ job: row.id, stage: stage.name }, "stage starts");
    const attributes = { "parlance.job": row.id };
    const began = performance.now();
    const output = await services.tracing
      .span(`stage ${stage.name}`, { parent: trace, attributes }, (ofStage) =>
        runStage(stage, ofStage ? { ...context, trace: ofStage } : context),
      )
      .finally(() => progress.stop());
    estimate.end();
    Object.assign(outputs, { [stage.name]: { ...output, attempt: hold.attempt } });
    const known = lengthKnown();
    const seconds = (performance.now() - began) / 1000;
    // A stage that an earlier attempt began takes less than a whole one.
    if (begins && known !== undefined) learn(stage, job, outputs, { audioSeconds: known, seconds }, services);
    if (known !== undefined && isOtherLength(known, audioSeconds)) {
      audioSeconds = known;
      estimate = estimateOf(job, outputs, stages, services, audioSeconds, estimate.share);
    }
    const next = shownAfter(index, stages, job, services);
    // From now on the fetched copy belongs to the job.
    const ownsFile = stage.name === "fetch" && outputs.fetch && !row.file_id;
    const model = stage.name === "recognize" ? outputs.recognize?.foreign?.wantedModel : undefined;
    const isRequeued = ownsFile || model !== undefined;
    if (!next || (!isRequeued && performance.now() - written < CHECKPOINT_MILLISECONDS)) continue;
    const step = {
      stageOutputs: outputs,
      nextStage: next.name,
      progress: estimate.share,
      restSeconds: estimate.restSeconds,
      ...(ownsFile ? { fileId: outputs.fetch?.fileId } : {}),
      ...(model === undefined ? {} : { model }),
    };
    // Otherwise the recording would be fetched again, from an address that may answer once only.
    const isOwned = await whenPossible(
      async () => {
        // Makes the outputs available to the machine that resumes the job.
        await services.objects.keepFolder(attemptFolder(job.id, hold.attempt));
        return finishStage(services.database, hold, step);
      },
      signal,
      (error) => services.logger.error({ err: error, job: row.id }, "a stage cannot be stored yet; retrying"),
    );
    requireHeld(isOwned);
    if (isRequeued) return false;
    written = performance.now();
    services.logger.debug({ job: row.id, stage: stage.name }, "stage kept");
  }
  return true;
}
