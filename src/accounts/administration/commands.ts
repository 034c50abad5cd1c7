// What the operator can do with accounts and keys. The command line runs these on the database itself, or has the
// running service run them.
import { v7 as uuid } from "uuid";
import { errors } from "../../errors.ts";
import {
  type Account,
  DEFAULT_ACCOUNT,
  ensureAccount,
  findAccountByName,
  insertKey,
  LIMITS,
  listAccounts,
  listKeys,
  revokeKey,
  setLimits,
} from "../../storage/db/accounts.ts";
import type { Database } from "../../storage/db/database.ts";
import { isUuid } from "../../storage/db/ids.ts";
import type { AccountLimitColumns } from "../../storage/db/schema.ts";
import { newAccountKey } from "../first-account.ts";

/** Values as JSON carries them, so that a command can go through the running service. */
export interface Commands {
  createKey(account: string, name: string): Promise<{ id: string; key: string }>;
  listKeys(): Promise<{ id: string; account: string; name: string; createdAt: string; revokedAt: string | null }[]>;
  revokeKey(id: string): Promise<void>;
  createAccount(name: string): Promise<void>;
  listAccounts(): Promise<Account[]>;
  /** @param limits  null takes an own limit away */
  limitAccount(name: string, limits: Partial<AccountLimitColumns>): Promise<void>;
}

export const COMMAND_NAMES = [
  "createKey",
  "listKeys",
  "revokeKey",
  "createAccount",
  "listAccounts",
  "limitAccount",
] as const satisfies (keyof Commands)[];

const ACCOUNT_NAME = /^[\w.@-]{1,100}$/;

export function commandsOn(database: Database): Commands {
  const accountNamed = async (name: string): Promise<Account> => {
    const account = await findAccountByName(database, name);
    if (account) return account;
    // The default account exists from the first start on; a key may be made before.
    if (name === DEFAULT_ACCOUNT) return ensureAccount(database, { id: uuid(), name }, new Date());
    throw errors.unknownAccount(name);
  };
  return {
    async createKey(account, name) {
      const { id: accountId } = await accountNamed(account);
      const id = uuid();
      const key = newAccountKey();
      await insertKey(database, { id, accountId, name, key }, new Date());
      return { id, key };
    },
    async listKeys() {
      return (await listKeys(database)).map(({ created_at, revoked_at, ...key }) => ({
        ...key,
        createdAt: created_at.toISOString(),
        revokedAt: revoked_at?.toISOString() ?? null,
      }));
    },
    async revokeKey(id) {
      if (!isUuid(id) || !(await revokeKey(database, id, new Date()))) throw errors.unknownKey(id);
    },
    async createAccount(name) {
      if (!ACCOUNT_NAME.test(name)) throw errors.badAccountName(name);
      if (await findAccountByName(database, name)) throw errors.accountExists(name);
      await ensureAccount(database, { id: uuid(), name }, new Date());
    },
    listAccounts: () => listAccounts(database),
    async limitAccount(name, limits) {
      const { id } = await accountNamed(name);
      const known = Object.fromEntries(
        LIMITS.filter((limit) => limit in limits).map((limit) => [limit, limits[limit]]),
      );
      if (Object.keys(known).length > 0) await setLimits(database, id, known);
    },
  };
}
