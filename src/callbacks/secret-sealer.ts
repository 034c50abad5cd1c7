// Encrypts callback signing secrets at rest with the operator's key, if one is set, so that a stolen copy of the
// database cannot sign callbacks. AES-256-GCM with a separate nonce per secret.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Keeper } from "../storage/db/callback-secrets.ts";
import { newSecret } from "./sign.ts";

const PREFIX = "sealed:v1:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (text: string) => createHash("sha256").update(`parlance callbacks\0${text}`).digest();

/** @returns undefined where it was sealed with another key */
function opened(stored: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(stored.slice(PREFIX.length), "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

export class SecretSealer implements Keeper {
  private readonly key: Buffer | undefined;
  private readonly previousKey: Buffer | undefined;

  /**
   * @param operatorKey  a high-entropy text; "" stores secrets unencrypted
   * @param previousKey  opens what it sealed, and seals nothing; "" is none
   */
  constructor(operatorKey: string, previousKey = "") {
    this.key = operatorKey === "" ? undefined : keyOf(operatorKey);
    this.previousKey = previousKey === "" ? undefined : keyOf(previousKey);
  }

  get hasKey(): boolean {
    return this.key !== undefined;
  }

  /** Creates a secret, in its stored form. */
  make(): string {
    return this.seal(newSecret());
  }

  isCurrent(stored: string): boolean {
    if (!this.key) return !stored.startsWith(PREFIX);
    return stored.startsWith(PREFIX) && opened(stored, this.key) !== undefined;
  }

  seal(secret: string): string {
    if (!this.key) return secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** @returns undefined if the secret was sealed with another key */
  open(stored: string): string | undefined {
    if (!stored.startsWith(PREFIX)) return stored;
    for (const key of [this.key, this.previousKey]) {
      const secret = key && opened(stored, key);
      if (secret !== undefined) return secret;
    }
    return undefined;
  }
}
