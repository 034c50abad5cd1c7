// Validates the stage outputs of an interrupted job before it resumes: a stage with missing or damaged files, and all
// later stages, run again. Appended files validate their own lines (platform/storage/json-lines.ts).
import { readFile, stat } from "node:fs/promises";
import { hashOf } from "../../../platform/storage/content-hash.ts";
import { readJsonLinesOf } from "../../../platform/storage/json-lines.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { STAGES } from "./all.ts";
import type { StageName, StageOutputs } from "./stage.ts";
import { WorkFiles } from "./work-files.ts";

type Check<Name extends StageName> = (
  output: NonNullable<StageOutputs[Name]>,
  file: (key: string) => Promise<string>,
  files: WorkFiles,
) => Promise<boolean>;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

async function hasLines(file: string, count: number): Promise<boolean> {
  if (!isCount(count)) return false;
  return count === 0 || (await readJsonLinesOf(file)).length >= count;
}

const CHECKS: { [Name in StageName]: Check<Name> } = {
  fetch: async ({ fileId, objectKey }, file) =>
    typeof fileId === "string" && typeof objectKey === "string" && (await stat(await file(objectKey))).isFile(),
  decode: async ({ durationSeconds, distinctChannels, bytes }, file, files) => {
    if (!Number.isFinite(durationSeconds) || !Array.isArray(distinctChannels)) return false;
    for (const channel of distinctChannels) {
      const found = await stat(await file(files.channel(channel)));
      if (!found.isFile() || (bytes !== undefined && found.size !== bytes)) return false;
    }
    return distinctChannels.length > 0;
  },
  segment: async ({ segmentCount, hash }, file, files) => {
    if (!isCount(segmentCount)) return false;
    const content = await readFile(await file(files.segments), "utf8");
    return hash === undefined || hash === hashOf(content);
  },
  recognize: async ({ recognizedCount }, file, files) => hasLines(await file(files.recognized), recognizedCount),
  translate: async ({ segments }, file, files) => hasLines(await file(files.translated), segments),
  speakers: async ({ pieces }, file, files) => hasLines(await file(files.voices), pieces),
  // Followed by the end of the job, so its output is never reused.
  assemble: async () => false,
  add: async () => false,
};

/**
 * @param outputs  from the job's row, possibly malformed
 * @returns outputs of the stages before the first one that must run again, and the name of that stage if it had an
 *   output
 * @throws an error that passes: it says nothing about the files
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
    const { attempt } = output as { attempt?: unknown };
    if (attempt !== undefined && !isCount(attempt)) return { outputs: kept, damaged: name };
    const files = WorkFiles.ofAttempt(jobId, attempt);
    const isWhole = await check(output, (key) => objects.localPath(key), files).catch((error: unknown) => {
      if (mustWait(error)) throw error;
      return false;
    });
    if (!isWhole) return { outputs: kept, damaged: name };
    Object.assign(kept, { [name]: output });
  }
  return { outputs: kept };
}
