// Voices of the people that one request names (known_speaker_references of OpenAI's interface). They are in the row of the job, sealed, until
// the job ends.
import { randomBytes } from "node:crypto";
import type { RequestedPerson } from "../../contract/job-parameters.ts";
import { OperatorSeals } from "../../platform/storage/sealed-text.ts";

const KEY_BYTES = 32;

export class RequestVoices {
  private readonly seals: OperatorSeals;

  /**
   * @param operatorKey  as of OperatorSeals. Without one, the key is random and only in memory: another process, or the next one, cannot
   *   open what this one sealed
   */
  constructor(operatorKey: string, previousKey = "") {
    const key = operatorKey === "" ? randomBytes(KEY_BYTES).toString("base64") : operatorKey;
    this.seals = new OperatorSeals("voices", key, previousKey);
  }

  seal(people: readonly RequestedPerson[]): string {
    return this.seals.seal(JSON.stringify(people)) as string;
  }

  /** @returns undefined if another key sealed it */
  open(sealed: string): RequestedPerson[] | undefined {
    const text = this.seals.open(sealed);
    return text === undefined ? undefined : (JSON.parse(text) as RequestedPerson[]);
  }
}
