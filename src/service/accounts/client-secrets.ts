// Short-lived keys that a server gives to its browsers and apps: they open live sessions of its account, and nothing else.
// They are signed, not stored: every machine of a deployment opens them, and they end with the key that made them.
import { createHmac, timingSafeEqual } from "node:crypto";
import { validate as isUuid } from "uuid";
import { type Account, findAccount, isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import { callbackSecrets, type Keeper } from "../../platform/storage/db/accounts/callback-secrets.ts";
import type { Database } from "../../platform/storage/db/database.ts";

const PREFIX = "ek_";
/** Separates these signatures from those of callbacks, which use the same secret of the account. */
const PURPOSE = "parlance client secret\0";
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

const signatureOf = (payload: string, secret: string) =>
  createHmac("sha256", secret)
    .update(PURPOSE + payload)
    .digest();

export class ClientSecrets {
  constructor(
    private readonly database: Database,
    private readonly keeper: Keeper,
    private readonly now: () => number = Date.now,
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
    const [secret = ""] = await callbackSecrets(this.database, accountId, this.keeper);
    const value = `${PREFIX}${payload}.${signatureOf(payload, secret).toString("base64url")}`;
    return value.length > MOST_BYTES ? undefined : { value, expiresAt };
  }

  /** @returns undefined for what this service did not sign, for an expired secret, and for one whose key or account is gone */
  async open(value: string): Promise<SecretOwner | undefined> {
    const [payload = "", signature = ""] = value.slice(PREFIX.length).split(".");
    const content = value.length > MOST_BYTES ? undefined : contentOf(payload);
    if (!content || content.until <= this.now()) return undefined;
    const account = await findAccount(this.database, content.account);
    if (!account) return undefined;
    const given = Buffer.from(signature, "base64url");
    const secrets = await callbackSecrets(this.database, account.id, this.keeper);
    const isSigned = secrets.some((secret) => {
      const expected = signatureOf(payload, secret);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isSigned || !(await isKeyValid(this.database, content.key))) return undefined;
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
