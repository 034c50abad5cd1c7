// Corrections of transcripts, in the order in which they were made. An undone correction stays, with the time of its undoing.
import { type Selectable, sql } from "kysely";
import type { Correction, PrintedCorrection, TranscriptChange } from "../../../../contract/transcript/correction.ts";
import { errors } from "../../../errors.ts";
import type { Database } from "../database.ts";
import { addSeconds, type DatabaseTime } from "../database-time.ts";
import type { CorrectionsTable } from "../schema.ts";
import { charactersOf, sizedBatches } from "../sized-batches.ts";
import { inTransaction } from "../transaction.ts";
import { markUnsearchable } from "./job-texts.ts";
import { lockJob } from "./lock-job.ts";

export interface NewCorrection {
  id: string;
  jobId: string;
  madeBy: string;
  change: TranscriptChange;
  /** Of the result that the change was checked against. */
  resultKey: string | null;
  /** Version of the transcript for which the change was made; without it, any. */
  version?: number | undefined;
}

export interface StoredCorrection {
  correction: Correction;
  /** Version of the transcript with it. */
  version: number;
}

/** Bound for one job, undone corrections included: every read of its transcript reads all of them. */
const MOST_CORRECTIONS = 10_000;
const MOST_CORRECTION_CHARACTERS = 20_000_000;

interface Stored {
  count: number;
  characters: number;
  version: number;
  newest: Date | undefined;
}

async function stored(database: Database, jobId: string): Promise<Stored> {
  const { count, undone, divisions, characters, newest } = await database
    .selectFrom("corrections")
    .select((select) => [
      select.selectFrom("jobs").select("divisions").where("id", "=", jobId).as("divisions"),
      select.fn.countAll<string>().as("count"),
      select.fn.count<string>("undone_at").as("undone"),
      select.fn.max("created_at").as("newest"),
      sql<string>`coalesce(sum(length(change::text)), 0)`.as("characters"),
    ])
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow();
  return {
    count: Number(count),
    characters: Number(characters),
    version: Number(divisions) + Number(count) + Number(undone),
    newest: newest ?? undefined,
  };
}

/** @throws correction.outdated */
function checkVersion(expected: number | undefined, { version }: Stored): void {
  if (expected !== undefined && expected !== version) throw errors.transcriptChanged(expected, version);
}

/** @throws correction.outdated */
export async function checkTranscriptVersion(database: Database, jobId: string, expected: number): Promise<void> {
  checkVersion(expected, await stored(database, jobId));
}

const headOf = (row: Omit<Selectable<CorrectionsTable>, "change">) => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  made_by: row.made_by,
});

const undoingOf = (row: Pick<Selectable<CorrectionsTable>, "undone_at" | "undone_by">) => ({
  undone_at: row.undone_at?.toISOString() ?? null,
  undone_by: row.undone_by,
});

const asCorrection = (row: Selectable<CorrectionsTable>): Correction => ({
  ...headOf(row),
  ...row.change,
  ...undoingOf(row),
});

/** In the order in which they were made. A process that applies them parses them. */
export async function printedCorrections(database: Database, jobId: string): Promise<PrintedCorrection[]> {
  const rows = await database
    .selectFrom("corrections")
    .select(["id", "job_id", "created_at", "made_by", "undone_at", "undone_by", sql<string>`change::text`.as("change")])
    .where("job_id", "=", jobId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...headOf(row), change: row.change, ...undoingOf(row) }));
}

/** In the order in which they were made, read a few at a time. */
export async function* eachCorrection(database: Database, jobId: string): AsyncGenerator<Correction> {
  const sizes = await database
    .selectFrom("corrections")
    .select(["id", charactersOf("change").as("characters")])
    .where("job_id", "=", jobId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const batch of sizedBatches(sizes)) {
    const rows = await database
      .selectFrom("corrections")
      .selectAll()
      .where(
        "id",
        "in",
        batch.map(({ id }) => id),
      )
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    for (const row of rows) yield asCorrection(row);
  }
}

/** See `versionOf`. */
export async function correctionVersion(database: Database, jobId: string): Promise<number> {
  const { count, undone } = await database
    .selectFrom("corrections")
    .select((select) => [select.fn.countAll<string>().as("count"), select.fn.count<string>("undone_at").as("undone")])
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow();
  return Number(count) + Number(undone);
}

/** @throws as insertCorrection */
export async function insertCorrectionIn(
  transaction: Database,
  { id, jobId, madeBy, change, resultKey, version }: NewCorrection,
  now: DatabaseTime,
): Promise<StoredCorrection> {
  const changeText = JSON.stringify(change);
  if ((await lockJob(transaction, jobId)) !== resultKey) throw errors.resultRemade();
  const before = await stored(transaction, jobId);
  checkVersion(version, before);
  if (before.count >= MOST_CORRECTIONS || before.characters + changeText.length > MOST_CORRECTION_CHARACTERS) {
    throw errors.tooManyCorrections(MOST_CORRECTIONS, MOST_CORRECTION_CHARACTERS);
  }
  // Corrections are applied in the order of these times, also if the clocks of two machines differ.
  const createdAt = addSeconds(now, Math.max(0, ((before.newest?.getTime() ?? 0) + 1 - now.getTime()) / 1000));
  const row = await transaction
    .insertInto("corrections")
    .values({
      id,
      job_id: jobId,
      created_at: createdAt,
      made_by: madeBy,
      change: changeText,
      undone_at: null,
      undone_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await markUnsearchable(transaction, jobId);
  return { correction: asCorrection(row), version: before.version + 1 };
}

/** @throws limit.corrections, correction.outdated, job.result_remade, request.not_found */
export async function insertCorrection(
  database: Database,
  correction: NewCorrection,
  now: DatabaseTime,
): Promise<StoredCorrection> {
  return inTransaction(database, (transaction) => insertCorrectionIn(transaction, correction, now));
}

/**
 * @returns undefined if the id does not exist, or the correction was undone before
 * @throws correction.outdated, request.not_found
 */
export async function undoCorrection(
  database: Database,
  { id, jobId, undoneBy, version }: { id: string; jobId: string; undoneBy: string; version?: number | undefined },
  now: DatabaseTime,
): Promise<StoredCorrection | undefined> {
  return inTransaction(database, async (transaction) => {
    await lockJob(transaction, jobId);
    const before = await stored(transaction, jobId);
    checkVersion(version, before);
    const row = await transaction
      .updateTable("corrections")
      .set({ undone_at: now, undone_by: undoneBy })
      .where("id", "=", id)
      .where("job_id", "=", jobId)
      .where("undone_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return undefined;
    await markUnsearchable(transaction, jobId);
    return { correction: asCorrection(row), version: before.version + 1 };
  });
}
