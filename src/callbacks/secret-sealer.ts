// Encrypts callback signing secrets at rest with the operator's key, if one is set, so that a stolen copy of the
// database cannot sign callbacks.
import type { Keeper } from "../storage/db/callback-secrets.ts";
import { isSealed, TextSeal } from "../storage/sealed-text.ts";
import { newSecret } from "./sign.ts";

export class SecretSealer implements Keeper {
  private readonly current: TextSeal | undefined;
  private readonly previous: TextSeal | undefined;

  /**
   * @param operatorKey  a high-entropy text; "" stores secrets unencrypted
   * @param previousKey  opens texts that it sealed, and seals none; "" if there is none
   */
  constructor(operatorKey: string, previousKey = "") {
    this.current = operatorKey === "" ? undefined : new TextSeal(operatorKey, "callbacks");
    this.previous = previousKey === "" ? undefined : new TextSeal(previousKey, "callbacks");
  }

  get hasKey(): boolean {
    return this.current !== undefined;
  }

  /** Creates a secret, in its stored form. */
  make(): string {
    return this.seal(newSecret());
  }

  isCurrent(stored: string): boolean {
    if (!this.current) return !isSealed(stored);
    return isSealed(stored) && this.current.open(stored) !== undefined;
  }

  seal(secret: string): string {
    return this.current?.seal(secret) ?? secret;
  }

  /** @returns undefined if the secret was sealed with another key */
  open(stored: string): string | undefined {
    if (!isSealed(stored)) return stored;
    return this.current?.open(stored) ?? this.previous?.open(stored);
  }
}
