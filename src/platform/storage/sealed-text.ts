// Encrypts texts at rest with AES-256-GCM and a separate nonce for each text. The key is derived from the operator's key and the purpose:
// a text that was sealed for one purpose cannot be opened for another.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const PREFIX = "sealed:v1:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type SealPurpose = "callbacks" | "voices";

const keyOf = (text: string, purpose: SealPurpose) =>
  createHash("sha256").update(`parlance ${purpose}\0${text}`).digest();

export const isSealed = (stored: string) => stored.startsWith(PREFIX);

/** Opens and seals with one key. */
class TextSeal {
  private readonly key: Buffer;

  /** @param operatorKey  a high-entropy text */
  constructor(operatorKey: string, purpose: SealPurpose) {
    this.key = keyOf(operatorKey, purpose);
  }

  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** @returns undefined if it was sealed with another key, or is damaged */
  open(stored: string): string | undefined {
    const bytes = Buffer.from(stored.slice(PREFIX.length), "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }
}

/** Seals with the operator's current key, and opens with that key or the previous one. */
export class OperatorSeals {
  private readonly current: TextSeal | undefined;
  private readonly previous: TextSeal | undefined;

  /**
   * @param operatorKey  a high-entropy text; "" if none is set: nothing is sealed then
   * @param previousKey  opens texts that it sealed, and seals none; "" if there is none
   */
  constructor(purpose: SealPurpose, operatorKey: string, previousKey: string) {
    this.current = operatorKey === "" ? undefined : new TextSeal(operatorKey, purpose);
    this.previous = previousKey === "" ? undefined : new TextSeal(previousKey, purpose);
  }

  get hasKey(): boolean {
    return this.current !== undefined;
  }

  /** @returns undefined without a key */
  seal(text: string): string | undefined {
    return this.current?.seal(text);
  }

  /** Whether the current key opens it. */
  isCurrent(stored: string): boolean {
    return this.current?.open(stored) !== undefined;
  }

  /** @returns undefined if it was sealed with another key, or is damaged */
  open(stored: string): string | undefined {
    return this.current?.open(stored) ?? this.previous?.open(stored);
  }
}
