// Rows of the library of voices. Names and voice prints arrive sealed; src/service/voices seals and opens them.
import type { Insertable, Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { DatabaseTime } from "./database-time.ts";
import type { JobVoicesTable, VoiceSamplesTable, VoicesTable } from "./schema.ts";

export type VoiceRow = Selectable<VoicesTable>;
export type SampleRow = Selectable<VoiceSamplesTable>;
export type NewSample = Insertable<VoiceSamplesTable>;

/** When the library of an account was turned on; undefined while it is off. */
export async function libraryOnSince(database: Database, accountId: string): Promise<Date | undefined> {
  const row = await database
    .selectFrom("accounts")
    .select("voices_since")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.voices_since ?? undefined;
}

/** @param since  null turns the library off */
export async function setLibrary(database: Database, accountId: string, since: DatabaseTime | null): Promise<void> {
  await database.updateTable("accounts").set({ voices_since: since }).where("id", "=", accountId).execute();
}

/** Keeps a job until the transaction ends. @returns false if it is not a job of this account, or was deleted */
export async function lockJob(transaction: Database, accountId: string, jobId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("jobs")
    .select("id")
    .where("id", "=", jobId)
    .where("account_id", "=", accountId)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Oldest first. @param accountId  undefined for the voices of all accounts */
export async function voiceRows(database: Database, accountId: string | undefined): Promise<VoiceRow[]> {
  let query = database.selectFrom("voices").selectAll();
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  return query.orderBy("created_at").orderBy("id").execute();
}

/** Samples of all voices of an account, oldest first. */
export async function sampleRows(database: Database, accountId: string | undefined): Promise<SampleRow[]> {
  let query = database
    .selectFrom("voice_samples")
    .innerJoin("voices", "voices.id", "voice_samples.voice_id")
    .selectAll("voice_samples");
  if (accountId !== undefined) query = query.where("voices.account_id", "=", accountId);
  return query.orderBy("voice_samples.created_at").orderBy("voice_samples.id").execute();
}

export async function insertVoice(database: Database, row: VoiceRow): Promise<void> {
  await database.insertInto("voices").values(row).execute();
}

export async function insertSample(database: Database, row: NewSample): Promise<void> {
  await database.insertInto("voice_samples").values(row).execute();
}

export async function setVoiceName(database: Database, id: string, name: string): Promise<void> {
  await database.updateTable("voices").set({ name }).where("id", "=", id).execute();
}

/** Changes the name unless it has changed since it was read. */
export async function replaceVoiceName(database: Database, id: string, former: string, name: string): Promise<void> {
  await database.updateTable("voices").set({ name }).where("id", "=", id).where("name", "=", former).execute();
}

/** Likewise for the print of a sample. */
export async function replaceSamplePrint(database: Database, id: string, former: string, print: string): Promise<void> {
  await database.updateTable("voice_samples").set({ print }).where("id", "=", id).where("print", "=", former).execute();
}

/** Its samples, and its names in results, go with it. @returns false if it is not a voice of this account */
export async function deleteVoice(database: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom("voices")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteVoices(database: Database, accountId: string): Promise<void> {
  await database.deleteFrom("voices").where("account_id", "=", accountId).execute();
}

/** Samples and names in results of one voice become those of another. */
export async function moveVoice(database: Database, from: string, to: string): Promise<void> {
  await database.updateTable("voice_samples").set({ voice_id: to }).where("voice_id", "=", from).execute();
  await database.updateTable("job_voices").set({ voice_id: to }).where("voice_id", "=", from).execute();
}

/** The persons of the speakers of jobs. */
export async function jobVoices(
  database: Database,
  jobIds: readonly string[],
): Promise<(Selectable<JobVoicesTable> & { name: string })[]> {
  return database
    .selectFrom("job_voices")
    .innerJoin("voices", "voices.id", "job_voices.voice_id")
    .selectAll("job_voices")
    .select("voices.name")
    .where("job_id", "in", [...jobIds])
    .orderBy("speaker")
    .execute();
}

/** Sets the person of one speaker of a job. */
export async function setJobVoice(database: Database, row: Insertable<JobVoicesTable>): Promise<void> {
  const { voice_id, confidence } = row;
  await database
    .insertInto("job_voices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["job_id", "speaker"]).doUpdateSet({ voice_id, confidence }))
    .execute();
}

/** Sets the person of a speaker that has none yet. */
export async function addJobVoice(database: Database, row: Insertable<JobVoicesTable>): Promise<void> {
  await database
    .insertInto("job_voices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["job_id", "speaker"]).doNothing())
    .execute();
}

/** Removes the matches of a job. Speakers that a user named have a confidence of 1 and stay. */
export async function clearJobVoices(database: Database, jobId: string): Promise<void> {
  await database.deleteFrom("job_voices").where("job_id", "=", jobId).where("confidence", "<", 1).execute();
}
