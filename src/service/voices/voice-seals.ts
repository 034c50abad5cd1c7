// Seals and opens the names and prints of voices with the operator's key.

import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { replaceSamplePrint, replaceVoiceName, sampleRows, voiceRows } from "../../platform/storage/db/voices.ts";
import { OperatorSeals } from "../../platform/storage/sealed-text.ts";

export class VoiceSeals {
  private readonly seals: OperatorSeals;

  /** @param operatorKey,previousKey  as of OperatorSeals */
  constructor(operatorKey: string, previousKey = "") {
    this.seals = new OperatorSeals("voices", operatorKey, previousKey);
  }

  get hasKey(): boolean {
    return this.seals.hasKey;
  }

  /** @throws voices.no_key */
  seal(text: string): string {
    const sealed = this.seals.seal(text);
    if (sealed === undefined) throw errors.voicesNeedKey();
    return sealed;
  }

  /** @returns undefined if it was sealed with another key */
  open(stored: string): string | undefined {
    return this.seals.open(stored);
  }

  /** @returns the text sealed with the current key; undefined if the current key sealed it already, or no key opens it */
  resealed(stored: string): string | undefined {
    if (!this.hasKey || this.seals.isCurrent(stored)) return undefined;
    const text = this.open(stored);
    return text === undefined ? undefined : this.seal(text);
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
    if (sealed !== undefined) await replaceVoiceName(database, id, name, sealed);
  }
  if (seals.hasKey) {
    for (const { id, print } of await sampleRows(database, undefined)) {
      const sealed = seals.resealed(print);
      if (sealed !== undefined) await replaceSamplePrint(database, id, print, sealed);
    }
  }
  return locked;
}
