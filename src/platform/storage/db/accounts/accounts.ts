// Accounts, their limits and their keys. A key is kept as its hash only.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "../database.ts";
import type { Moment } from "../database-time.ts";
import type { AccountLimitColumns, ApiKeysTable } from "../schema.ts";
import { inTransaction } from "../transaction.ts";

export const DEFAULT_ACCOUNT = "default";

export interface Account extends AccountLimitColumns {
  id: string;
  name: string;
}

export const LIMITS = [
  "requests_per_second",
  "concurrent_jobs",
  "live_sessions",
  "upload_bytes",
  "audio_seconds",
] as const satisfies (keyof AccountLimitColumns)[];

const ACCOUNT_COLUMNS = [
  "accounts.id",
  "accounts.name",
  ...LIMITS.map((limit) => `accounts.${limit}` as const),
] as const;

/** SHA-256 in hexadecimal. Keys are 256 random bits: a slow hash would protect nothing more. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The account of that name; creates it if it does not exist. */
export async function ensureAccount(
  database: Database,
  account: { id: string; name: string },
  now: Moment,
): Promise<Account> {
  await database
    .insertInto("accounts")
    .values({ ...account, created_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return database
    .selectFrom("accounts")
    .select(ACCOUNT_COLUMNS)
    .where("name", "=", account.name)
    .executeTakeFirstOrThrow();
}

export async function findAccount(database: Database, id: string): Promise<Account | undefined> {
  return database.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("id", "=", id).executeTakeFirst();
}

/**
 * Keeps other changes that lock the account from running at the same time, until the transaction ends. Rows that refer to the account, such
 * as new jobs, are inserted meanwhile.
 */
export async function lockAccount(transaction: Database, id: string): Promise<void> {
  await transaction.selectFrom("accounts").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

export async function findAccountByName(database: Database, name: string): Promise<ListedAccount | undefined> {
  return database
    .selectFrom("accounts")
    .select([...ACCOUNT_COLUMNS, "deleting_at"])
    .where("name", "=", name)
    .executeTakeFirst();
}

export interface ListedAccount extends Account {
  /** Since when it is being deleted. */
  deleting_at: Date | null;
}

export async function listAccounts(database: Database): Promise<ListedAccount[]> {
  return database
    .selectFrom("accounts")
    .select([...ACCOUNT_COLUMNS, "deleting_at"])
    .orderBy("name")
    .execute();
}

/** @param limits  null takes an own limit away */
export async function setLimits(database: Database, id: string, limits: Partial<AccountLimitColumns>): Promise<void> {
  await database.updateTable("accounts").set(limits).where("id", "=", id).execute();
}

export async function countKeys(database: Database): Promise<number> {
  const row = await database
    .selectFrom("api_keys")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface NewKey {
  id: string;
  accountId: string;
  name: string;
  key: string;
}

export async function insertKey(database: Database, { id, accountId, name, key }: NewKey, now: Moment): Promise<void> {
  await database
    .insertInto("api_keys")
    .values({ id, account_id: accountId, name, hash: hashKey(key), created_at: now, revoked_at: null })
    .execute();
}

export type KeyRow = Pick<Selectable<ApiKeysTable>, "id" | "name" | "created_at" | "revoked_at"> & { account: string };

/** Keys of all accounts, oldest first. */
export async function listKeys(database: Database): Promise<KeyRow[]> {
  return database
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select(["api_keys.id", "api_keys.name", "api_keys.created_at", "api_keys.revoked_at", "accounts.name as account"])
    .orderBy("api_keys.created_at")
    .execute();
}

/** Keys of one account that are not revoked, oldest first. */
export async function keysOfAccount(database: Database, accountId: string): Promise<Omit<KeyRow, "account">[]> {
  return database
    .selectFrom("api_keys")
    .select(["id", "name", "created_at", "revoked_at"])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .execute();
}

/** Keys of an account that are not revoked. */
export async function countKeysOf(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("api_keys")
    .select((select) => select.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * @param accountId  whose key it must be, where it matters
 * @returns false if the key does not exist or was revoked before
 */
export async function revokeKey(database: Database, id: string, now: Moment, accountId?: string): Promise<boolean> {
  let update = database
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null);
  if (accountId !== undefined) update = update.where("account_id", "=", accountId);
  const result = await update.executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export interface KeyHolder {
  account: Account;
  /** As its owner named it, or the beginning of its id. */
  keyName: string;
  /** Null if it is not in the database. */
  keyId: string | null;
}

/** Who a key belongs to; undefined when the key is unknown or revoked. */
export async function keyHolder(database: Database, key: string): Promise<KeyHolder | undefined> {
  const hash = hashKey(key);
  const row = await database
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select([...ACCOUNT_COLUMNS, "api_keys.hash as hash", "api_keys.name as key_name", "api_keys.id as key_id"])
    .where("api_keys.hash", "=", hash)
    .where("api_keys.revoked_at", "is", null)
    .where("accounts.deleting_at", "is", null)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined;
  const { hash: _, key_name, key_id, ...account } = row;
  return { account, keyName: key_name === "" ? `key ${key_id.slice(0, 8)}` : key_name, keyId: key_id };
}

/** Whether a key is still valid. @param id  null for keys outside of the database, which cannot be revoked */
export async function isKeyValid(database: Database, id: string | null): Promise<boolean> {
  if (id === null) return true;
  const row = await database
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select("api_keys.id")
    .where("api_keys.id", "=", id)
    .where("api_keys.revoked_at", "is", null)
    .where("accounts.deleting_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

// --- deletion ---

/** Revokes every key of an account and marks it as being deleted. Safe to call again. */
export async function beginDeletion(database: Database, id: string, now: Moment): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction
      .updateTable("accounts")
      .set({ deleting_at: now })
      .where("id", "=", id)
      .where("deleting_at", "is", null)
      .execute();
    await transaction
      .updateTable("api_keys")
      .set({ revoked_at: now })
      .where("account_id", "=", id)
      .where("revoked_at", "is", null)
      .execute();
  });
}

export async function accountsBeingDeleted(database: Database): Promise<{ id: string; name: string }[]> {
  return database.selectFrom("accounts").select(["id", "name"]).where("deleting_at", "is not", null).execute();
}

/**
 * Deletes an account that nothing belongs to any more. Its row is locked: what is added meanwhile is seen, or refused.
 * @returns false when there is something left of it
 */
export async function deleteEmptyAccount(database: Database, id: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await transaction.selectFrom("accounts").select("id").where("id", "=", id).forUpdate().execute();
    for (const table of ["jobs", "files", "uploads"] as const) {
      const left = await transaction
        .selectFrom(table)
        .select("id")
        .where("account_id", "=", id)
        .limit(1)
        .executeTakeFirst();
      if (left) return false;
    }
    await transaction.deleteFrom("accounts").where("id", "=", id).execute();
    return true;
  });
}
