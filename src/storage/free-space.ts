// Room on the disk that holds the data. A part of it is kept back: what was accepted must be brought to its end, and the
// database must never meet a full disk, so new work is refused before there is none left.
import { statfs } from "node:fs/promises";
import { errors } from "../errors.ts";

/** What was begun may use most of what is kept back. */
const SHARE_FOR_BEGUN = 0.25;
const KNOWN_MILLISECONDS = 200;
const LOOK_MILLISECONDS = 500;

/** new: something that is not accepted yet; begun: what was. */
export type Purpose = "new" | "begun";

export class FreeSpace {
  private known: { at: number; free: Promise<number> } | undefined;

  /** @param reserveBytes  0 looks at nothing */
  constructor(
    private readonly folder: string,
    private readonly reserveBytes: number,
  ) {}

  async hasRoom(purpose: Purpose): Promise<boolean> {
    if (this.reserveBytes === 0) return true;
    return (await this.free()) > this.reserveBytes * (purpose === "new" ? 1 : SHARE_FOR_BEGUN);
  }

  /** @throws storage.full */
  async check(purpose: Purpose = "new"): Promise<void> {
    if (!(await this.hasRoom(purpose))) throw errors.storageFull(await this.free(), this.reserveBytes, this.folder);
  }

  /** Returns when there is room, or `signal` is aborted. */
  async room(purpose: Purpose, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.hasRoom(purpose))) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    }
  }

  /** Bytes, as of a moment ago. */
  free(): Promise<number> {
    const now = performance.now();
    if (this.known && now - this.known.at < KNOWN_MILLISECONDS) return this.known.free;
    const free = statfs(this.folder).then(({ bavail, bsize }) => bavail * bsize);
    this.known = { at: now, free };
    return free;
  }
}

/** Codes of a disk, or of an account's part of it, without room. */
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** Whether something failed because there was no room: our own error, the system's, or the database's (53100). */
export function isFull(thrown: unknown): boolean {
  const { code, message = "" } = thrown as { code?: string; message?: string };
  if (code !== undefined && (FULL.has(code) || code === "storage.full" || code === "53100")) return true;
  return /no space left on device/i.test(message);
}
