// Makes add-ons for a finished transcript, from its text as it reads now, and gives its job a result with them. One transaction changes the
// result and records the output of the stage, so that an attempt that was killed in between repeats nothing.
import { type JobParameters, parseJobParameters } from "../../../contract/job-parameters.ts";
import { type PrintedCorrection, versionOf } from "../../../contract/transcript/correction.ts";
import { errors } from "../../../platform/errors.ts";
import { type DatabaseTime, databaseTime } from "../../../platform/storage/db/database-time.ts";
import { changeResult, lockJobWithResult } from "../../../platform/storage/db/jobs/add-ons.ts";
import {
  correctionVersion,
  insertCorrectionIn,
  printedCorrections,
} from "../../../platform/storage/db/jobs/corrections.ts";
import { finishStage, lockHeldJob } from "../../../platform/storage/db/jobs/held-jobs.ts";
import { findAttempt } from "../../../platform/storage/db/jobs/jobs.ts";
import { inTransaction } from "../../../platform/storage/db/transaction.ts";
import { addOnsResultKey } from "../../../platform/storage/objects/keys.ts";
import { planWithTombstones, RUNNING_WORK_SECONDS } from "../../../platform/storage/planned-removals.ts";
import { diarizationAddon } from "../../intelligence/diarization.ts";
import { addToResult } from "../../intelligence/process/calls/add-to-result.ts";
import type { AddedAddons } from "../../intelligence/process/message.ts";
import { laterAddonsOf } from "../../intelligence/registry.ts";
import { peopleChangedSpeakers } from "../speakers-of-people.ts";
import { addOnCost } from "./add-on-cost.ts";
import { type FinishedJob, finishedJob, spokenOf } from "./finished-job.ts";
import { jointRequest, laterParams } from "./joint-params.ts";
import { keepWhenPossible } from "./keep.ts";
import { fetchLanguageModel } from "./language-model.ts";
import type { Stage, StageContext, StageOutputs } from "./stage.ts";
import { fetchTranslationModels } from "./translation-models.ts";

/** How often the add-ons are made again because the transcript was corrected meanwhile. */
const MOST_ROUNDS = 5;

type Output = NonNullable<StageOutputs["add"]>;

interface Source {
  row: FinishedJob;
  params: JobParameters;
}

/** @throws add_ons.outdated */
async function sourceOf(context: StageContext): Promise<Source> {
  const row = await finishedJob(context);
  const {
    known_voices: _,
    sealed_voices: __,
    ...params
  } = parseJobParameters(row.kind === "live" ? {} : row.request_params);
  return { row, params };
}

const replacesSpeakers = ({ later_add_ons: later }: JobParameters) => later?.replaces_speakers === true;
const madeBy = ({ later_add_ons: later }: JobParameters) => later?.made_by ?? "";

async function fetchModels(context: StageContext, { row }: Source): Promise<void> {
  await fetchLanguageModel(context);
  const { job, services } = context;
  const targets = job.params.translation === true ? (job.params.translation_config?.target_languages ?? []) : [];
  if (targets.length === 0 || services.resultProcesses.translates) return;
  const { languages } = await spokenOf(row, context);
  await fetchTranslationModels(context, languages, targets);
}

/** What a round made, of the text with these corrections. */
interface Round {
  source: Source;
  corrections: readonly PrintedCorrection[];
  /** When they were read. */
  readAt: DatabaseTime;
  key: string;
  added: AddedAddons;
}

async function make(context: StageContext): Promise<Round> {
  const { job, outputs, services, files, signal } = context;
  const { database, objects, resultProcesses } = services;
  const source = await sourceOf(context);
  await fetchModels(context, source);
  const readAt = databaseTime(database);
  const corrections = await printedCorrections(database, source.row.id);
  const keepsSpeakers = job.params.diarization === true && !replacesSpeakers(job.params);
  if (keepsSpeakers && (await peopleChangedSpeakers(database, source.row.id))) throw errors.speakersCorrected();
  const { pieces = 0, model: speakerModel } = outputs.speakers ?? {};
  const { gaps } = outputs.decode ?? {};
  const voices = {
    ...(pieces > 0 ? { voices: await objects.localPath(files.voices) } : {}),
    ...(speakerModel === undefined ? {} : { speakerModel }),
    ...(gaps ? { gaps } : {}),
  };
  const key = addOnsResultKey(source.row.id, job.id, job.hold.attempt);
  const added = await addToResult(
    resultProcesses,
    job.accountId,
    {
      stored: await objects.localPath(source.row.result_key),
      storedHash: source.row.result_hash,
      corrections,
      params: laterParams(source.params, job.params),
      addons: laterAddonsOf(job.params).map(({ name }) => name),
      ...(outputs.speakers ? { voices } : {}),
      result: await objects.localPath(key),
      readAt: readAt.toISOString(),
    },
    signal,
  );
  if (added.hash !== undefined) await keepWhenPossible(context, key);
  return { source, corrections, readAt, key, added };
}

/**
 * Stores what a round made.
 * @returns false if speakers were found in a text that was corrected meanwhile @throws add_ons.outdated
 */
async function store(context: StageContext, { source, corrections, readAt, key, added }: Round): Promise<boolean> {
  const { job, outputs, services } = context;
  const { database, objects } = services;
  const { id, result_key: replaced } = source.row;
  return inTransaction(database, async (transaction) => {
    // In the order in which a deletion locks them.
    const current = await lockJobWithResult(transaction, id);
    context.requireHeld(await lockHeldJob(transaction, job.hold));
    if (current?.result_key !== replaced) throw errors.addOnsOutdated();
    const hasSpeakers = laterAddonsOf(job.params).includes(diarizationAddon) && added.hash !== undefined;
    if (hasSpeakers && (await correctionVersion(transaction, id)) !== versionOf(corrections)) return false;
    if (added.hash !== undefined) {
      const failed = new Set(added.failures.map(({ name }) => name));
      // The speakers are beside the result, as other corrections.
      if (added.speakers) failed.add(diarizationAddon.name);
      const made = laterAddonsOf(job.params).flatMap(({ name }) => (failed.has(name) ? [] : [name]));
      const former = { request: current.request_params, params: source.params };
      // Nothing makes the result of a live session again, and its request has other places for add-ons.
      const params = source.row.kind === "live" ? current.request_params : jointRequest(former, job.params, made);
      const isDivided = hasSpeakers && !failed.has(diarizationAddon.name);
      await changeResult(transaction, id, { resultKey: key, resultHash: added.hash, params, isDivided });
      // A reader may have found it just before.
      await planWithTombstones(transaction, objects, [{ key: replaced, isFolder: false }], RUNNING_WORK_SECONDS);
    }
    if (added.speakers) {
      const correction = { id: job.id, jobId: id, madeBy: madeBy(job.params), change: added.speakers, resultKey: key };
      // The other add-ons of the request were made with these speakers: they are not older.
      await insertCorrectionIn(transaction, correction, readAt);
    }
    const stageOutputs = { ...outputs, add: { attempt: job.hold.attempt, failures: added.failures } };
    const isHeld = await finishStage(transaction, job.hold, {
      stageOutputs,
      nextStage: "add",
      progress: 1,
      restSeconds: 0,
    });
    context.requireHeld(isHeld);
    return true;
  });
}

/** What an attempt stored that ended before its job did. */
async function storedBefore({ job, services }: StageContext): Promise<Output | undefined> {
  const row = await findAttempt(services.database, job.id);
  return (row?.stage_outputs as StageOutputs | undefined)?.add;
}

/** @throws add_ons.failed */
function settled({ failures }: Output): Output {
  if (failures.length === 0) return { failures };
  const reasons = [...new Set(failures.map(({ reason }) => reason))].join("; ");
  throw errors.addOnsFailed(
    failures.map(({ name }) => name),
    reasons,
  );
}

export const addStage: Stage<"add"> = {
  name: "add",
  cost: addOnCost,
  /** @throws add_ons.failed if some add-ons failed; the result has the others. add_ons.outdated, add_ons.speakers_corrected */
  async run(context) {
    const before = await storedBefore(context);
    if (before) return settled(before);
    for (let round = 1; round <= MOST_ROUNDS; round++) {
      context.signal.throwIfAborted();
      const made = await make(context);
      if (await store(context, made)) return settled({ failures: made.added.failures });
    }
    throw errors.addOnsOutdated();
  },
};
