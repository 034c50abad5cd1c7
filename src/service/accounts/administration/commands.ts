// Operations of the operator on accounts and keys. The command line runs these on the database itself, or has the
// running service run them.
import { v7 as uuid } from "uuid";
import { errors, ParlanceError, shortageError } from "../../../platform/errors.ts";
import { textFault } from "../../../platform/storable.ts";
import {
  beginDeletion,
  DEFAULT_ACCOUNT,
  ensureAccount,
  findAccountByName,
  insertKey,
  LIMITS,
  type ListedAccount,
  listAccounts,
  listKeys,
  revokeKey,
  setLimits,
} from "../../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { isUuid } from "../../../platform/storage/db/ids.ts";
import type { AccountLimitColumns } from "../../../platform/storage/db/schema.ts";
import type { Manifest } from "../../operations/backup/manifest.ts";
import { newAccountKey } from "../first-account.ts";

/** Values as JSON carries them, so that a command can go through the running service. */
export interface Commands {
  createKey(account: string, name: string): Promise<{ id: string; key: string }>;
  listKeys(): Promise<{ id: string; account: string; name: string; createdAt: string; revokedAt: string | null }[]>;
  revokeKey(id: string): Promise<void>;
  createAccount(name: string): Promise<void>;
  /** Revokes its keys at once; the service removes its data, and then the account. */
  deleteAccount(name: string): Promise<void>;
  listAccounts(): Promise<ListedAccount[]>;
  /** @param limits  null takes an own limit away */
  limitAccount(name: string, limits: Partial<AccountLimitColumns>): Promise<void>;
  /** Starts a backup into a new folder and returns before it is complete. @param folder  absolute */
  beginBackup(folder: string): Promise<void>;
  /** State of the most recent backup. */
  listBackup(): Promise<BackupState>;
}

export type BackupState =
  | { state: "none" | "running" }
  | { state: "done"; manifest: Manifest }
  | { state: "failed"; message: string };

export const COMMAND_NAMES = [
  "createKey",
  "listKeys",
  "revokeKey",
  "createAccount",
  "deleteAccount",
  "listAccounts",
  "limitAccount",
  "beginBackup",
  "listBackup",
] as const satisfies (keyof Commands)[];

/** As over HTTP. */
const MOST_KEY_NAME_CHARACTERS = 100;
const ACCOUNT_NAME = /^[\w.@-]{1,100}$/;

export interface CommandHooks {
  /** Keys were revoked, perhaps because their account is being deleted. */
  onRevoked?(): void;
  /** Limits of an account have changed. */
  onLimited?(): void;
  /** Where backups are possible. */
  backUp?(folder: string): Promise<Manifest>;
}

export function commandsOn(database: Database, { onRevoked, onLimited, backUp }: CommandHooks = {}): Commands {
  let backup: BackupState = { state: "none" };
  const accountNamed = async (name: string): Promise<{ id: string }> => {
    const account = await findAccountByName(database, name);
    if (account?.deleting_at) throw errors.accountBeingDeleted(name);
    if (account) return account;
    // The default account exists from the first start on; a key may be made before.
    if (name === DEFAULT_ACCOUNT) return ensureAccount(database, { id: uuid(), name }, databaseTime(database));
    throw errors.unknownAccount(name);
  };
  return {
    async createKey(account, name) {
      const fault = typeof name === "string" ? textFault(name) : "must be a text";
      if (fault) throw errors.badKeyName(fault);
      if (name.length > MOST_KEY_NAME_CHARACTERS) {
        throw errors.badKeyName(`must be shorter than or equal to ${MOST_KEY_NAME_CHARACTERS} characters`);
      }
      const { id: accountId } = await accountNamed(account);
      const id = uuid();
      const key = newAccountKey();
      await insertKey(database, { id, accountId, name, key }, databaseTime(database));
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
      if (!isUuid(id) || !(await revokeKey(database, id, databaseTime(database)))) throw errors.unknownKey(id);
      onRevoked?.();
    },
    async createAccount(name) {
      if (!ACCOUNT_NAME.test(name)) throw errors.badAccountName(name);
      const known = await findAccountByName(database, name);
      if (known) throw known.deleting_at ? errors.accountBeingDeleted(name) : errors.accountExists(name);
      await ensureAccount(database, { id: uuid(), name }, databaseTime(database));
    },
    async deleteAccount(name) {
      if (name === DEFAULT_ACCOUNT) throw errors.defaultAccountStays();
      const account = await findAccountByName(database, name);
      if (!account) throw errors.unknownAccount(name);
      await beginDeletion(database, account.id, databaseTime(database));
      onRevoked?.();
    },
    async beginBackup(folder) {
      if (!backUp) throw errors.backupOfServer();
      if (backup.state === "running") throw errors.backupRunning();
      backup = { state: "running" };
      backUp(folder).then(
        (manifest) => {
          backup = { state: "done", manifest };
        },
        (error: unknown) => {
          const known = error instanceof ParlanceError ? error : (shortageError(error) ?? (error as Error));
          backup = { state: "failed", message: known.message };
        },
      );
    },
    listBackup: async () => backup,
    listAccounts: () => listAccounts(database),
    async limitAccount(name, limits) {
      const { id } = await accountNamed(name);
      const known = Object.fromEntries(
        LIMITS.filter((limit) => limit in limits).map((limit) => [limit, limits[limit]]),
      );
      if (Object.keys(known).length === 0) return;
      await setLimits(database, id, known);
      onLimited?.();
    },
  };
}
