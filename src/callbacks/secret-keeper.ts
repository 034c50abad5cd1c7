// What callbacks are signed with, at rest: sealed with a key of the operator's where there is one, so that a stolen copy of the
// database signs nothing. AES-256-GCM, a nonce of its own for each secret.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { errors } from "../errors.ts";
import { newSecret } from "./sign.ts";

const PREFIX = "sealed:v1:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretKeeper {
  private readonly key: Buffer | undefined;

  /** @param operatorKey  any text that is hard to guess; "" keeps secrets as they are */
  constructor(operatorKey: string) {
    this.key =
      operatorKey === "" ? undefined : createHash("sha256").update(`parlance callbacks\0${operatorKey}`).digest();
  }

  /** A new secret, as it is stored. */
  make(): string {
    return this.seal(newSecret());
  }

  /** Whether it should be stored anew: the operator's key came after it. */
  isOpen(stored: string): boolean {
    return this.key !== undefined && !stored.startsWith(PREFIX);
  }

  seal(secret: string): string {
    if (!this.key) return secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** @throws settings.invalid where the operator's key is missing or another one */
  open(stored: string): string {
    if (!stored.startsWith(PREFIX)) return stored;
    const bytes = Buffer.from(stored.slice(PREFIX.length), "base64");
    try {
      if (!this.key) throw new Error("no key");
      const decipher = createDecipheriv("aes-256-gcm", this.key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      throw errors.invalidSettings([
        "PARLANCE_SECRETS_KEY must be the one that callback secrets were sealed with; it is missing or another one",
      ]);
    }
  }
}
