// Encrypts callback signing secrets at rest with the operator's key, if one is set, so that a stolen copy of the
// database cannot sign callbacks.
import type { Keeper } from "../../platform/storage/db/accounts/callback-secrets.ts";
import { isSealed, OperatorSeals } from "../../platform/storage/sealed-text.ts";
import { newSecret } from "./sign.ts";

export class SecretSealer implements Keeper {
  private readonly seals: OperatorSeals;

  /**
   * @param operatorKey  a high-entropy text; "" stores secrets unencrypted
   * @param previousKey  opens texts that it sealed, and seals none; "" if there is none
   */
  constructor(operatorKey: string, previousKey = "") {
    this.seals = new OperatorSeals("callbacks", operatorKey, previousKey);
  }

  get hasKey(): boolean {
    return this.seals.hasKey;
  }

  /** Creates a secret, in its stored form. */
  make(): string {
    return this.seal(newSecret());
  }

  isCurrent(stored: string): boolean {
    return this.hasKey ? isSealed(stored) && this.seals.isCurrent(stored) : !isSealed(stored);
  }

  seal(secret: string): string {
    return this.seals.seal(secret) ?? secret;
  }

  /** @returns undefined if the secret was sealed with another key */
  open(stored: string): string | undefined {
    return isSealed(stored) ? this.seals.open(stored) : stored;
  }
}
