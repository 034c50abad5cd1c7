// Removes from a bucket what no row of the database names: objects of a process that was killed before it stored the row, and parts of uploads
// that were never completed. One process does it for all.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { addSeconds, type DatabaseTime, databaseTime } from "../../platform/storage/db/database-time.ts";
import { deploymentFact, setOrphanMarks } from "../../platform/storage/db/deployment.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { plannedKeys } from "../../platform/storage/db/files/object-removals.ts";
import { knownUploads } from "../../platform/storage/db/files/uploads.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { keptRows } from "../../platform/storage/db/upkeep/kept-rows.ts";
import type { Leftovers, ObjectStore } from "../../platform/storage/objects/object-store.ts";

const ROUND_MILLISECONDS = 3_600_000;
/** Longer than the pause between rounds. */
const HELD_SECONDS = 7_200;
/** Objects that are older than this are not in use: every job ends earlier. */
const DAY_SECONDS = 86_400;
/** From this many unknown objects on, a bucket in which they are the majority belongs to another database. */
const LEAST_FOR_OTHER_DATABASE = 20;
/** Parts of an upload are in use for longer: a large file over a slow line takes more than a day. */
const UPLOAD_SECONDS = 7 * DAY_SECONDS;
/** The id of the file or job: jobs/ID/ATTEMPT/NAME, audio/ID.ATTEMPT, results/ID.ATTEMPT.json, results/ID.ADDONS.ATTEMPT.json, peaks/ID/track-N.json, uploads/ID/START.WRITER. */
const ID = /^[a-z]+\/([0-9a-f-]{36})(?=[./]|$)/;

interface OrphanServices {
  database: Database;
  objects: ObjectStore;
  duties: Pick<Duties, "holds">;
  logger: Logger;
}

/** Objects of a page that no row names. */
async function unknownKeys(database: Database, keys: readonly string[]): Promise<string[]> {
  const idOf = (key: string) => ID.exec(key)?.[1];
  const own = keys.filter((key) => isUuid(idOf(key) ?? ""));
  const ids = [...new Set(own.map((key) => idOf(key) as string))];
  const { files, results, unfinished } = await keptRows(database, ids);
  // The removal of these comes later.
  const planned = await plannedKeys(database, own);
  const uploads = await knownUploads(database, ids);
  const named = new Set([...files.values(), ...results.values()]);
  return own.filter((key) => {
    const id = idOf(key) as string;
    if (planned.has(key) || named.has(key)) return false;
    if (key.startsWith("jobs/")) return !unfinished.has(id);
    if (key.startsWith("peaks/")) return !files.has(id);
    if (key.startsWith("uploads/")) return !uploads.has(id);
    // The row of a result that is being stored does not name it yet; objects of other attempts are removed by their jobs.
    return key.startsWith("results/") ? !results.has(id) : !files.has(id) && !results.has(id);
  });
}

/** "copy": the database lacks rows of later objects. "unproven": it may belong to another bucket. */
type Knowledge = "proven" | "unproven" | "copy";

/**
 * A restored backup or a copy of a database lacks the rows of later objects, and they would all be taken for orphans. Each round therefore
 * changes a mark in the bucket, which the database names: a copy names an earlier one. Earlier versions marked the bucket before they judged
 * it: their fact, orphan_round, proves nothing.
 */
async function knowledgeOf(database: Database, mark: string | undefined): Promise<Knowledge> {
  if (mark === undefined) return "unproven";
  const names = async (fact: "orphan_proven" | "orphan_round") =>
    (await deploymentFact(database, fact))?.split(" ").includes(mark) === true;
  if (await names("orphan_proven")) return "proven";
  return (await names("orphan_round")) ? "unproven" : "copy";
}

async function changeMark(database: Database, leftovers: Leftovers, mark: string | undefined): Promise<void> {
  const next = randomUUID();
  // The present one, too: this process may end before the mark is written.
  await setOrphanMarks(database, mark === undefined ? [next] : [mark, next]);
  await leftovers.setMark(next);
}

/**
 * @param now     time of the database. Objects of the last day may be in use
 * @param signal  ends the round before the next page or removal
 * @throws the reason of the signal
 */
export async function removeOrphans(
  { database, objects, logger }: OrphanServices,
  now: DatabaseTime,
  signal?: AbortSignal,
): Promise<void> {
  const { leftovers } = objects;
  if (!leftovers) return;
  const mark = await leftovers.mark();
  const knowledge = await knowledgeOf(database, mark);
  if (knowledge === "copy") {
    logger.error(
      "the database is a copy, or older than the bucket: objects without a row are not removed. If it is the right database, run parlance store adopt",
    );
    return;
  }
  const isProven = knowledge === "proven";
  if (isProven) await changeMark(database, leftovers, mark);
  const before = addSeconds(now, -DAY_SECONDS);
  const uploads = await leftovers.endUploadsBefore(addSeconds(now, -UPLOAD_SECONDS), signal).catch((error: unknown) => {
    logger.warn({ err: error }, "unfinished uploads of the bucket could not be ended");
    return 0;
  });
  let known = 0;
  const unknown: string[] = [];
  for (const folder of ["audio", "results", "peaks", "uploads"]) {
    for await (const keys of leftovers.keysBefore(before, folder)) {
      signal?.throwIfAborted();
      const some = await unknownKeys(database, keys);
      known += keys.length - some.length;
      unknown.push(...some);
    }
  }
  // An ended job keeps its row but not its working files. Their number is therefore no sign of a wrong database.
  const working: string[] = [];
  for await (const keys of leftovers.keysBefore(before, "jobs")) {
    signal?.throwIfAborted();
    working.push(...(await unknownKeys(database, keys)));
  }
  // A proven database is the right one, even if it has few rows.
  const isSuspicious = unknown.length > known && (known === 0 || unknown.length >= LEAST_FOR_OTHER_DATABASE);
  if (!isProven && isSuspicious) {
    logger.error(
      { unknown: unknown.length, known },
      "fewer than half of the objects in the bucket have a row in the database; nothing was removed. If it is the right database, run parlance store adopt",
    );
    return;
  }
  if (!isProven) await changeMark(database, leftovers, mark);
  for (const key of [...unknown, ...working]) {
    signal?.throwIfAborted();
    await objects.remove(key);
  }
  const removed = unknown.length + working.length;
  if (uploads + removed > 0)
    logger.info({ uploads, objects: removed }, "unneeded objects and unfinished uploads were removed");
}

/** @returns ends it */
export function startOrphanRemoval(services: OrphanServices): () => Promise<void> {
  const { database, duties, logger } = services;
  const watching = new WatchLoop({
    pauseMilliseconds: ROUND_MILLISECONDS,
    look: async (signal) => {
      if (await duties.holds("orphans", HELD_SECONDS)) await removeOrphans(services, databaseTime(database), signal);
      return false;
    },
    onFailed: (error) =>
      logger.warn(
        { err: error },
        "the bucket could not be searched for objects without a row; the next attempt is in an hour",
      ),
  });
  watching.start();
  return () => watching.stop();
}
