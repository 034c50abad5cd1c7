// Changes whose requests got no answer. The service may have stored them: the list of corrections then has one more with the same content.
import type { Correction, TranscriptChange } from "../../../src/contract/transcript/correction.ts";
import { ApiError } from "../api.ts";
import { isOutage } from "../outage.ts";
import { normal } from "./placed-words.ts";

const FAULTS_OF_SERVICE = 500;

/** Whether a failed request may have had its effect: it got no answer, or one that a proxy or a fault of the service made. */
export const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status >= FAULTS_OF_SERVICE);

export type MayRepeat = (error: ApiError) => Promise<boolean>;

/**
 * Repeats an attempt to store a change while the service does not answer. A fault of the service could answer each attempt, and every later
 * change waits for this one: it is not repeated.
 * @param isOpen  whether a request for it got no answer, and the list of corrections does not have it
 * @param mayRepeat  called after each attempt during an outage @throws ApiError
 */
export async function untilAnswered(attempt: () => Promise<void>, isOpen: () => boolean, mayRepeat?: MayRepeat) {
  for (let wasSent = false; ; ) {
    if (wasSent && !isOpen()) return;
    try {
      return await attempt();
    } catch (error) {
      wasSent = isOpen();
      const isRepeatable = error instanceof ApiError && isOutage(error.status);
      if (!mayRepeat || !isRepeatable || !(await mayRepeat(error))) throw error;
    }
  }
}

/** The change that a correction made, to make it again. */
export const changeOf = ({
  merges,
  splits,
  utterances,
  joins,
  breaks,
  cues,
  speakers,
}: TranscriptChange): TranscriptChange => ({
  ...(merges ? { merges } : {}),
  ...(splits ? { splits } : {}),
  ...(utterances ? { utterances } : {}),
  ...(joins ? { joins } : {}),
  ...(breaks ? { breaks } : {}),
  ...(cues ? { cues } : {}),
  ...(speakers ? { speakers } : {}),
});

/** Equal for a change and the correction that the service makes of it: texts have single spaces, fields have any order. */
const printOf = (change: TranscriptChange): string =>
  JSON.stringify(changeOf(change), (_, value: unknown) => {
    if (typeof value === "string") return normal(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
  });

export class UnansweredChanges {
  private changes: { print: string; known: ReadonlySet<string> }[] = [];

  /** @param known  the corrections that were listed before the request */
  add(change: TranscriptChange, known: readonly Correction[]): void {
    this.changes.push({ print: printOf(change), known: new Set(known.map(({ id }) => id)) });
  }

  has(change: TranscriptChange): boolean {
    const print = printOf(change);
    return this.changes.some((one) => one.print === print);
  }

  /** A later request for the same change got its answer. */
  answered(change: TranscriptChange): void {
    if (this.changes.length === 0) return;
    const print = printOf(change);
    this.changes = this.changes.filter((one) => one.print !== print);
  }

  /** Finds the changes among newly listed corrections, and forgets those that it finds. @returns ids of their corrections */
  found(corrections: readonly Correction[]): string[] {
    if (this.changes.length === 0) return [];
    return corrections.flatMap((correction) => {
      const print = printOf(correction);
      const isOwn = this.changes.some((one) => one.print === print && !one.known.has(correction.id));
      if (isOwn) this.changes = this.changes.filter((one) => one.print !== print);
      return isOwn ? [correction.id] : [];
    });
  }
}
