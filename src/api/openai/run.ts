// A request of OpenAI's interface as a job of ours: queued like any other, waited for, and nothing of it kept.
import type { FastifyRequest } from "fastify";
import { errors, ParlanceError } from "../../errors.ts";
import { removeWholeJob } from "../../jobs/remove-job.ts";
import { languageRequestOf } from "../../models/speech-plan.ts";
import { ModelStore } from "../../models/store.ts";
import { vocabularyOf } from "../../openai/prompt.ts";
import { saveFile } from "../../storage/db/files.ts";
import { findJob, type JobRow, keepWanted } from "../../storage/db/jobs.ts";
import { audioKey } from "../../storage/objects/keys.ts";
import { acceptRecorded, refuseOverQueued } from "../accept-job.ts";
import { chooseModel } from "../choose-model.ts";
import { type ApiContext, DEFAULT_MODEL, requestIdOf } from "../context.ts";
import { storedFile } from "../upload/stored-file.ts";
import type { AudioForm } from "./form.ts";

/** Names that clients know; all mean the default model. */
const ALIASES = /^(whisper-1|gpt-4o(-mini)?-transcribe(-diarize)?(-[\d-]+)?)$/;
const DIARIZING = /-diarize/;

/** How often is looked where another process may end the job. */
const LOOK_MILLISECONDS = 250;
/** So long a job stays when the process that waits for it is gone. */
const WANTED_MILLISECONDS = 60_000;
const KEEP_MILLISECONDS = 10_000;

const wantedUntil = () => new Date(Date.now() + WANTED_MILLISECONDS);

export async function modelNamed(name: string, models: ModelStore): Promise<string> {
  if (ALIASES.test(name) || ModelStore.isDefault(name)) return DEFAULT_MODEL;
  const installed = await models.find(name);
  if (!installed) throw errors.modelUnknown(name);
  return installed.id;
}

function paramsOf(form: AudioForm, model: string, task: "transcribe" | "translate") {
  const vocabulary = vocabularyOf(form.prompt);
  return {
    model,
    language_config: { languages: form.language ? [form.language] : [], code_switching: false },
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
  context: ApiContext,
): Promise<JobRow> {
  const { database, objects, models } = context;
  try {
    const params = paramsOf(form, await modelNamed(form.model, models), task);
    const { model, isInstalled } = await chooseModel(languageRequestOf(params), context);
    const file = await storedFile(id, request.account.id, form, context);
    await refuseOverQueued(request.account.id, context);
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
 * @param look  called from time to time while it runs
 * @throws the job's own error; work.aborted when the client went away
 */
export async function untilEnded(
  id: string,
  signal: AbortSignal,
  { database, ended }: ApiContext,
  look: (row: JobRow) => Promise<void> = async () => undefined,
): Promise<JobRow> {
  let keptAt = performance.now();
  for (;;) {
    if (performance.now() - keptAt > KEEP_MILLISECONDS) {
      await keepWanted(database, id, wantedUntil());
      keptAt = performance.now();
    }
    const row = await findJob(database, id);
    if (!row) throw errors.notFound("Job");
    if (row.status === "done") return row;
    if (row.status === "error") {
      throw new ParlanceError(row.error_message ?? "the recording could not be transcribed", {
        code: "job.failed",
        status: row.error_code ?? 500,
      });
    }
    await look(row);
    await ended.wait(LOOK_MILLISECONDS, signal);
    if (signal.aborted) throw errors.aborted();
  }
}

/** Nothing of it stays: that interface keeps no jobs. */
export async function forget(id: string, context: ApiContext): Promise<void> {
  const row = await findJob(context.database, id);
  if (row) await removeWholeJob(row, context);
}
