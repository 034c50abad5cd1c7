// Makes the file of an upload whose bytes are all stored, and judges it. One process does it: its claim in the row is extended until the end.
// Other processes wait for the verdict, and one of them takes over when the claim is no longer extended.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { errors, ParlanceError, transferredError } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { NewFile } from "../../platform/storage/db/files/files.ts";
import { keysInUse } from "../../platform/storage/db/files/object-removals.ts";
import { partsOfUpload, type UploadPart } from "../../platform/storage/db/files/upload-parts.ts";
import {
  claimCompletion,
  extendCompletion,
  findUpload,
  knownUploads,
  settleUpload,
  type UploadBounds,
  type UploadRow,
} from "../../platform/storage/db/files/uploads.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import type { UploadVerdict } from "../../platform/storage/db/upload-tables.ts";
import type { FreeSpace } from "../../platform/storage/free-space.ts";
import { audioKey, uploadFolder } from "../../platform/storage/objects/keys.ts";
import { finishPlanned, planWithTombstones, type RemovalStores } from "../../platform/storage/planned-removals.ts";

const COMPLETING_SECONDS = 30;
const EXTEND_MILLISECONDS = 10_000;
/** A proxy in front of the service waits for longer. */
const WAIT_MILLISECONDS = 25_000;
const LOOK_MILLISECONDS = 250;

/** Reads the file of a complete upload. @throws media.*, file.* for one that cannot be used; anything else is tried again */
export type Judge = () => Promise<{ file: NewFile; answer: Record<string, unknown> }>;

type UploadOutcome = "begun" | "complete" | "refused" | "deleted";

export interface UploadServices extends RemovalStores {
  space: FreeSpace;
  bounds: UploadBounds;
  metrics: { uploadOutcome(outcome: UploadOutcome): void; uploadedBytes(bytes: number): void };
}

/** Whether the same file would be refused again. */
export const isRefusal = (thrown: unknown): thrown is ParlanceError =>
  thrown instanceof ParlanceError && /^(media|file)\./.test(thrown.code) && !thrown.retryable;

/** @throws upload.expired, request.not_found */
export async function presentUpload(database: Database, id: string, accountId: string): Promise<UploadRow> {
  const upload = await findUpload(database, id, accountId);
  // A client that remembers an upload begins a new one where its file was deleted.
  if (!upload || upload.isFileGone) throw errors.notFound("Upload");
  if (upload.isExpired) throw errors.uploadExpired();
  return upload;
}

export class UploadCompletion {
  /** Of this process, by upload. */
  private readonly completing = new Map<string, Promise<UploadVerdict>>();

  constructor(private readonly services: UploadServices) {}

  /**
   * What a complete file turned out to be. The first call makes and judges it; that lasts until the end, whether the caller waits or not.
   * @returns the answer of the upload without addresses
   * @throws what the file is refused for; upload.completing while another process judges it for long
   */
  async verdict(upload: UploadRow, judge: Judge): Promise<Record<string, unknown>> {
    const { id } = upload;
    let running = this.completing.get(id);
    if (!running && upload.verdict === null) {
      running = this.complete(upload, judge).finally(() => this.completing.delete(id));
      this.completing.set(id, running);
    }
    const { answer, refusal } = (await running) ?? (upload.verdict as UploadVerdict);
    if (refusal) throw transferredError(refusal.message, { code: refusal.code, status: refusal.status });
    return answer ?? {};
  }

  private async complete({ id, account_id: accountId, length }: UploadRow, judge: Judge): Promise<UploadVerdict> {
    const { database } = this.services;
    const claim = { id, writer: randomUUID(), seconds: COMPLETING_SECONDS };
    const deadline = performance.now() + WAIT_MILLISECONDS;
    while (!(await claimCompletion(database, claim))) {
      const upload = await presentUpload(database, id, accountId);
      if (upload.verdict !== null) return upload.verdict;
      if (performance.now() > deadline) throw errors.uploadCompleting();
      await sleep(LOOK_MILLISECONDS);
    }
    const extending = setInterval(
      () => void extendCompletion(database, claim).catch(() => undefined),
      EXTEND_MILLISECONDS,
    );
    try {
      return await this.judged(claim, length, judge);
    } catch (error) {
      // If that fails, the planned removal of the upload's objects does it.
      await this.removeIfDeleted(id).catch(() => undefined);
      await extendCompletion(database, { ...claim, seconds: 0 }).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(extending);
    }
  }

  /** Makes the file and stores its verdict. */
  private async judged(claim: { id: string; writer: string }, length: number, judge: Judge): Promise<UploadVerdict> {
    const { database, objects, space } = this.services;
    const { id } = claim;
    const key = audioKey(id);
    await space.check("begun", length);
    const parts = await partsOfUpload(database, id);
    const size = await objects.write(key, space.guarded(this.content(parts), "begun"));
    if (size !== length) throw errors.recordingDamaged(size, length);
    let file: NewFile | undefined;
    let verdict: UploadVerdict;
    try {
      const judged = await judge();
      file = judged.file;
      verdict = { answer: judged.answer };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, status, message } = error;
      verdict = { refusal: { code, status, message } };
    }
    const removals = [{ key: uploadFolder(id), isFolder: true }, ...(file ? [] : [{ key, isFolder: false }])];
    const isSettled = await inTransaction(database, async (transaction) => {
      if (!(await settleUpload(transaction, claim, verdict, file))) return false;
      await planWithTombstones(transaction, objects, removals);
      return true;
    });
    if (!isSettled) throw errors.uploadTakenOver();
    this.services.metrics.uploadOutcome(file ? "complete" : "refused");
    await finishPlanned(this.services, removals);
    return verdict;
  }

  /** Removes the file that was made of an upload which was deleted meanwhile. */
  private async removeIfDeleted(id: string): Promise<void> {
    const { database, objects } = this.services;
    const key = audioKey(id);
    const isKnown = (await knownUploads(database, [id])).has(id) || (await keysInUse(database, [key])).has(key);
    if (!isKnown) await objects.remove(key);
  }

  private content(parts: readonly UploadPart[]): Readable {
    const { objects } = this.services;
    return Readable.from(
      (async function* () {
        for (const { object_key } of parts) yield* await objects.read(object_key);
      })(),
      { objectMode: false },
    );
  }
}
