// Accounts do not hold up each other. Jobs whose recording is still to be fetched are claimed apart from those that have
// theirs: each kind has indexes of its own, so that thousands of one kind do not slow down the claim of the other. Lanes of
// callbacks know their account, so that one account does not take all places of the sender.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, file] of [
    ["ready", "not null"],
    ["to_fetch", "null"],
  ] as const) {
    const waits = `status = 'queued' and kind = 'pre-recorded' and file_id is ${file}`;
    await sql`create index ${sql.raw(`jobs_${name}`)} on jobs (account_id, created_at, id) where ${sql.raw(waits)}`.execute(
      db,
    );
    await sql`create index ${sql.raw(`jobs_${name}_by_age`)} on jobs (created_at, id) where ${sql.raw(waits)}`.execute(
      db,
    );
  }
  await sql`drop index jobs_waiting`.execute(db);
  // Null in lanes that an older version exported.
  await db.schema.alterTable("delivery_lanes").addColumn("account_id", "uuid").execute();
  await sql`update delivery_lanes set account_id = jobs.account_id from jobs where jobs.id = delivery_lanes.job_id`.execute(
    db,
  );
}
