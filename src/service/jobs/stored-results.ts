// Reads the results of finished jobs and verifies their SHA-256, so that a damaged result is never returned. A recorded
// job whose recording still exists is transcribed again.
import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import { hashFile } from "../../platform/storage/content-hash.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { findJob, type JobRow, remakeResult, setResultHash } from "../../platform/storage/db/jobs/jobs.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import type { Quarantine } from "../../platform/storage/quarantine.ts";

export type ResultRow = Pick<
  JobRow,
  "id" | "account_id" | "kind" | "status" | "result_key" | "result_hash" | "file_id"
>;

export interface StoredResultsServices {
  database: Database;
  objects: ObjectStore;
  quarantine: Quarantine;
  /** @returns why a result of an earlier version, which has no hash, is unreadable; undefined if it is readable */
  problemOf(tenant: string, file: string): Promise<string | undefined>;
  /** Called when a job was requeued. */
  onRequeued(): void;
  logger: Logger;
}

/** Verified results whose files have not changed since; about 200 bytes each. */
const MOST_REMEMBERED = 10_000;

const stampOf = ({ size, mtimeMs, ino }: Stats, hash: string | null) => `${hash} ${size} ${mtimeMs} ${ino}`;

export class StoredResults {
  /** By key, least recently used first. */
  private readonly verified = new Map<string, string>();
  private readonly verifying = new Map<string, Promise<string>>();

  constructor(private readonly services: StoredResultsServices) {}

  /**
   * Path of a file with the whole result of a finished job.
   * @throws job.no_transcript if there is none, job.result_remade if it is damaged and will be made again,
   *   job.result_damaged if it is damaged and cannot be made again, request.not_found if the job was deleted in the
   *   meantime
   */
  async path(row: ResultRow): Promise<string> {
    const { result_key: key, status } = row;
    if (status !== "done" || key === null) throw errors.noTranscript(status);
    const file = await this.services.objects.localPath(key);
    const found = await stat(file).catch(() => undefined);
    if (found && this.verified.get(key) === stampOf(found, row.result_hash)) return file;
    const known = this.verifying.get(key);
    if (known) return known;
    const comparing = this.verify(row, key).finally(() => this.verifying.delete(key));
    this.verifying.set(key, comparing);
    return comparing;
  }

  /** The stored result of a job as text, for its callback. @throws as `path` */
  async text(jobId: string): Promise<string> {
    const row = await findJob(this.services.database, jobId);
    if (!row) throw errors.notFound("Job");
    return readFile(await this.path(row), "utf8");
  }

  private async verify(row: ResultRow, key: string): Promise<string> {
    const { objects } = this.services;
    const problem = await this.problemOf(row, key);
    // This machine's copy may be damaged while the object in the store is intact.
    const isWhole =
      problem === undefined || ((await objects.dropCopy(key)) && (await this.problemOf(row, key)) === undefined);
    if (!isWhole) return this.replaceDamaged(row, key, problem);
    return objects.localPath(key);
  }

  /** @returns the damage of the stored result; undefined if it is intact */
  private async problemOf(row: ResultRow, key: string): Promise<string | undefined> {
    const { database, objects, problemOf } = this.services;
    const file = await objects.localPath(key);
    const before = await stat(file).catch(() => undefined);
    if (!before) return "the file is missing";
    if (!before.isFile()) return "something else is in the place of the file";
    const { sha256 } = await hashFile(file);
    if (row.result_hash === null) {
      const problem = await problemOf(row.account_id, file);
      if (problem !== undefined) return problem;
      await setResultHash(database, row.id, key, sha256);
    } else if (sha256 !== row.result_hash) return `its SHA-256 is ${sha256} instead of ${row.result_hash}`;
    this.markVerified(key, stampOf(before, row.result_hash ?? sha256));
    return undefined;
  }

  private async replaceDamaged(row: ResultRow, key: string, problem = ""): Promise<never> {
    const { database, objects, quarantine, onRequeued, logger } = this.services;
    const { id, kind } = row;
    const current = await findJob(database, id);
    if (!current) throw errors.notFound("Job");
    // Another request has found the same damage, or the job was transcribed again already.
    if (current.status !== "done") throw errors.resultRemade();
    if (current.result_key !== key || current.result_hash !== row.result_hash) throw errors.resultRemade();
    const hasRecording = await this.hasRecording(row);
    await quarantine.move(await objects.localPath(key), `the result of job ${id} is damaged: ${problem}`);
    if (hasRecording && (await remakeResult(database, id, key))) {
      logger.error({ job: id, problem }, "a stored result is damaged; the job is transcribed again");
      onRequeued();
      throw errors.resultRemade();
    }
    // Another process may have returned the job to the queue since it was read.
    if (hasRecording && (await this.isOther(id, key))) throw errors.resultRemade();
    logger.error({ job: id, problem }, "a stored result is damaged and cannot be made again");
    throw errors.resultDamaged(kind, hasRecording);
  }

  /** Whether the job has no result any more, or another one. @throws request.not_found */
  private async isOther(id: string, key: string): Promise<boolean> {
    const row = await findJob(this.services.database, id);
    if (!row) throw errors.notFound("Job");
    return row.status !== "done" || row.result_key !== key;
  }

  /** Whether the recording is complete, by its size: a transcript of a part would look complete. */
  private async hasRecording({ file_id: id }: ResultRow): Promise<boolean> {
    const file = id === null ? undefined : await findFile(this.services.database, id);
    if (!file || file.audio_deleted_at !== null) return false;
    return (await this.services.objects.size(file.object_key)) === file.size;
  }

  private markVerified(key: string, stamp: string): void {
    this.verified.delete(key);
    this.verified.set(key, stamp);
    const oldest = this.verified.keys().next().value;
    if (this.verified.size > MOST_REMEMBERED && oldest !== undefined) this.verified.delete(oldest);
  }
}
