// Runs a request of OpenAI's interface as a job: it is queued like others, the request waits for its end, and the job is deleted.
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { findJob, type JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { acceptRecorded } from "../../service/jobs/accept.ts";
import { wantedUntil } from "../../service/jobs/awaited-jobs.ts";
import { removeWholeJob } from "../../service/jobs/remove-job.ts";
import { chooseModel } from "../../service/models/choose-model.ts";
import { languageRequestOf } from "../../service/models/speech-plan.ts";
import { modelNamed } from "../../service/openai/model-names.ts";
import { vocabularyOf } from "../../service/openai/prompt.ts";
import { type ApiContext, requestIdOf } from "../context.ts";
import { storedFile } from "../upload/stored-file.ts";
import { DIARIZING } from "./fields.ts";
import type { AudioForm } from "./form.ts";
import { voicesOfSpeakers } from "./known-speakers.ts";

/** How often what is known of the text is looked at, for requests that are sent it. */
const LOOK_MILLISECONDS = 250;
/** A request whose key is revoked meanwhile ends after so long at most. */
const RIGHTS_MILLISECONDS = 2_000;

function paramsOf(form: AudioForm, model: string, task: "transcribe" | "translate") {
  const vocabulary = [...new Set([...form.keywords, ...vocabularyOf(form.prompt)])];
  return {
    model,
    language_config: { languages: form.languages, code_switching: false },
    ...(form.audioTrack === undefined ? {} : { audio_track: form.audioTrack }),
    ...(form.numerals ? {} : { numerals: false }),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(form.format === "diarized_json" || DIARIZING.test(form.model) ? { diarization: true } : {}),
    ...(task === "translate" ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
  };
}

/** @returns the job's row @throws what its form or its recording is refused for; nothing is kept then */
export async function acceptJob(
  request: FastifyRequest,
  form: AudioForm,
  id: string,
  task: "transcribe" | "translate",
  gone: AbortSignal,
  context: Pick<
    ApiContext,
    | "database"
    | "decoders"
    | "enroller"
    | "models"
    | "now"
    | "objects"
    | "queue"
    | "requestVoices"
    | "settings"
    | "temporaryFolder"
    | "waitingForModels"
  >,
): Promise<JobRow> {
  const { database, objects, models } = context;
  try {
    const known = await voicesOfSpeakers(form.knownSpeakers, request.account.id, gone, context);
    const params = {
      ...paramsOf(form, await modelNamed(form.model, models), task),
      ...(known.length > 0 ? { sealed_voices: context.requestVoices.seal(known) } : {}),
    };
    const { model, isInstalled } = await chooseModel(languageRequestOf(params), context);
    const { file } = await storedFile(id, request.account.id, form, gone, context);
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
    await look?.();
    await Promise.race([end, sleep(look ? LOOK_MILLISECONDS : RIGHTS_MILLISECONDS)]);
    if (hasEnded || performance.now() - checkedAt < RIGHTS_MILLISECONDS) continue;
    if (!(await isKeyValid(database, keyId))) throw errors.keyUnknown();
    checkedAt = performance.now();
  }
  await ended;
  const row = await findJob(database, id);
  if (!row) throw errors.notFound("Job");
  if (row.status !== "error") return row;
  throw errors.jobFailed(row.error_message ?? "the recording could not be transcribed", row.error_code ?? 500);
}

/** Deletes the job: OpenAI's interface keeps none. */
export async function forget(
  id: string,
  context: Pick<ApiContext, "database" | "isOnlyProcess" | "live" | "objects" | "worker">,
): Promise<void> {
  const row = await findJob(context.database, id);
  if (row) await removeWholeJob(row, context);
}
