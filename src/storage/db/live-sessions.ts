// The tokens of live sessions, and the sessions that have not ended.

import { hashKey } from "./accounts.ts";
import type { Database } from "./database.ts";
import type { JobRow } from "./jobs.ts";

export async function insertToken(database: Database, id: string, token: string): Promise<void> {
  await database
    .insertInto("live_sessions")
    .values({ id, token_hash: hashKey(token) })
    .execute();
}

/** The job that a token opens. */
export async function jobOfToken(database: Database, token: string): Promise<JobRow | undefined> {
  return database
    .selectFrom("live_sessions")
    .innerJoin("jobs", "jobs.id", "live_sessions.id")
    .selectAll("jobs")
    .where("live_sessions.token_hash", "=", hashKey(token))
    .executeTakeFirst();
}

/**
 * Makes a session this machine's, unless another one has it.
 * @returns whether it is
 */
export async function ownSession(database: Database, id: string, machine: string): Promise<boolean> {
  const row = await database
    .updateTable("live_sessions")
    .set({ owner: machine })
    .where("id", "=", id)
    .where((where) => where.or([where("owner", "is", null), where("owner", "=", machine)]))
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Who has a session, as far as the database is told. @param machine  null for nobody */
export async function noteOwner(database: Database, id: string, machine: string | null): Promise<void> {
  await database.updateTable("live_sessions").set({ owner: machine }).where("id", "=", id).execute();
}

function activeSessions(database: Database) {
  return database
    .selectFrom("jobs")
    .innerJoin("live_sessions", "live_sessions.id", "jobs.id")
    .select("jobs.id")
    .where("kind", "=", "live")
    .where("status", "=", "processing");
}

/** Sessions that have begun and not ended: of this machine, and of nobody. */
export async function sessionsOf(database: Database, machine: string): Promise<string[]> {
  const rows = await activeSessions(database)
    .where((where) => where.or([where("owner", "is", null), where("owner", "=", machine)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Sessions that have begun and not ended, and that none of these machines has. */
export async function sessionsWithout(database: Database, machines: string[]): Promise<string[]> {
  const rows = await activeSessions(database)
    .where((where) =>
      machines.length === 0
        ? where.val(true)
        : where.or([where("owner", "is", null), where("owner", "not in", machines)]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Sessions of an account that have begun and not ended. */
export async function countLive(database: Database, accountId: string): Promise<number> {
  const row = await database
    .selectFrom("jobs")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .where("kind", "=", "live")
    .where("status", "=", "processing")
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Sessions created before `before` that nobody has connected to. */
export async function unusedSessions(database: Database, before: Date): Promise<string[]> {
  const rows = await database
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", "live")
    .where("status", "=", "queued")
    .where("created_at", "<", before)
    .execute();
  return rows.map(({ id }) => id);
}
