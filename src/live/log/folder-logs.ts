// Logs of live sessions in folders of this machine: they survive its restarts, and are nobody else's.
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import type { Database } from "../../storage/db/database.ts";
import { ownSession, sessionsOf } from "../../storage/db/live-sessions.ts";
import { Inbox } from "./inbox.ts";
import { Journal } from "./journal.ts";
import type { JournalEntry, SessionLog, SessionLogs } from "./log-contract.ts";

export interface FolderLogsOptions {
  database: Database;
  /** Name of this machine, the same over restarts. */
  machine: string;
  /** A folder a session. */
  folder: string;
  /** Wait until the disk itself has every chunk (survives a loss of power); else the system's memory will do. */
  syncEveryChunk: boolean;
}

class FolderLog implements SessionLog {
  readonly isLost = false;

  constructor(
    readonly audio: Inbox,
    private readonly journal: Journal,
    readonly entries: JournalEntry[],
  ) {}

  note(...entries: JournalEntry[]): Promise<void> {
    return this.journal.append(...entries);
  }

  stream(start: number, end: number): Readable {
    return this.audio.stream(start, end);
  }

  hurry(): void {
    // A disk does not keep anybody waiting.
  }

  async close(): Promise<void> {
    await this.audio.close();
    await this.journal.close();
  }
}

export class FolderLogs implements SessionLogs {
  readonly isShared = false;

  constructor(private readonly options: FolderLogsOptions) {}

  /** Nobody takes a session from this machine. What an earlier process had no time to remove goes. */
  async start(): Promise<void> {
    const left = await readdir(this.options.folder).catch(() => []);
    if (left.length === 0) return;
    const wanted = new Set(await this.abandoned());
    for (const id of left) if (!wanted.has(id)) await this.remove(id);
  }

  async open(id: string): Promise<SessionLog | undefined> {
    const { database, machine, syncEveryChunk } = this.options;
    if (!(await ownSession(database, id, machine))) return undefined;
    const folder = this.folderOf(id);
    const audio = await Inbox.open({ folder, syncEveryChunk });
    const { journal, entries } = await Journal.open(folder);
    return new FolderLog(audio, journal, entries);
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  abandoned(): Promise<string[]> {
    return sessionsOf(this.options.database, this.options.machine);
  }

  async isKept(): Promise<boolean> {
    return false;
  }

  async remove(id: string): Promise<void> {
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await mkdir(this.options.folder, { recursive: true });
  }

  async stop(): Promise<void> {
    // Each log was closed by its session.
  }

  private folderOf(id: string): string {
    return path.join(this.options.folder, id);
  }
}
