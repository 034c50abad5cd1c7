// Runs a request as a queued job, waits for its end, and deletes it after the response. The interfaces of OpenAI, whisper-asr-webservice and
// Deepgram keep nothing.
import type { FastifyRequest } from "fastify";
import type { AddonParameters } from "../contract/job-parameters.ts";
import { errors } from "../platform/errors.ts";
import { sleep } from "../platform/process/sleep.ts";
import { isKeyValid } from "../platform/storage/db/accounts/accounts.ts";
import { saveFile } from "../platform/storage/db/files/files.ts";
import { findJob, type JobRow } from "../platform/storage/db/jobs/jobs.ts";
import { audioKey } from "../platform/storage/objects/keys.ts";
import { mustWait } from "../platform/storage/when-possible.ts";
import { acceptRecorded } from "../service/jobs/accept.ts";
import { wantedUntil } from "../service/jobs/awaited-jobs.ts";
import { removeWholeJobs } from "../service/jobs/remove-job.ts";
import { chooseModel } from "../service/models/choose-model.ts";
import { languageRequestOf } from "../service/models/speech-plan.ts";
import type { Answer } from "../service/transcripts/answer-parts.ts";
import type { AnswerRequest } from "../service/transcripts/interface-answer.ts";
import { type ApiContext, requestIdOf } from "./context.ts";
import { type Received, storedFile } from "./upload/stored-file.ts";

/** Interval at which streamed responses look up new text. */
const LOOK_MILLISECONDS = 250;
/** Longest time until a waiting request whose key was revoked ends. */
const RIGHTS_MILLISECONDS = 2_000;

/** What these requests need. */
export type AwaitedContext = Pick<
  ApiContext,
  | "awaitedJobs"
  | "database"
  | "decoders"
  | "isOnlyProcess"
  | "live"
  | "recordingModels"
  | "now"
  | "objects"
  | "quarantine"
  | "queue"
  | "results"
  | "settings"
  | "transcriptProcess"
  | "waitingForModels"
  | "worker"
>;

/** What the request's job is created with: the body of a request, and what is stored besides it. */
export type AwaitedParameters = Pick<AddonParameters, "model" | "language_config"> & Record<string, unknown>;

/**
 * @param received  the stored recording; it is removed if the job is not accepted
 * @returns the job's row
 * @throws what `paramsOf` throws, what the recording is refused for, limit.queued_jobs
 */
export async function acceptAwaited(
  request: FastifyRequest,
  { id, ...received }: Received & { id: string },
  paramsOf: () => Promise<AwaitedParameters> | AwaitedParameters,
  gone: AbortSignal,
  context: Pick<
    ApiContext,
    "database" | "decoders" | "now" | "objects" | "queue" | "recordingModels" | "settings" | "waitingForModels"
  >,
): Promise<JobRow> {
  const { database, objects, recordingModels: models, settings } = context;
  try {
    const params = await paramsOf();
    const { model, isInstalled } = await chooseModel(languageRequestOf(params), { models, settings });
    const { file } = await storedFile(id, request.account.id, received, gone, context);
    const { account_id: accountId, created_at: createdAt } = file;
    const kind = "pre-recorded" as const;
    const job = { id, accountId, kind, model, createdAt, params, fileId: id, wantedUntil: wantedUntil() };
    await acceptRecorded(job, isInstalled, context, (transaction) => saveFile(transaction, file));
    request.publicRequestId = requestIdOf(id);
    const row = await findJob(database, id);
    if (!row) throw errors.notFound("Job");
    return row;
  } catch (error) {
    await objects.remove(audioKey(id));
    throw error;
  }
}

/**
 * Waits until the job has ended.
 * @param keyId  of the key that the request came with
 * @param look  called from time to time while it runs
 * @throws the job's own error; account.key_unknown when the key was revoked; work.aborted when the client closed its connection
 */
export async function untilEnded(
  { id, keyId }: { id: string; keyId: string | null },
  signal: AbortSignal,
  { database, awaitedJobs }: Pick<ApiContext, "awaitedJobs" | "database">,
  look?: () => Promise<void>,
): Promise<JobRow> {
  const ended = awaitedJobs.ended(id, signal);
  let hasEnded = false;
  const end = ended.finally(() => {
    hasEnded = true;
  });
  end.catch(() => undefined);
  let checkedAt = performance.now();
  while (!hasEnded) {
    await unlessUnavailable(async () => look?.());
    await Promise.race([end, sleep(look ? LOOK_MILLISECONDS : RIGHTS_MILLISECONDS)]);
    if (hasEnded || performance.now() - checkedAt < RIGHTS_MILLISECONDS) continue;
    if ((await unlessUnavailable(() => isKeyValid(database, keyId))) === false) throw errors.keyUnknown();
    checkedAt = performance.now();
  }
  await ended;
  const row = await findJob(database, id);
  if (!row) throw errors.notFound("Job");
  if (row.status !== "error") return row;
  throw errors.jobFailed(row.error_message ?? "the recording could not be transcribed", row.error_code ?? 500);
}

/** Undefined while the database or the store does not answer: the job continues, and so does the wait for it. */
async function unlessUnavailable<Result>(task: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await task();
  } catch (error) {
    if (mustWait(error)) return undefined;
    throw error;
  }
}

/**
 * Waits for a job that was accepted, and deletes it.
 * @returns its result as the interface answers it
 * @throws as untilEnded; translation.failed, recognition.no_speech
 */
export async function awaitedAnswer(
  request: FastifyRequest,
  id: string,
  gone: AbortSignal,
  answer: AnswerRequest,
  context: AwaitedContext,
): Promise<Answer> {
  try {
    const ended = await untilEnded({ id, keyId: request.keyId }, gone, context);
    const caller = { tenant: ended.account_id, signal: gone };
    return await context.transcriptProcess.answer(caller, await uncorrected(ended, context), answer);
  } finally {
    await forget(request, id, context);
  }
}

/** These jobs are deleted with their answer: their results have no corrections. */
export const uncorrected = async (row: JobRow, { results }: Pick<ApiContext, "results">) => ({
  result: await results.path(row),
  corrections: async () => [],
});

/** Deletes the job and its recording. Never throws: a failure is logged. */
export async function forget(
  request: FastifyRequest,
  id: string,
  context: Pick<ApiContext, "database" | "isOnlyProcess" | "live" | "objects" | "quarantine" | "worker">,
): Promise<void> {
  try {
    const row = await findJob(context.database, id);
    if (row) await removeWholeJobs([row.id], context);
  } catch (error) {
    request.log.warn({ err: error, job: id }, "the job could not be deleted");
  }
}
