// Live sessions: their tokens, those that have not ended, and the end of those with a source.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { hashKey } from "../accounts/accounts.ts";
import type { Database } from "../database.ts";
import { fromStatement } from "../database-time.ts";
import { isUuid } from "../ids.ts";
import type { JobStatus } from "../schema.ts";
import { newToken } from "../tokens.ts";
import type { JobRow } from "./jobs.ts";

export interface SessionTokens {
  /** Opens the session. */
  token: string;
  /** Reads its captions; undefined without viewers. */
  viewerToken?: string;
}

/**
 * @param keyId  of the key that creates the session; null for a key outside of the database
 * @param hasViewers  whether to make a second token, with which viewers read the captions
 */
export async function createTokens(
  database: Database,
  id: string,
  keyId: string | null,
  hasViewers: boolean,
): Promise<SessionTokens> {
  const tokens = { token: newToken(), ...(hasViewers ? { viewerToken: newToken() } : {}) };
  const viewer_hash = tokens.viewerToken === undefined ? null : hashKey(tokens.viewerToken);
  await database
    .insertInto("live_sessions")
    .values({ id, token_hash: hashKey(tokens.token), viewer_hash, key_id: keyId })
    .execute();
  return tokens;
}

/** With `keys` as the left-joined key of the session. */
const IS_REVOKED = sql<boolean>`live_sessions.key_id is not null and (keys.id is null or keys.revoked_at is not null)`;

/** The job that a token opens, and whether the key that made it is revoked. */
export async function jobOfToken(
  database: Database,
  token: string,
): Promise<(JobRow & { is_revoked: boolean }) | undefined> {
  return jobsWithRight(database).where("live_sessions.token_hash", "=", hashKey(token)).executeTakeFirst();
}

/** Id of the key that made a session; null for a key outside of the database, undefined for an unknown session. */
export const keyOfSession = async (database: Database, id: string): Promise<string | null | undefined> =>
  (await database.selectFrom("live_sessions").select("key_id").where("id", "=", id).executeTakeFirst())?.key_id;

/** The job whose captions a token reads, and whether the key that made it is revoked. */
export async function jobOfViewerToken(
  database: Database,
  token: string,
): Promise<(JobRow & { is_revoked: boolean }) | undefined> {
  return jobsWithRight(database).where("live_sessions.viewer_hash", "=", hashKey(token)).executeTakeFirst();
}

function jobsWithRight(database: Database) {
  return database
    .selectFrom("live_sessions")
    .innerJoin("jobs", "jobs.id", "live_sessions.id")
    .leftJoin("api_keys as keys", "keys.id", "live_sessions.key_id")
    .selectAll("jobs")
    .select(IS_REVOKED.as("is_revoked"));
}

/** Why a session must end: its key was revoked; or its job or account was deleted. */
export type LostRight = "revoked" | "deleted";

/**
 * A session whose row in `live_sessions` is lost may continue: only the deletion of its job or its account ends it.
 * @returns those of the given sessions that may not continue
 */
export async function sessionsWithoutRight(
  database: Database,
  ids: readonly string[],
): Promise<{ id: string; why: LostRight }[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("jobs")
    .innerJoin("accounts", "accounts.id", "jobs.account_id")
    .leftJoin("live_sessions", "live_sessions.id", "jobs.id")
    .leftJoin("api_keys as keys", "keys.id", "live_sessions.key_id")
    .select(["jobs.id", "accounts.deleting_at", IS_REVOKED.as("is_revoked")])
    .where("jobs.id", "in", [...ids])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): { id: string; why: LostRight }[] => {
    const row = known.get(id);
    if (!row || row.deleting_at !== null) return [{ id, why: "deleted" }];
    return row.is_revoked ? [{ id, why: "revoked" }] : [];
  });
}

/**
 * Makes a session this machine's, unless another one has it.
 * @param isOnlyMachine  no other machine is on this database: whichever name a row has, the session is this machine's
 * @returns whether it is
 */
export async function ownSession(
  database: Database,
  id: string,
  machine: string,
  isOnlyMachine: boolean,
): Promise<boolean> {
  let update = database.updateTable("live_sessions").set({ owner: machine }).where("id", "=", id);
  if (!isOnlyMachine) {
    update = update.where((where) => where.or([where("owner", "is", null), where("owner", "=", machine)]));
  }
  const row = await update.returning("id").executeTakeFirst();
  if (row || !isOnlyMachine) return row !== undefined;
  return addLostRow(database, id, machine);
}

/**
 * Gives a session whose row in `live_sessions` is lost a new one. Its token is lost with the row, so no client can continue the
 * session; it ends with the audio that it has.
 * @returns false where the session has a row, or its job is deleted
 */
export async function addLostRow(database: Database, id: string, machine: string): Promise<boolean> {
  const unknownToken = hashKey(newToken());
  const { rows } = await sql`insert into live_sessions (id, token_hash, owner)
    select id, ${unknownToken}, ${machine} from jobs where id = ${id} on conflict do nothing returning id`.execute(
    database,
  );
  return rows.length > 0;
}

/** Records the owner of a session in the database. @param machine  null for none */
export async function noteOwner(database: Database, id: string, machine: string | null): Promise<void> {
  await database.updateTable("live_sessions").set({ owner: machine }).where("id", "=", id).execute();
}

/** Records that the client of a session has all its messages. */
export async function noteServed(database: Database, id: string): Promise<void> {
  await database.updateTable("live_sessions").set({ is_served: true }).where("id", "=", id).execute();
}

/** Live sessions that have begun and not ended. */
function activeSessions(database: Database) {
  return database
    .selectFrom("jobs")
    .leftJoin("live_sessions", "live_sessions.id", "jobs.id")
    .select("jobs.id")
    .where("kind", "=", "live")
    .where("status", "=", "processing");
}

/** Every active session, including those whose row in `live_sessions` is lost. */
export async function allSessions(database: Database): Promise<string[]> {
  const rows = await activeSessions(database).execute();
  return rows.map(({ id }) => id);
}

/** Active sessions that this machine or no machine owns. Sessions without a row are excluded: another machine may have their log. */
export async function sessionsOf(database: Database, machine: string): Promise<string[]> {
  const rows = await activeSessions(database)
    .where("live_sessions.id", "is not", null)
    .where((where) => where.or([where("owner", "is", null), where("owner", "=", machine)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Active sessions that none of these machines owns. */
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

export interface SessionState {
  status: JobStatus;
  file_id: string | null;
  owner: string | null;
  /** False where its row in `live_sessions` is lost. */
  hasRow: boolean;
}

/** How far sessions are, by id; those without a row are left out. */
export async function sessionStates(database: Database, ids: readonly string[]): Promise<Map<string, SessionState>> {
  const rows = await database
    .selectFrom("jobs")
    .leftJoin("live_sessions", "live_sessions.id", "jobs.id")
    .select(["jobs.id", "jobs.status", "jobs.file_id", "live_sessions.owner", "live_sessions.id as row_id"])
    .where("jobs.id", "in", [...ids])
    .execute();
  return new Map(rows.map(({ id, row_id, ...state }) => [id, { ...state, hasRow: row_id !== null }]));
}

/** Makes sessions this machine's, whichever machine the database names. */
export async function adoptSessions(database: Database, ids: readonly string[], machine: string): Promise<void> {
  await database
    .updateTable("live_sessions")
    .set({ owner: machine })
    .where("id", "in", [...ids])
    .execute();
}

/**
 * Those of these sessions that were deleted within the last days, or whose result was stored some time ago. The log of a failed one has
 * the only copy of its audio: it is not among them, and neither is a session of another database that uses the same NATS.
 */
export async function sessionsOver(database: Database, ids: readonly string[], seconds: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from ${given(ids)}
    where exists (select from jobs where jobs.id = given.id
        and status = 'done' and completed_at <= ${fromStatement(-seconds)})
      or ${isDeleted(sql`given.id`)}`.execute(database);
  return rows.map(({ id }) => id);
}

/** The ids as rows. */
const given = (ids: readonly string[]) =>
  sql`unnest(string_to_array(${ids.filter(isUuid).join(",")}::text, ',')::uuid[]) as given(id)`;

/** Whether a session was deleted within the last days. The first condition is that of the index. */
const isDeleted = (id: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select from tombstones where key like 'live/%' and key = 'live/' || ${id}::text)`;

/** Which of these sessions were deleted within the last days. */
export async function deletedSessions(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from ${given(ids)}
    where ${isDeleted(sql`given.id`)}`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Sessions without a connection, by their age. @param seconds  least age */
export async function unusedSessions(database: Database, seconds: number): Promise<string[]> {
  const rows = await database
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", "live")
    .where("status", "=", "queued")
    .where("created_at", "<", fromStatement(-seconds))
    .execute();
  return rows.map(({ id }) => id);
}

/** Records that a session with a source is to end. The process that owns it polls this. @returns whether the session exists */
export async function requestStop(database: Database, sessionId: string): Promise<boolean> {
  const row = await database
    .updateTable("live_sessions")
    .set({ stop_requested: true })
    .where("id", "=", sessionId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function isStopRequested(database: Database, sessionId: string): Promise<boolean> {
  const rows = database.selectFrom("live_sessions").select("stop_requested").where("id", "=", sessionId);
  return (await rows.executeTakeFirst())?.stop_requested === true;
}

/** In the condition of an index. */
const isWaitingSource = sql`kind = 'live' and status = 'queued' and audio_url is not null`;
/** Stands for no limit: more sessions than an account can have. */
const NO_LIMIT = 2_147_483_647;

/**
 * Sessions with a source that no process has opened: the oldest of each account, then the second of each, and so on. Each account
 * contributes at most as many as it may begin. An account that waits with more delays no other.
 * @param ofAccount  most running live sessions of an account that has no limit of its own; 0 for no limit
 */
export async function waitingSources(
  database: Database,
  { most, ofAccount }: { most: number; ofAccount: number },
): Promise<string[]> {
  const usual = ofAccount === 0 ? NO_LIMIT : ofAccount;
  const { rows } = await sql<{ id: string }>`
    with recursive waiting(account_id) as (
      (select account_id from jobs where ${isWaitingSource} order by account_id limit 1)
      union all
      select (select jobs.account_id from jobs where ${isWaitingSource} and jobs.account_id > waiting.account_id
        order by jobs.account_id limit 1)
      from waiting where waiting.account_id is not null
    )
    select one.id::text as id from waiting
      left join account_lanes as lanes on lanes.account_id = waiting.account_id and lanes.lane = 'live'
      cross join lateral (
        select id, created_at, row_number() over (order by created_at) as place from (
          select id, created_at from jobs where ${isWaitingSource} and jobs.account_id = waiting.account_id order by created_at
          limit least(${most}::integer, greatest(0, coalesce(lanes.most_running, ${usual}::integer) - coalesce(lanes.running, 0)))
        ) as oldest
      ) as one
    where waiting.account_id is not null
    order by one.place, one.created_at limit ${most}`.execute(database);
  return rows.map(({ id }) => id);
}
