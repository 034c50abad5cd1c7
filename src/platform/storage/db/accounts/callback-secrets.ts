// What callbacks of an account are signed with, and whether this process can open what is stored.
import { type Selectable, sql } from "kysely";
import { errors } from "../../../errors.ts";
import type { Database } from "../database.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import {
  type DeploymentFact,
  deploymentFact,
  removeDeploymentFact,
  replaceDeploymentFact,
  setDeploymentFact,
} from "../deployment.ts";
import type { AccountsTable } from "../schema.ts";
import { inTransaction } from "../transaction.ts";

/** Seals secrets as they are stored, and opens them. */
export interface Keeper {
  /** Whether the operator set a key. */
  readonly hasKey: boolean;
  /** A new secret, sealed. */
  make(): string;
  seal(secret: string): string;
  /** @returns undefined where it was sealed with a key that is not known */
  open(stored: string): string | undefined;
  /** Whether it is stored as `seal` would store it now. */
  isCurrent(stored: string): boolean;
}

/** A client that received no answer repeats its request within this time. */
const REPEATED_SECONDS = 600;
/** Sealed with the key of the deployment, so that another key is recognised before it seals anything. */
const CANARY = "parlance";

type Secrets = Pick<Selectable<AccountsTable>, "callback_secret" | "previous_callback_secret">;

async function secretsOf(database: Database, id: string): Promise<Secrets> {
  return database
    .selectFrom("accounts")
    .select(["callback_secret", "previous_callback_secret"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

export interface SecretsState {
  /** Names of accounts whose secret cannot be opened: their callbacks wait. */
  locked: string[];
  /** Whether the key is that of the deployment. False also where no secret of an account depends on it. */
  isKeyKnown: boolean;
}

/**
 * Opens all stored secrets with the given keys. Changes nothing.
 * @returns beside the state, the accounts whose secrets are not stored as the current key stores them
 */
async function examine(
  database: Database,
  keeper: Keeper,
): Promise<SecretsState & { outdated: (Secrets & { id: string })[] }> {
  const canary = await deploymentFact(database, "secrets_canary");
  const rows = await database
    .selectFrom("accounts")
    .select(["id", "name", "callback_secret", "previous_callback_secret"])
    .where("callback_secret", "is not", null)
    .execute();
  const isLocked = (stored: string | null) => stored !== null && keeper.open(stored) === undefined;
  const locked = rows.filter(({ callback_secret }) => isLocked(callback_secret));
  const outdated = rows.filter(
    ({ callback_secret: current, previous_callback_secret: previous }) =>
      !isLocked(current) && [current, previous].some((stored) => stored !== null && !keeper.isCurrent(stored)),
  );
  const isKeyKnown = canary === undefined ? locked.length === 0 : keeper.open(canary) === CANARY;
  return { locked: locked.map(({ name }) => name), isKeyKnown, outdated };
}

export async function secretsState(database: Database, keeper: Keeper): Promise<SecretsState> {
  const { locked, isKeyKnown } = await examine(database, keeper);
  return { locked, isKeyKnown };
}

/** Seals the secrets of an account again, as they are now: another process may rotate or retire one meanwhile. */
async function resealAccount(database: Database, id: string, keeper: Keeper): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const row = await transaction
      .selectFrom("accounts")
      .select(["callback_secret", "previous_callback_secret"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    const [current, former] = [row.callback_secret, row.previous_callback_secret].map((stored) =>
      stored === null ? undefined : keeper.open(stored),
    );
    await transaction
      .updateTable("accounts")
      .set({
        callback_secret: current === undefined ? row.callback_secret : keeper.seal(current),
        previous_callback_secret: former === undefined ? null : keeper.seal(former),
      })
      .where("id", "=", id)
      .execute();
  });
}

/** Whether the key is the one of the deployment: it sealed the canary, or neither of them exists. */
export async function isKeyCurrent(database: Database, keeper: Keeper): Promise<boolean> {
  const canary = await deploymentFact(database, "secrets_canary");
  return canary === undefined ? !keeper.hasKey : keeper.hasKey && keeper.isCurrent(canary);
}

/**
 * Opens a sealed fact. One that the previous key sealed is sealed with the current key.
 * @returns undefined if there is none, or no key opens it
 */
export async function openedFact(
  database: Database,
  name: DeploymentFact,
  keeper: Pick<Keeper, "isCurrent" | "open" | "seal">,
): Promise<string | undefined> {
  const stored = await deploymentFact(database, name);
  const opened = stored === undefined ? undefined : keeper.open(stored);
  if (stored !== undefined && opened !== undefined && !keeper.isCurrent(stored))
    await replaceDeploymentFact(database, name, stored, keeper.seal(opened));
  return opened;
}

/**
 * Seals all secrets with the current key that any of the keys opens, and stores the canary unless secrets depend on another key.
 * @returns the state before
 */
export async function takeSecretsKey(database: Database, keeper: Keeper): Promise<SecretsState> {
  const { locked, isKeyKnown, outdated } = await examine(database, keeper);
  for (const { id } of outdated) await resealAccount(database, id, keeper);
  await openedFact(database, "client_secret_key", keeper);
  if (locked.length > 0) return { locked, isKeyKnown };
  const canary = await deploymentFact(database, "secrets_canary");
  if (!keeper.hasKey) await removeDeploymentFact(database, "secrets_canary");
  else if (canary === undefined || !keeper.isCurrent(canary)) {
    await setDeploymentFact(database, "secrets_canary", keeper.seal(CANARY));
  }
  return { locked, isKeyKnown };
}

/** @throws callbacks.secrets_locked where another process seals with another key */
export async function refuseOtherKey(database: Database, keeper: Keeper): Promise<void> {
  const canary = await deploymentFact(database, "secrets_canary");
  const isOwn = canary === undefined ? !keeper.hasKey : keeper.open(canary) === CANARY;
  // Secrets that depended on a lost key may have been replaced since the start.
  if (!isOwn && (await takeSecretsKey(database, keeper)).locked.length > 0) throw errors.secretsLocked();
}

/**
 * The secrets that sign, the current one first. The first one is made when it is first needed.
 * @throws callbacks.secrets_locked
 */
export async function callbackSecrets(database: Database, id: string, keeper: Keeper): Promise<string[]> {
  let secrets = await secretsOf(database, id);
  if (secrets.callback_secret === null) {
    await refuseOtherKey(database, keeper);
    await database
      .updateTable("accounts")
      .set({ callback_secret: keeper.make() })
      .where("id", "=", id)
      .where("callback_secret", "is", null)
      .execute();
    secrets = await secretsOf(database, id);
  }
  const [current, previous] = [secrets.callback_secret, secrets.previous_callback_secret].map((stored) =>
    stored === null ? undefined : keeper.open(stored),
  );
  if (current === undefined) throw errors.secretsLocked();
  return previous === undefined ? [current] : [current, previous];
}

/**
 * A new secret signs beside the former one, until that one is retired. A former one that cannot be opened is dropped. While the
 * former one is not retired, a repetition within REPEATED_SECONDS changes nothing: another rotation would drop the secret that receivers use.
 */
export async function rotateCallbackSecret(database: Database, id: string, keeper: Keeper): Promise<string[]> {
  await inTransaction(database, async (transaction) => {
    const {
      callback_secret: stored,
      isRecent,
      ...row
    } = await transaction
      .selectFrom("accounts")
      .select(["callback_secret", "previous_callback_secret"])
      .select(sql<boolean | null>`callback_secret_at > ${fromStatement(-REPEATED_SECONDS)}`.as("isRecent"))
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const [former, previous] = [stored, row.previous_callback_secret].map((one) =>
      one === null ? undefined : keeper.open(one),
    );
    if (isRecent && former !== undefined && previous !== undefined) return;
    await transaction
      .updateTable("accounts")
      .set({
        callback_secret: keeper.make(),
        previous_callback_secret: former === undefined ? null : keeper.seal(former),
        callback_secret_at: statementTime,
      })
      .where("id", "=", id)
      .execute();
  });
  return callbackSecrets(database, id, keeper);
}

export async function retireCallbackSecret(database: Database, id: string): Promise<void> {
  await database.updateTable("accounts").set({ previous_callback_secret: null }).where("id", "=", id).execute();
}
