// Stages of recorded jobs in a simulation: as the real ones, they read what earlier stages stored, write files of their attempt, and store
// rows only while the attempt holds the job. The result shows whether another attempt wrote between.
import { errors } from "../../src/platform/errors.ts";
import { sleep } from "../../src/platform/process/sleep.ts";
import { hashOf } from "../../src/platform/storage/content-hash.ts";
import { databaseTime } from "../../src/platform/storage/db/database-time.ts";
import { findFile } from "../../src/platform/storage/db/files/files.ts";
import { setFetchState } from "../../src/platform/storage/db/jobs/held-jobs.ts";
import { attemptResultKey, fetchedKey } from "../../src/platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../src/platform/storage/objects/object-store.ts";
import { storeFetched } from "../../src/service/jobs/stages/fetch.ts";
import type { Pipeline, Stage, StageContext, StageOutputs } from "../../src/service/jobs/stages/stage.ts";
import { attemptFolder, WorkFiles, workFolder } from "../../src/service/jobs/stages/work-files.ts";
import type { PlannedJob } from "./work-schedule.ts";

/** The object store of a simulation. */
export interface TextStore extends ObjectStore {
  /** @throws storage.unavailable, and another error if there is no such object */
  text(key: string): Promise<string>;
}

const LINES = 4;
/** All stages take the same share of a job. */
const COST = { kind: "stage", secondsPerAudioSecond: 0, seconds: 1 };
const SHARE = 0.25;
/** The progress that an attempt writes shows its number. */
const ATTEMPT_STEP = 2 ** -20;
const STEPS = 8;

/** @returns the number of the attempt that wrote the progress; 0 for the beginning of a stage */
export const attemptOfProgress = (progress: number) =>
  Math.round(progress / SHARE / ATTEMPT_STEP) % (1 / STEPS / ATTEMPT_STEP);

export const recordingOf = (jobId: string) => `recording of ${jobId}`;
export const resultOf = (jobId: string) =>
  Array.from({ length: LINES }, (_, line) => `line ${line} of ${recordingOf(jobId)}`).join("\n");

const storeOf = ({ services }: StageContext) => services.objects as TextStore;

/** @param planOf  what a job is to do */
export function pipelineOf(planOf: (jobId: string) => PlannedJob, crash: (jobId: string) => boolean): Pipeline {
  const work = async ({ job, signal }: StageContext, share: number) => {
    await sleep(planOf(job.id).stageMilliseconds * share, signal);
    signal.throwIfAborted();
  };

  const fetch: Stage<"fetch"> = {
    name: "fetch",
    cost: () => COST,
    async run(context) {
      const { job, services, requireHeld } = context;
      const { database, objects } = services;
      if (job.fileId) {
        const file = await findFile(database, job.fileId);
        if (!file) throw errors.unknownFile();
        return { fileId: file.id, objectKey: file.object_key };
      }
      requireHeld(await setFetchState(database, job.hold, { attempts: 1 }));
      await work(context, 1);
      if (crash(job.id)) throw errors.processDied("decoder", "was killed");
      const key = fetchedKey(job.id, job.hold.attempt);
      await objects.put(key, recordingOf(job.id));
      await storeFetched(context, key, async () => ({
        ...{ id: job.id, account_id: job.accountId, filename: "a.wav", source: null, extension: "wav", size: 1 },
        ...{ object_key: key, created_at: databaseTime(database) },
      }));
      return { fileId: job.id, objectKey: key };
    },
  };

  const decode: Stage<"decode"> = {
    name: "decode",
    cost: () => COST,
    async run(context) {
      const { outputs, files } = context;
      const recording = await storeOf(context).text(outputs.fetch?.objectKey ?? "");
      await work(context, 1);
      await storeOf(context).put(files.channel(0), recording);
      return { durationSeconds: 1, distinctChannels: [0] };
    },
  };

  const recognize: Stage<"recognize"> = {
    name: "recognize",
    cost: () => COST,
    keepsProgress: true,
    async run(context) {
      const { job, files, progress } = context;
      const store = storeOf(context);
      const recording = await store.text(files.channel(0));
      const lines: string[] = [];
      for (let line = 0; line < LINES; line++) {
        await work(context, 1 / LINES);
        // Added to what is in the file, as a log is.
        if (line > 0) lines.splice(0, lines.length, ...(await store.text(files.recognized)).split("\n"));
        lines.push(`line ${line} of ${recording}`);
        await store.put(files.recognized, lines.join("\n"));
        progress(line / STEPS + job.hold.attempt * ATTEMPT_STEP);
      }
      return { recognizedCount: LINES };
    },
  };

  const assemble: Stage<"assemble"> = {
    name: "assemble",
    cost: () => COST,
    async run(context) {
      const { job, files } = context;
      const store = storeOf(context);
      const result = await store.text(files.recognized);
      await work(context, 0.3);
      const key = attemptResultKey(job.id, job.hold.attempt);
      await store.put(key, result);
      return { resultKey: key, resultHash: hashOf(result) };
    },
  };

  // Without a report, the time of a stage counts as its progress.
  const marked = (stage: Stage): Stage => ({
    ...stage,
    run(context) {
      context.progress(context.job.hold.attempt * ATTEMPT_STEP);
      return stage.run(context);
    },
  });
  const stages = ([fetch, decode, recognize, assemble] as unknown as Stage[]).map(marked);
  return {
    stagesOf: () => stages,
    resume: (job, stored, outputs, objects) => resumeFrom(stages, job, stored, outputs, objects),
  };
}

/** As resumeFromEarlier, which reads files. */
async function resumeFrom(
  stages: readonly Stage[],
  { id, hold }: Parameters<Pipeline["resume"]>[0],
  stored: unknown,
  outputs: StageOutputs,
  objects: ObjectStore,
): ReturnType<Pipeline["resume"]> {
  const given = (stored ?? {}) as StageOutputs;
  await objects.takeOver(workFolder(id));
  const keyOf = {
    fetch: () => given.fetch?.objectKey ?? "",
    decode: () => WorkFiles.ofAttempt(id, given.decode?.attempt).channel(0),
    recognize: () => WorkFiles.ofAttempt(id, given.recognize?.attempt).recognized,
  };
  for (const { name } of stages) {
    const key = keyOf[name as keyof typeof keyOf];
    if (!given[name] || !key) break;
    if ((await objects.size(key())) === undefined) return name;
    Object.assign(outputs, { [name]: given[name] });
  }
  const used = new Set(Object.values(outputs).map((output) => (output as { attempt?: number }).attempt));
  const attempts = (await objects.foldersIn(workFolder(id))).map(Number).filter((attempt) => attempt < hold.attempt);
  for (const attempt of attempts) if (!used.has(attempt)) await objects.removeFolder(attemptFolder(id, attempt));
  return undefined;
}
