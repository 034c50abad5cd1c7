// The default account and its first key.
import { randomBytes } from "node:crypto";
import { type Account, countKeys, DEFAULT_ACCOUNT, ensureAccount, insertKey } from "../storage/db/accounts.ts";
import type { Database } from "../storage/db/database.ts";

const KEY_BYTES = 32;

/** A new account key: 256 random bits behind a prefix that secret scanners can find. */
export function newAccountKey(): string {
  return `parlance_${randomBytes(KEY_BYTES).toString("base64url")}`;
}

export interface FirstStart {
  account: Account;
  /** The key that was made because there was none; it can be shown this once only. */
  madeKey?: string;
}

/** @param needsKey  no other way to authenticate is configured */
export async function prepareAccounts(database: Database, needsKey: boolean, newId: () => string): Promise<FirstStart> {
  const now = new Date();
  const account = await ensureAccount(database, { id: newId(), name: DEFAULT_ACCOUNT }, now);
  if (!needsKey || (await countKeys(database)) > 0) return { account };
  const madeKey = newAccountKey();
  await insertKey(database, { id: newId(), accountId: account.id, name: "first", key: madeKey }, now);
  return { account, madeKey };
}
