// Stops a process whose data folder another one has taken over: the lock was lost on a network file system, or the folder was
// copied and the copy works on the same database. Two writers would damage the same data.
// A check that fails itself counts as passed, because an outage of the database must not end the service; checks follow every 2 s. Once the folder is lost,
// `isCurrent` stays false, so that the queue claims nothing more, and `onTakenOver` ends the process.
import { errors, type ParlanceError } from "../errors.ts";
import type { Database } from "./db/database.ts";
import { generationOf } from "./db/machines.ts";
import type { FolderLock } from "./directory-lock.ts";

const CHECK_MILLISECONDS = 2_000;
/** How long a result is cached: the queue checks before every job. */
const KNOWN_MILLISECONDS = 1_000;
/** How long a generation that a periodic statement returned counts for the checks without a claim. */
const NOTED_MILLISECONDS = 20_000;

export interface FenceOptions {
  lock: FolderLock;
  database: Database;
  machine: string;
  generation: number;
  /** Called once; it must end the process without writing anything more. */
  onTakenOver(error: ParlanceError): void;
}

export class Fence {
  private timer: NodeJS.Timeout | undefined;
  private checked: { at: number; isCurrent: Promise<boolean> } | undefined;
  private isLost = false;
  private noted: { at: number; generation: number } | undefined;

  constructor(private readonly options: FenceOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), CHECK_MILLISECONDS).unref();
  }

  /** @param newest  generation of the data folder in the database; a process that starts is signalled besides */
  note(newest: number): void {
    this.noted = { at: performance.now(), generation: newest };
    if (newest > this.options.generation) this.recheck();
  }

  /** A process has started. */
  recheck(): void {
    this.checked = undefined;
    void this.isCurrent();
  }

  /** While the generation is known from elsewhere, only the lock is checked. */
  private async look(): Promise<void> {
    const isKnown = this.noted && performance.now() - this.noted.at < NOTED_MILLISECONDS;
    if (isKnown && (await this.options.lock.isHeld().catch(() => true))) return;
    await this.isCurrent();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Whether this process may take work. What cannot be found out counts as yes: the next check is a moment away. */
  async isCurrent(): Promise<boolean> {
    if (this.isLost) return false;
    const now = performance.now();
    if (!this.checked || now - this.checked.at > KNOWN_MILLISECONDS) {
      this.checked = { at: now, isCurrent: this.check() };
    }
    return this.checked.isCurrent;
  }

  private async check(): Promise<boolean> {
    const { lock, database, machine, generation, onTakenOver } = this.options;
    const [isHeld, newest] = await Promise.all([
      lock.isHeld().catch(() => true),
      generationOf(database, machine).catch(() => undefined),
    ]);
    if (isHeld && (newest ?? generation) <= generation) return true;
    if (!this.isLost) {
      this.isLost = true;
      this.stop();
      onTakenOver(errors.folderTakenOver(lock.folder));
    }
    return false;
  }
}
