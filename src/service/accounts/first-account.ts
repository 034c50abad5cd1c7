// The default account and its first key.
import { randomBytes } from "node:crypto";
import {
  type Account,
  countKeys,
  DEFAULT_ACCOUNT,
  ensureAccount,
  insertKey,
  keyHolder,
  lockAccount,
} from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import type { FirstKey } from "./first-key.ts";

const KEY_BYTES = 32;

/** A new account key: 256 random bits behind a prefix that secret scanners can find. */
export function newAccountKey(): string {
  return `parlance_${randomBytes(KEY_BYTES).toString("base64url")}`;
}

const MADE_KEY = /^parlance_[\w-]{43}$/;

/** Whether a key has the form of those that the service makes: 256 random bits, which nobody guesses. */
export const isMadeKey = (key: string) => MADE_KEY.test(key);

/**
 * Makes the default account, and its first key where there is no other way to authenticate.
 * @param firstKey  has the key to show afterwards, if there is one; false where no key is to be made
 */
export async function prepareAccounts(
  database: Database,
  firstKey: FirstKey | false,
  newId: () => string,
): Promise<{ account: Account }> {
  const now = databaseTime(database);
  const account = await ensureAccount(database, { id: newId(), name: DEFAULT_ACCOUNT }, now);
  if (!firstKey) return { account };
  const kept = await firstKey.read();
  const holder = kept === undefined ? undefined : await keyHolder(database, kept);
  if (kept !== undefined && holder?.keyId) {
    firstKey.show({ id: holder.keyId, key: kept });
    return { account };
  }
  // Several processes may start with a new database at the same time: one of them makes a key.
  const made = await inTransaction(database, async (transaction) => {
    await lockAccount(transaction, account.id);
    if ((await countKeys(transaction)) > 0) {
      // It was revoked, or is of another database.
      if (kept !== undefined) await firstKey.forget();
      return undefined;
    }
    // A start that ended between the two steps has kept a key that the database does not have.
    const key = kept !== undefined && isMadeKey(kept) ? kept : newAccountKey();
    const id = newId();
    await firstKey.keep(key);
    await insertKey(transaction, { id, accountId: account.id, name: "first", key }, now);
    return { id, key };
  });
  if (made) firstKey.show(made);
  return { account };
}
