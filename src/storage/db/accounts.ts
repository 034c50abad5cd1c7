// Accounts and their keys. A key is kept as its hash only.
import { createHash } from "node:crypto";
import type { Database } from "./database.ts";

export const DEFAULT_ACCOUNT = "default";

export interface Account {
  id: string;
  name: string;
}

/** SHA-256 in hexadecimal. Keys are 256 random bits: a slow hash would protect nothing more. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The account of that name, made if there is none. */
export async function ensureAccount(database: Database, account: Account, now: Date): Promise<Account> {
  await database
    .insertInto("accounts")
    .values({ ...account, created_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return database
    .selectFrom("accounts")
    .select(["id", "name"])
    .where("name", "=", account.name)
    .executeTakeFirstOrThrow();
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

export async function insertKey(database: Database, { id, accountId, name, key }: NewKey, now: Date): Promise<void> {
  await database
    .insertInto("api_keys")
    .values({ id, account_id: accountId, name, hash: hashKey(key), created_at: now, revoked_at: null })
    .execute();
}

/** The account that a key belongs to; undefined when the key is unknown or revoked. */
export async function accountOfKey(database: Database, key: string): Promise<Account | undefined> {
  return database
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select(["accounts.id", "accounts.name"])
    .where("api_keys.hash", "=", hashKey(key))
    .where("api_keys.revoked_at", "is", null)
    .executeTakeFirst();
}
