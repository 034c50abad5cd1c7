// Takes over what earlier attempts of a job left: valid outputs of their stages, which stay in the folders of those attempts, and
// the finished entries of a stage that was interrupted, which are copied. An earlier attempt that still runs changes neither.
import { Readable } from "node:stream";
import { printJsonLine, readJsonLinesOf } from "../../../platform/storage/json-lines.ts";
import { inPieces } from "../../../platform/storage/json-pieces.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import { unlessShort } from "../../../platform/system-shortage.ts";
import { dropForeignWords } from "./foreign-speech.ts";
import { keptOutputs } from "./kept-outputs.ts";
import type { StageJob, StageName, StageOutputs } from "./stage.ts";
import { attemptFolder, WorkFiles, workFolder } from "./work-files.ts";

type KeyOf = (files: WorkFiles) => string;
const plan: KeyOf = (files) => files.plan;
/** Logs of stages that resume within the stage. */
const LOGS: readonly { stage: StageName; key: KeyOf }[] = [
  { stage: "recognize", key: (files) => files.detectedLanguages },
  { stage: "recognize", key: (files) => files.recognized },
  { stage: "recognize", key: plan },
  { stage: "translate", key: (files) => files.translated },
];

async function entriesOf(key: string, objects: ObjectStore): Promise<object[]> {
  if ((await objects.size(key)) === undefined) return [];
  return readJsonLinesOf<object>(await objects.localPath(key)).catch(unlessShort([]));
}

function* printed(entries: readonly object[]): Generator<string> {
  for (const entry of entries) yield printJsonLine(entry);
}

/** @param attempts  from the last one on; undefined for a version without attempts */
async function copyLogs(
  { id, hold }: Pick<StageJob, "id" | "hold">,
  outputs: StageOutputs,
  attempts: readonly (number | undefined)[],
  objects: ObjectStore,
): Promise<void> {
  const own = WorkFiles.of(id, hold.attempt, outputs);
  const entriesIn = (attempt: number | undefined, key: KeyOf) =>
    entriesOf(key(WorkFiles.ofAttempt(id, attempt)), objects);
  let planned: number | undefined;
  for (const attempt of attempts) {
    if (planned === undefined && (await entriesIn(attempt, plan)).length > 0) planned = attempt;
  }
  for (const { stage, key } of LOGS) {
    if (outputs[stage]) continue;
    // What was recognised belongs to the plan of the same attempt.
    const candidates = stage === "recognize" && planned !== undefined ? [planned] : attempts;
    for (const attempt of candidates) {
      const entries = await entriesIn(attempt, key);
      if (entries.length === 0) continue;
      await objects.write(key(own), Readable.from(inPieces(printed(entries))));
      break;
    }
  }
}

/**
 * @param stored   outputs in the row, possibly malformed
 * @param outputs  receives those of the stages that need not run again
 * @returns the stage whose output is damaged or missing, if there is one
 */
export async function resumeFromEarlier(
  job: Pick<StageJob, "id" | "hold" | "model">,
  stored: unknown,
  outputs: StageOutputs,
  objects: ObjectStore,
): Promise<StageName | undefined> {
  const { id, hold, model } = job;
  const folder = workFolder(id);
  await objects.takeOver(folder);
  const kept = await keptOutputs(id, stored, objects);
  Object.assign(outputs, kept.outputs);
  const isDropped = await dropForeignWords(model, outputs, WorkFiles.of(id, hold.attempt, outputs), objects);
  const attempts = (await objects.foldersIn(folder))
    .map(Number)
    .filter((attempt) => Number.isSafeInteger(attempt) && attempt < hold.attempt)
    .toSorted((left, right) => right - left);
  if (!isDropped) await copyLogs(job, outputs, [...attempts, undefined], objects);
  // Decoded samples are large: what no output refers to is removed before the next ones are written.
  const used = new Set(Object.values(outputs).map((output) => (output as { attempt?: number }).attempt));
  for (const attempt of attempts) if (!used.has(attempt)) await objects.removeFolder(attemptFolder(id, attempt));
  return kept.damaged;
}
