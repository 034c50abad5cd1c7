// Detects when a recording in a watched folder is complete: when it has stopped changing, and again after each later change.
import { stat } from "node:fs/promises";

/** A slow copy may pause for seconds. */
const SETTLE_MILLISECONDS = 5_000;

interface Seen {
  /** Size and time of the last change. */
  state: string;
  /** When this state was first seen, milliseconds. */
  since: number;
}

export class SettledFiles {
  private readonly seen = new Map<string, Seen>();
  private readonly taken = new Map<string, string>();

  /** @param now  milliseconds @returns whether the file has settled in a state that was not taken */
  async isReady(file: string, now: number): Promise<boolean> {
    const found = await stat(file).catch(() => undefined);
    if (!found || found.size === 0) return false;
    const state = `${found.size} ${found.mtimeMs}`;
    const before = this.seen.get(file);
    if (before?.state !== state) {
      this.seen.set(file, { state, since: now });
      return false;
    }
    return now - before.since >= SETTLE_MILLISECONDS && this.taken.get(file) !== state;
  }

  /** Marks the state that was seen last as taken: it is being transcribed, or its transcript exists. */
  take(file: string): void {
    this.taken.set(file, this.seen.get(file)?.state ?? "");
  }

  /** The file could not be transcribed for a reason that may pass: it will be ready again. */
  giveBack(file: string): void {
    this.taken.delete(file);
    this.seen.delete(file);
  }

  /** Whether any state of the file was taken. */
  hasTaken(file: string): boolean {
    return this.taken.has(file);
  }
}
