// Corrections of transcripts, in the order in which they were made. One that is undone stays, marked.
import { type Selectable, sql } from "kysely";
import { errors } from "../../errors.ts";
import type { Correction, TranscriptChange } from "../../transcript/correction.ts";
import type { Database } from "./database.ts";
import { markUnsearchable } from "./job-texts.ts";
import type { CorrectionsTable } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

export interface NewCorrection {
  id: string;
  jobId: string;
  madeBy: string;
  change: TranscriptChange;
}

/** Of one job, undone ones included: all of them are read whenever its transcript is. */
const MOST_CORRECTIONS = 10_000;
const MOST_CORRECTION_CHARACTERS = 20_000_000;

async function hasRoom(database: Database, jobId: string, change: string): Promise<boolean> {
  const { count, characters } = await database
    .selectFrom("corrections")
    .select((select) => [
      select.fn.countAll<string>().as("count"),
      sql<string>`coalesce(sum(length(change::text)), 0)`.as("characters"),
    ])
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow();
  return Number(count) < MOST_CORRECTIONS && Number(characters) + change.length <= MOST_CORRECTION_CHARACTERS;
}

const asCorrection = (row: Selectable<CorrectionsTable>): Correction => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  made_by: row.made_by,
  ...row.change,
  undone_at: row.undone_at?.toISOString() ?? null,
  undone_by: row.undone_by,
});

export async function listCorrections(database: Database, jobId: string): Promise<Correction[]> {
  return (await correctionsOfJobs(database, [jobId])).get(jobId) ?? [];
}

/** @returns by job, those of each that has any */
export async function correctionsOfJobs(
  database: Database,
  jobIds: readonly string[],
): Promise<Map<string, Correction[]>> {
  const corrections = new Map<string, Correction[]>();
  if (jobIds.length === 0) return corrections;
  const rows = await database
    .selectFrom("corrections")
    .selectAll()
    .where("job_id", "in", [...jobIds])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const row of rows) {
    const ofJob = corrections.get(row.job_id) ?? [];
    ofJob.push(asCorrection(row));
    corrections.set(row.job_id, ofJob);
  }
  return corrections;
}

/** @throws limit.corrections */
export async function insertCorrection(
  database: Database,
  { id, jobId, madeBy, change }: NewCorrection,
  now: Date,
): Promise<Correction> {
  const changeText = JSON.stringify(change);
  return inTransaction(database, async (transaction) => {
    if (!(await hasRoom(transaction, jobId, changeText))) {
      throw errors.tooManyCorrections(MOST_CORRECTIONS, MOST_CORRECTION_CHARACTERS);
    }
    const row = await transaction
      .insertInto("corrections")
      .values({
        id,
        job_id: jobId,
        created_at: now,
        made_by: madeBy,
        change: changeText,
        undone_at: null,
        undone_by: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await markUnsearchable(transaction, jobId);
    return asCorrection(row);
  });
}

/** @returns undefined if the id does not exist, or the correction was undone before */
export async function undoCorrection(
  database: Database,
  { id, jobId, undoneBy }: { id: string; jobId: string; undoneBy: string },
  now: Date,
): Promise<Correction | undefined> {
  return inTransaction(database, async (transaction) => {
    const row = await transaction
      .updateTable("corrections")
      .set({ undone_at: now, undone_by: undoneBy })
      .where("id", "=", id)
      .where("job_id", "=", jobId)
      .where("undone_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (row) await markUnsearchable(transaction, jobId);
    return row && asCorrection(row);
  });
}
