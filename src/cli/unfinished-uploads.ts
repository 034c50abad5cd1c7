// Uploads that a run of the command line has begun and not ended, so that the next run of the same command continues them after a cut or a
// kill. One file for each recording and service, in the state folder of the user.
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { userFolders } from "../platform/config/user-folders.ts";
import { writeUserFile } from "./user-file.ts";

/** Longer than a service keeps an unfinished upload by default. */
const KEPT_MILLISECONDS = 14 * 24 * 3_600_000;

/** A recording on this machine. */
export interface LocalFile {
  file: string;
  size: number;
  /** When its content was changed last, milliseconds. */
  modified: number;
}

interface Unfinished extends LocalFile {
  server: string;
  /** Of the upload at the service. */
  path: string;
  /** Id of the process that sends the upload, or sent it until its end. */
  process: number;
}

export type Found =
  /** none: no earlier run left a record. busy: another process sends the upload now, and this run stores no record. */
  | { kind: "none" | "busy" }
  | { kind: "continue"; path: string }
  /** The file has changed since. */
  | { kind: "stale"; path: string };

/** Names of records, and of their unfinished files. The folder may be a link to a folder with other files. */
const RECORD = /^[0-9a-f]{64}\.json(?:\.[0-9a-f-]{36}\.part)?$/;

const isRunning = (id: number) => {
  // 0 and negative numbers stand for groups of processes.
  if (!Number.isInteger(id) || id < 1) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

function parsed(text: string): Unfinished | undefined {
  try {
    const { server, file, size, modified, path, process } = JSON.parse(text) as Partial<Unfinished>;
    const texts = [server, file, path].every((value) => typeof value === "string");
    const numbers = [size, modified, process].every((value) => typeof value === "number");
    // With a damaged file, requests must not go to other addresses of the service.
    if (!texts || !numbers || !/^\/v2\/upload\/resumable\/[\w-]{1,100}$/.test(path ?? "")) return undefined;
    return { server, file, size, modified, path, process } as Unfinished;
  } catch {
    return undefined;
  }
}

export class UnfinishedUpload {
  private readonly folder: string;
  private readonly record: string;
  private readonly local: LocalFile;

  /** @param server  address of the service */
  constructor(
    private readonly server: string,
    local: LocalFile,
  ) {
    this.local = { ...local, file: path.resolve(local.file) };
    const { state } = userFolders();
    this.folder = state === "" ? "" : path.join(state, "uploads");
    const name = createHash("sha256").update(`${server}\0${this.local.file}`).digest("hex");
    this.record = path.join(this.folder, `${name}.json`);
  }

  async find(): Promise<Found> {
    if (this.folder === "") return { kind: "none" };
    await this.removeOld();
    const found = parsed(await readFile(this.record, "utf8").catch(() => ""));
    if (!found || found.server !== this.server || found.file !== this.local.file) return { kind: "none" };
    if (found.process !== process.pid && isRunning(found.process)) return { kind: "busy" };
    const isSame = found.size === this.local.size && found.modified === this.local.modified;
    return { kind: isSame ? "continue" : "stale", path: found.path };
  }

  /** If the folder cannot be written to, the upload continues, but no later run can resume it. */
  async keep(uploadPath: string): Promise<void> {
    if (this.folder === "") return;
    const record: Unfinished = { server: this.server, ...this.local, path: uploadPath, process: process.pid };
    await writeUserFile(this.record, record).catch(() => undefined);
  }

  async forget(): Promise<void> {
    if (this.folder !== "") await rm(this.record, { force: true }).catch(() => undefined);
  }

  /** Records of uploads that were never continued, and what a killed process left. */
  private async removeOld(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!RECORD.test(name)) continue;
      const file = path.join(this.folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > KEPT_MILLISECONDS)
        await rm(file, { force: true }).catch(() => undefined);
    }
  }
}
