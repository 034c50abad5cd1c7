// What a connection states once, such as a warning about an unknown field: clients usually repeat it in every message. Dialects send it, or
// keep it for the result.
import { firstOf } from "../../../contract/first-of.ts";

/** Different warnings of a connection. */
const MOST_DIFFERENT = 50;

/** Warnings that are stated once each. When there are too many, one more counts those that are left out. */
export class SentOnce {
  private readonly sent = new Set<string>();
  private isFull = false;

  /** In the order in which they were sent. */
  get all(): string[] {
    return [...this.sent];
  }

  /** @returns those of the warnings that were not sent before */
  fresh(warnings: readonly string[]): string[] {
    if (this.isFull) return [];
    const fresh = [...new Set(warnings)].filter((text) => !this.sent.has(text));
    const { first, rest } = firstOf(fresh, MOST_DIFFERENT - this.sent.size);
    this.isFull = rest > 0;
    const sent = this.isFull ? [...first, leftOut(rest)] : first;
    for (const text of sent) this.sent.add(text);
    return sent;
  }
}

const leftOut = (count: number) =>
  `${count === 1 ? "1 more warning is" : `${count} more warnings are`} not listed, nor are later ones`;
