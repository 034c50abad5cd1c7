// Links with which people without a key read a transcript. The token itself is not stored. A link ends by the clock of the database, with its
// transcript and with the key that made it.
import type { Selectable } from "kysely";
import type { Share } from "../../../../contract/shares.ts";
import { errors } from "../../../errors.ts";
import { hashKey } from "../accounts/accounts.ts";
import type { Database } from "../database.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import type { SharesTable } from "../share-table.ts";
import { newToken } from "../tokens.ts";
import { inTransaction } from "../transaction.ts";
import { lockJob } from "./lock-job.ts";

/** What newToken returns. */
const TOKEN = /^[\w-]{43}$/;
/** Readers that open a link at once write its time once. */
const OPENED_SECONDS = 60;

const asShare = (row: Selectable<SharesTable>): Share => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  made_by: row.made_by,
  expires_at: row.expires_at.toISOString(),
  audio: row.audio,
  opened_at: row.opened_at?.toISOString() ?? null,
});

/** Those that open their transcript now. */
const openShares = (database: Database) =>
  database
    .selectFrom("shares")
    .leftJoin("api_keys as keys", "keys.id", "shares.key_id")
    .where("shares.expires_at", ">", statementTime)
    .where((where) =>
      where.or([
        where("shares.key_id", "is", null),
        where.and([where("keys.id", "is not", null), where("keys.revoked_at", "is", null)]),
      ]),
    );

interface AddedShare {
  id: string;
  jobId: string;
  keyId: string | null;
  madeBy: string;
  seconds: number;
  audio: boolean;
}

/** @param most  links of the transcript that are open at a time @throws limit.shares, request.not_found */
export async function insertShare(
  database: Database,
  { id, jobId, keyId, madeBy, seconds, audio }: AddedShare,
  most: number,
): Promise<{ share: Share; token: string }> {
  const token = newToken();
  return inTransaction(database, async (transaction) => {
    await lockJob(transaction, jobId);
    const { count } = await openShares(transaction)
      .select((select) => select.fn.countAll<string>().as("count"))
      .where("shares.job_id", "=", jobId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= most) throw errors.tooManyShares(most);
    const row = await transaction
      .insertInto("shares")
      .values({
        ...{ id, job_id: jobId, token_hash: hashKey(token), key_id: keyId, made_by: madeBy, audio },
        ...{ created_at: statementTime, expires_at: fromStatement(seconds), opened_at: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { share: asShare(row), token };
  });
}

/** Those that are open, newest first. */
export async function listShares(database: Database, jobId: string): Promise<Share[]> {
  const rows = await openShares(database)
    .selectAll("shares")
    .where("shares.job_id", "=", jobId)
    .orderBy("shares.created_at", "desc")
    .orderBy("shares.id", "desc")
    .execute();
  return rows.map(asShare);
}

/** @throws request.not_found */
export async function removeShare(database: Database, { jobId, id }: { jobId: string; id: string }): Promise<void> {
  const row = await database
    .deleteFrom("shares")
    .where("id", "=", id)
    .where("job_id", "=", jobId)
    .returning("id")
    .executeTakeFirst();
  if (!row) throw errors.notFound("Link");
}

/** What an open link is about. */
export type OpenShare = Pick<Selectable<SharesTable>, "id" | "job_id" | "expires_at" | "audio"> & {
  account_id: string;
};

/** @returns undefined if no link has the token, and if it has ended */
export async function shareOfToken(database: Database, token: string): Promise<OpenShare | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return openShares(database)
    .innerJoin("jobs", "jobs.id", "shares.job_id")
    .innerJoin("accounts", "accounts.id", "jobs.account_id")
    .select(["shares.id", "shares.job_id", "shares.expires_at", "shares.audio", "jobs.account_id"])
    .where("shares.token_hash", "=", hashKey(token))
    .where("accounts.deleting_at", "is", null)
    .executeTakeFirst();
}

export async function noteOpened(database: Database, id: string): Promise<void> {
  await database
    .updateTable("shares")
    .set({ opened_at: statementTime })
    .where("id", "=", id)
    .where((where) =>
      where.or([where("opened_at", "is", null), where("opened_at", "<", fromStatement(-OPENED_SECONDS))]),
    )
    .execute();
}

export async function forgetExpiredShares(database: Database): Promise<void> {
  await database.deleteFrom("shares").where("expires_at", "<=", statementTime).execute();
}
