// Short-lived keys that a server gives to its browsers and apps: they open live sessions of its account, and nothing else.
// They are signed, not stored: every machine of a deployment opens them, and they end with the key that made them.
import { createHmac, timingSafeEqual } from "node:crypto";
import { validate as isUuid } from "uuid";
import { MOST_SECRET_SECONDS } from "../../contract/realtime.ts";
import { errors } from "../../platform/errors.ts";
import { type Account, findAccount, isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import { type Keeper, openedFact, refuseOtherKey } from "../../platform/storage/db/accounts/callback-secrets.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { deploymentFact, replaceDeploymentFact } from "../../platform/storage/db/deployment.ts";

const PREFIX = "ek_";
const KEY_FACT = "client_secret_key";
/** Longest validity, milliseconds, with a margin for clocks that differ. */
const MOST_MILLISECONDS = (MOST_SECRET_SECONDS + 60) * 1000;
/** A header holds it beside others: Node.js limits all headers of a request to 16 KiB. */
const MOST_BYTES = 8_192;

interface Content {
  account: string;
  key: string | null;
  /** Milliseconds. */
  until: number;
  configuration: unknown;
}

export interface SecretOwner {
  account: Account;
  /** Of the key that made it; null for a key outside of the database. */
  keyId: string | null;
  configuration: unknown;
}

export const isClientSecret = (key: string) => key.startsWith(PREFIX);

const signatureOf = (payload: string, key: string) => createHmac("sha256", key).update(payload).digest();

/** Key of the deployment; no interface shows it. @returns undefined if there is none, or it was sealed with another key */
const storedKey = (database: Database, keeper: Keeper) => openedFact(database, KEY_FACT, keeper);

/**
 * The key, made when it is first needed. One that was sealed with a lost key is replaced: secrets are valid for two hours at most.
 * @throws callbacks.secrets_locked in a process that has another key than the deployment
 */
async function signingKey(database: Database, keeper: Keeper): Promise<string> {
  const known = await storedKey(database, keeper);
  if (known !== undefined) return known;
  await refuseOtherKey(database, keeper);
  await replaceDeploymentFact(database, KEY_FACT, await deploymentFact(database, KEY_FACT), keeper.make());
  const made = await storedKey(database, keeper);
  if (made === undefined) throw errors.secretsLocked();
  return made;
}

export class ClientSecrets {
  constructor(
    private readonly database: Database,
    private readonly keeper: Keeper,
    private readonly now: () => number = () => databaseTime(database).getTime(),
  ) {}

  /** @returns undefined if the configuration is too large */
  async make(
    accountId: string,
    keyId: string | null,
    seconds: number,
    configuration: unknown,
  ): Promise<{ value: string; expiresAt: number } | undefined> {
    const expiresAt = Math.floor(this.now() / 1000) + seconds;
    const content: Content = { account: accountId, key: keyId, until: expiresAt * 1000, configuration };
    const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
    const signature = signatureOf(payload, await signingKey(this.database, this.keeper));
    const value = `${PREFIX}${payload}.${signature.toString("base64url")}`;
    return value.length > MOST_BYTES ? undefined : { value, expiresAt };
  }

  /** @returns undefined for what this service did not sign, for an expired secret, and for one whose key or account is gone */
  async open(value: string): Promise<SecretOwner | undefined> {
    const [payload = "", signature = ""] = value.slice(PREFIX.length).split(".");
    const content = value.length > MOST_BYTES ? undefined : contentOf(payload);
    const remaining = content ? content.until - this.now() : 0;
    if (!content || remaining <= 0 || remaining > MOST_MILLISECONDS) return undefined;
    const given = Buffer.from(signature, "base64url");
    const key = await storedKey(this.database, this.keeper);
    if (key === undefined) return undefined;
    const expected = signatureOf(payload, key);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const account = await findAccount(this.database, content.account);
    if (!account || !(await isKeyValid(this.database, content.key))) return undefined;
    return { account, keyId: content.key, configuration: content.configuration };
  }
}

function contentOf(payload: string): Content | undefined {
  try {
    const content = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Partial<Content> | null;
    // The database refuses what is no id.
    if (!isUuid(content?.account) || typeof content?.until !== "number") return undefined;
    if (content.key !== null && !isUuid(content.key)) return undefined;
    return content as Content;
  } catch {
    return undefined;
  }
}
