// Seals and opens the names and prints of voices with the operator's key.

import { errors } from "../errors.ts";
import type { Database } from "../storage/db/database.ts";
import { sampleRows, setSamplePrint, setVoiceName, voiceRows } from "../storage/db/voices.ts";
import { TextSeal } from "../storage/sealed-text.ts";

export class VoiceSeals {
  private readonly current: TextSeal | undefined;
  private readonly previous: TextSeal | undefined;

  /**
   * @param operatorKey  a high-entropy text; "" if none is set: nothing can be sealed then
   * @param previousKey  opens texts that it sealed, and seals none; "" if there is none
   */
  constructor(operatorKey: string, previousKey = "") {
    this.current = operatorKey === "" ? undefined : new TextSeal(operatorKey, "voices");
    this.previous = previousKey === "" ? undefined : new TextSeal(previousKey, "voices");
  }

  get hasKey(): boolean {
    return this.current !== undefined;
  }

  /** @throws voices.no_key */
  seal(text: string): string {
    if (!this.current) throw errors.voicesNeedKey();
    return this.current.seal(text);
  }

  /** @returns undefined if it was sealed with another key */
  open(stored: string): string | undefined {
    return this.current?.open(stored) ?? this.previous?.open(stored);
  }

  /** @returns the text sealed with the current key; undefined if the current key sealed it already, or no key opens it */
  resealed(stored: string): string | undefined {
    if (!this.current || this.current.open(stored) !== undefined) return undefined;
    const text = this.previous?.open(stored);
    return text === undefined ? undefined : this.current.seal(text);
  }
}

/**
 * Seals with the current key all names and prints that the previous key sealed. Called at every start.
 * @returns the number of voices that no key opens
 */
export async function resealVoices(database: Database, seals: VoiceSeals): Promise<number> {
  let locked = 0;
  for (const { id, name } of await voiceRows(database, undefined)) {
    if (seals.open(name) === undefined) locked++;
    const sealed = seals.resealed(name);
    if (sealed !== undefined) await setVoiceName(database, id, sealed);
  }
  if (seals.hasKey) {
    for (const { id, print } of await sampleRows(database, undefined)) {
      const sealed = seals.resealed(print);
      if (sealed !== undefined) await setSamplePrint(database, id, sealed);
    }
  }
  return locked;
}
