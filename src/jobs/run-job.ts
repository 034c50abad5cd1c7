// One job from where it stands to its end: stage after stage, each named in its row when it is complete.
import { errors, type ParlanceError, toParlanceError } from "../errors.ts";
import { countCrash, finishStage, type JobRow, setProgress } from "../storage/db/jobs.ts";
import { overallProgress, STAGES } from "./stages/all.ts";
import {
  type Stage,
  type StageContext,
  type StageJob,
  type StageOutputs,
  type StageServices,
  workFolder,
} from "./stages/stage.ts";

/** A recording that ends its worker process this often in one stage is given up: the first time it may have been another's doing. */
const MOST_CRASHES = 3;
const PROGRESS_INTERVAL_MILLISECONDS = 1_000;

/** The child process was lost, not the job: worth another try. */
const isCrash = (error: ParlanceError) => error.code === "process.died" || error.code === "process.timeout";

function stageJob(row: JobRow): StageJob {
  return {
    id: row.id,
    accountId: row.account_id,
    model: row.model,
    audioUrl: row.audio_url,
    fileId: row.file_id,
    startedAt: row.started_at ?? row.created_at,
    params: row.request_params,
  };
}

/** Writes progress to the row once a second at most. */
function progressWriter(row: JobRow, stage: Stage, { database, logger }: StageServices): (share: number) => void {
  let last = Date.now();
  return (share) => {
    const now = Date.now();
    if (now - last < PROGRESS_INTERVAL_MILLISECONDS) return;
    last = now;
    setProgress(database, row.id, {
      stage: stage.name,
      progress: overallProgress(stage.name, share),
      clearsStrikes: stage.keepsProgress ?? false,
    }).catch((error: unknown) => logger.warn({ err: error, job: row.id }, "progress could not be written"));
  };
}

/** After its process was lost, a job goes through one of its own: those that were with it do not suffer again. */
async function runStage(
  stage: Stage,
  given: StageContext,
  row: JobRow,
): Promise<NonNullable<StageOutputs[Stage["name"]]>> {
  let context = given;
  for (;;) {
    try {
      return await stage.run(context);
    } catch (thrown) {
      context.signal.throwIfAborted();
      const error = toParlanceError(thrown);
      if (!isCrash(error)) throw error;
      const crashes = await countCrash(context.services.database, row.id);
      context.services.logger.warn({ job: row.id, stage: stage.name, crashes, reason: error.message }, "worker lost");
      if (crashes >= MOST_CRASHES) throw errors.jobPoisoned(stage.name, error.message);
      context = { ...context, priority: "suspect" };
    }
  }
}

/** A stage that took less is cheaper to repeat after a kill than to write down. */
const WORTH_WRITING_MILLISECONDS = 1_000;

/**
 * Runs what is left of a claimed job.
 * @param outputs  what its finished stages left; filled further
 * @param trace    traceparent of the work on it
 * @returns false when the job was deleted or taken away meanwhile
 * @throws the error that the job is to end with; an abort leaves the job as it stands
 */
export async function runJob(
  row: JobRow,
  outputs: StageOutputs,
  services: StageServices,
  signal: AbortSignal,
  trace?: string,
): Promise<boolean> {
  const job = stageJob(row);
  let written = performance.now();
  for (const [index, stage] of STAGES.entries()) {
    if (outputs[stage.name]) continue;
    signal.throwIfAborted();
    const priority = row.crashes > 0 ? "suspect" : "recorded";
    const progress = progressWriter(row, stage, services);
    const context: StageContext = { job, outputs, services, signal, priority, progress };
    services.logger.debug({ job: row.id, stage: stage.name }, "stage starts");
    const attributes = { "parlance.job": row.id };
    const output = await services.tracing.span(`stage ${stage.name}`, { parent: trace, attributes }, (ofStage) =>
      runStage(stage, ofStage ? { ...context, trace: ofStage } : context, row),
    );
    Object.assign(outputs, { [stage.name]: output });
    const next = STAGES[index + 1];
    // A fetched copy belongs to the job from now on, whatever becomes of the rest.
    const ownsFile = stage.name === "fetch" && outputs.fetch && !row.file_id;
    if (!next || (!ownsFile && performance.now() - written < WORTH_WRITING_MILLISECONDS)) continue;
    // Whoever goes on with the job, on whichever machine, finds what its stages left.
    await services.objects.keepFolder(workFolder(row.id));
    const goesOn = await finishStage(services.database, row.id, row.worker ?? "", {
      stageOutputs: outputs,
      nextStage: next.name,
      progress: overallProgress(next.name, 0),
      ...(outputs.fetch ? { fileId: outputs.fetch.fileId } : {}),
    });
    if (!goesOn) return false;
    written = performance.now();
    services.logger.debug({ job: row.id, stage: stage.name }, "stage kept");
  }
  return true;
}

/** What a failed job tells its owner. */
export function endingOf(thrown: unknown): { errorCode: number; errorMessage: string } {
  const error = toParlanceError(thrown);
  return {
    errorCode: error.status,
    errorMessage: error.code === "internal" ? "The service failed on this job; its log has the reason" : error.message,
  };
}
