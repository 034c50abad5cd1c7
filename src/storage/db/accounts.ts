// Accounts, their limits and their keys. A key is kept as its hash only.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { AccountLimitColumns, AccountsTable, ApiKeysTable } from "./schema.ts";

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

/** The account of that name, made if there is none. */
export async function ensureAccount(
  database: Database,
  account: { id: string; name: string },
  now: Date,
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

export async function findAccountByName(database: Database, name: string): Promise<Account | undefined> {
  return database.selectFrom("accounts").select(ACCOUNT_COLUMNS).where("name", "=", name).executeTakeFirst();
}

export async function listAccounts(database: Database): Promise<Account[]> {
  return database.selectFrom("accounts").select(ACCOUNT_COLUMNS).orderBy("name").execute();
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

export async function insertKey(database: Database, { id, accountId, name, key }: NewKey, now: Date): Promise<void> {
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

/**
 * @param accountId  whose key it must be, where it matters
 * @returns false when there is no such key or it was revoked before
 */
export async function revokeKey(database: Database, id: string, now: Date, accountId?: string): Promise<boolean> {
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
    .executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined;
  const { hash: _, key_name, key_id, ...account } = row;
  return { account, keyName: key_name === "" ? `key ${key_id.slice(0, 8)}` : key_name };
}

// --- what callbacks are signed with ---

type Secrets = Pick<Selectable<AccountsTable>, "callback_secret" | "previous_callback_secret">;

async function secretsOf(database: Database, id: string): Promise<Secrets> {
  return database
    .selectFrom("accounts")
    .select(["callback_secret", "previous_callback_secret"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Makes secrets as they are stored, and reads them. */
interface Keeper {
  make(): string;
  seal(secret: string): string;
  open(stored: string): string;
  isOpen(stored: string): boolean;
}

/** The secrets that sign, the current one first. The first one is made when it is first needed. */
export async function callbackSecrets(database: Database, id: string, keeper: Keeper): Promise<string[]> {
  let secrets = await secretsOf(database, id);
  if (secrets.callback_secret === null) {
    await database
      .updateTable("accounts")
      .set({ callback_secret: keeper.make() })
      .where("id", "=", id)
      .where("callback_secret", "is", null)
      .execute();
    secrets = await secretsOf(database, id);
  }
  const { callback_secret: current, previous_callback_secret: previous } = secrets;
  if (current !== null && keeper.isOpen(current)) {
    await database
      .updateTable("accounts")
      .set({
        callback_secret: keeper.seal(current),
        previous_callback_secret: previous && keeper.seal(keeper.open(previous)),
      })
      .where("id", "=", id)
      .where("callback_secret", "=", current)
      .execute();
  }
  return [current, previous].filter((secret) => secret !== null).map((secret) => keeper.open(secret));
}

/** A new secret signs beside the one so far, until that one is retired. */
export async function rotateCallbackSecret(database: Database, id: string, keeper: Keeper): Promise<string[]> {
  const [current] = await callbackSecrets(database, id, keeper);
  await database
    .updateTable("accounts")
    .set({
      callback_secret: keeper.make(),
      previous_callback_secret: current === undefined ? null : keeper.seal(current),
    })
    .where("id", "=", id)
    .execute();
  return callbackSecrets(database, id, keeper);
}

export async function retireCallbackSecret(database: Database, id: string): Promise<void> {
  await database.updateTable("accounts").set({ previous_callback_secret: null }).where("id", "=", id).execute();
}
