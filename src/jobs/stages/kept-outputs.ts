// Validates the stage outputs of an interrupted job before it resumes: a stage with missing or damaged files, and all
// later stages, run again. Appended files validate their own lines (storage/json-lines.ts).
import { readFile, stat } from "node:fs/promises";
import { hashOf } from "../../storage/content-hash.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { ObjectStore } from "../../storage/objects/object-store.ts";
import { STAGES } from "./all.ts";
import {
  channelKey,
  recognizedKey,
  type StageName,
  type StageOutputs,
  segmentsKey,
  translatedKey,
  voicesKey,
} from "./stage.ts";

type Check<Name extends StageName> = (
  output: NonNullable<StageOutputs[Name]>,
  file: (key: string) => Promise<string>,
  jobId: string,
) => Promise<boolean>;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

async function hasLines(file: string, count: number): Promise<boolean> {
  if (!isCount(count)) return false;
  return count === 0 || parseJsonLines(await readFile(file, "utf8")).length >= count;
}

const CHECKS: { [Name in StageName]: Check<Name> } = {
  fetch: async ({ fileId, objectKey }, file) =>
    typeof fileId === "string" && typeof objectKey === "string" && (await stat(await file(objectKey))).isFile(),
  decode: async ({ durationSeconds, distinctChannels, bytes }, file, jobId) => {
    if (!Number.isFinite(durationSeconds) || !Array.isArray(distinctChannels)) return false;
    for (const channel of distinctChannels) {
      const found = await stat(await file(channelKey(jobId, channel)));
      if (!found.isFile() || (bytes !== undefined && found.size !== bytes)) return false;
    }
    return distinctChannels.length > 0;
  },
  segment: async ({ segmentCount, hash }, file, jobId) => {
    if (!isCount(segmentCount)) return false;
    const content = await readFile(await file(segmentsKey(jobId)), "utf8");
    return hash === undefined || hash === hashOf(content);
  },
  recognize: async ({ recognizedCount }, file, jobId) => hasLines(await file(recognizedKey(jobId)), recognizedCount),
  translate: async ({ segments }, file, jobId) => hasLines(await file(translatedKey(jobId)), segments),
  speakers: async ({ pieces }, file, jobId) => hasLines(await file(voicesKey(jobId)), pieces),
  // Followed by the end of the job, so its output is never reused.
  assemble: async () => false,
};

/**
 * @param outputs  from the job's row, possibly malformed
 * @returns outputs of the stages before the first one that must run again, and the name of that stage if it had an
 *   output
 */
export async function keptOutputs(
  jobId: string,
  outputs: unknown,
  objects: Pick<ObjectStore, "localPath">,
): Promise<{ outputs: StageOutputs; damaged?: StageName }> {
  const given = (typeof outputs === "object" && outputs !== null ? outputs : {}) as StageOutputs;
  const kept: StageOutputs = {};
  for (const { name } of STAGES) {
    const output = given[name];
    if (output === undefined || output === null) return { outputs: kept };
    const check = CHECKS[name] as Check<StageName>;
    const isWhole = await check(output, (key) => objects.localPath(key), jobId).catch(() => false);
    if (!isWhole) return { outputs: kept, damaged: name };
    Object.assign(kept, { [name]: output });
  }
  return { outputs: kept };
}
