// Logs of live sessions in folders of this machine. They survive restarts; no other machine uses them.
import { lstat, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Database } from "../../../platform/storage/db/database.ts";
import { allSessions, ownSession, sessionsOf } from "../../../platform/storage/db/jobs/live-sessions.ts";
import type { Disk } from "../../../platform/storage/disk/disk.ts";
import type { Quarantine } from "../../../platform/storage/quarantine.ts";
import { FolderLog } from "./folder-log.ts";
import { AUDIO_FILE, BOUNDARIES_FILE } from "./inbox.ts";
import { JOURNAL_FILE } from "./journal.ts";
import { cleanLeftoverFolders } from "./leftover-folders.ts";
import type { LiveNode, SessionLog, SessionLogs } from "./log-contract.ts";

export interface FolderLogsOptions {
  database: Database;
  /** Name of this machine, stable over restarts. */
  machine: string;
  /** Contains one folder per session. */
  folder: string;
  disk: Disk;
  /** Sessions with a folder here belong to this machine, even if its name was different before. */
  adoptsAll: boolean;
  /** No other machine uses this (embedded) database: all of its sessions belong to this machine. */
  isOnlyMachine: boolean;
  quarantine: Quarantine;
  logger: Logger;
}

export class FolderLogs implements SessionLogs {
  readonly isShared = false;
  readonly problem = undefined;
  readonly messenger = undefined;

  constructor(private readonly options: FolderLogsOptions) {}

  /** `onLost` is never called: no other machine takes over a session. */
  async start(): Promise<void> {
    await cleanLeftoverFolders(this.options);
  }

  follow(): void {
    // Other processes do not report.
  }

  others(): LiveNode[] {
    return [];
  }

  async open(id: string): Promise<SessionLog | undefined> {
    const { database, machine, isOnlyMachine, disk, logger } = this.options;
    if (!(await ownSession(database, id, machine, isOnlyMachine))) return undefined;
    const folder = this.folderOf(id);
    await this.clear(folder);
    return FolderLog.open(folder, disk, logger.child({ session: id }), this.options.quarantine);
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  abandoned(): Promise<string[]> {
    const { database, machine, isOnlyMachine } = this.options;
    return isOnlyMachine ? allSessions(database) : sessionsOf(database, machine);
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
    // Each session closes its own log.
  }

  /** Moves a file that blocks the session's folder, or a folder that blocks one of its files, to the quarantine. */
  private async clear(folder: string): Promise<void> {
    const { quarantine } = this.options;
    const found = await lstat(folder).catch(() => undefined);
    if (found && !found.isDirectory()) await quarantine.move(folder, "it was in the place of a live session's folder");
    for (const name of [AUDIO_FILE, BOUNDARIES_FILE, JOURNAL_FILE]) {
      const file = path.join(folder, name);
      const found = await lstat(file).catch(() => undefined);
      if (found && !found.isFile()) await quarantine.move(file, "it was in the place of a live session's file");
    }
  }

  private folderOf(id: string): string {
    return path.join(this.options.folder, id);
  }
}
