// Uploads that resume, after the protocol tus 1.0.0. Bytes that are acknowledged lie in the object store as parts, and the row of the upload
// counts them: any process continues the upload. A newer request replaces the one that adds bytes. The row names the writer, so that parts
// of a replaced request are not counted, on any machine. When every byte is there, one process makes the file of the parts and judges it.
import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { errors, ParlanceError, transferredError } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { within } from "../../platform/process/within.ts";
import type { NewFile } from "../../platform/storage/db/files/files.ts";
import {
  addUploadParts,
  claimCompletion,
  claimUpload,
  countUploadParts,
  extendCompletion,
  findUpload,
  insertUpload,
  type NewUpload,
  partsOfUpload,
  settleUpload,
  type UploadBounds,
  type UploadPart,
  type UploadRow,
} from "../../platform/storage/db/files/uploads.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import type { UploadVerdict } from "../../platform/storage/db/upload-tables.ts";
import type { FreeSpace } from "../../platform/storage/free-space.ts";
import { audioKey, uploadFolder, uploadPartKey } from "../../platform/storage/objects/keys.ts";
import { planUploadRemovals, removeUploadObjects, removeUploads, type UploadStores } from "./remove-uploads.ts";
import { UploadBody } from "./upload-body.ts";

/** Bytes that are stored and counted at once: a process that is killed loses at most as many of a request. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Parts of an upload beyond those that its length needs: each request makes at least one. */
const SPARE_PARTS = 10_000;
/** A replaced request of this process stores what it has received. */
const END_MILLISECONDS = 5_000;
const CLAIM_TRIES = 5;
const COMPLETING_SECONDS = 30;
const EXTEND_MILLISECONDS = 10_000;
/** A proxy in front of the service waits for longer. */
const WAIT_MILLISECONDS = 25_000;
const LOOK_MILLISECONDS = 250;

export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** Reads the file of a complete upload. @throws media.*, file.* for one that cannot be used; anything else is tried again */
export type Judge = () => Promise<{ file: NewFile; answer: Record<string, unknown> }>;

export type UploadOutcome = "begun" | "complete" | "refused" | "deleted";

export interface UploadServices extends UploadStores {
  space: FreeSpace;
  bounds: UploadBounds;
  metrics: { uploadOutcome(outcome: UploadOutcome): void; uploadedBytes(bytes: number): void };
}

interface Writer {
  end: AbortController;
  done: Promise<unknown>;
}

/** Whether the same file would be refused again. */
export const isRefusal = (thrown: unknown): thrown is ParlanceError =>
  thrown instanceof ParlanceError && /^(media|file)\./.test(thrown.code) && !thrown.retryable;

/** @throws upload.expired, request.not_found */
function present(upload: UploadRow | undefined): UploadRow {
  if (!upload) throw errors.notFound("Upload");
  if (upload.isExpired) throw errors.uploadExpired();
  return upload;
}

export class ResumableUploads {
  /** Requests of this process that add bytes, by upload. */
  private readonly writers = new Map<string, Writer>();
  private readonly completing = new Map<string, Promise<UploadVerdict>>();
  private isStopping = false;

  constructor(private readonly services: UploadServices) {}

  /** @throws limit.uploads, limit.upload_bytes, storage.full */
  async create(upload: NewUpload): Promise<UploadRow> {
    const { database, space, bounds, metrics } = this.services;
    await space.check("new", upload.length);
    const begun = await insertUpload(database, upload, bounds);
    metrics.uploadOutcome("begun");
    return begun;
  }

  /** @throws request.not_found, upload.expired */
  async find(id: string, accountId: string): Promise<UploadRow> {
    return present(await findUpload(this.services.database, id, accountId));
  }

  /** Ends the request that adds bytes. @returns the upload with every byte that is stored @throws request.not_found, upload.expired */
  async release(id: string, accountId: string): Promise<UploadRow> {
    await this.endWriter(id);
    for (let tries = 1; ; tries++) {
      const upload = await this.find(id, accountId);
      const isOpen = upload.received < upload.length && upload.writer !== null;
      if (!isOpen || tries === CLAIM_TRIES) return upload;
      if (await claimUpload(this.services.database, id, null, upload.received)) return upload;
    }
  }

  /** @throws request.not_found */
  async remove(id: string): Promise<void> {
    await this.endWriter(id);
    if ((await removeUploads([id], this.services)) === 0) throw errors.notFound("Upload");
    this.services.metrics.uploadOutcome("deleted");
  }

  /**
   * Stores the bytes of a request. Those that arrive before the request is cut off are stored, too.
   * @returns number of stored bytes of the upload
   * @throws upload.wrong_offset, upload.taken_over, upload.beyond_length, upload.checksum_differs, limit.upload_parts, storage.full
   */
  async append(
    { id, account_id: accountId, length }: UploadRow,
    offset: number,
    body: Readable,
    checksum?: Checksum,
  ): Promise<number> {
    if (this.isStopping) throw errors.aborted();
    const { database } = this.services;
    const mostParts = SPARE_PARTS + Math.ceil(length / PART_BYTES);
    if ((await countUploadParts(database, id)) >= mostParts) throw errors.tooManyUploadParts(mostParts);
    const name = randomUUID();
    if (!(await claimUpload(database, id, name, offset))) {
      const { received, verdict } = await this.find(id, accountId);
      if (received !== offset) throw errors.wrongOffset(offset, received);
      if (verdict === null) throw errors.uploadTakenOver();
      return received;
    }
    this.writers.get(id)?.end.abort();
    const end = new AbortController();
    const storing = this.store({ id, length, writer: name }, offset, body, checksum, end.signal);
    const writer: Writer = { end, done: storing };
    this.writers.set(id, writer);
    try {
      return await storing;
    } finally {
      if (this.writers.get(id) === writer) this.writers.delete(id);
    }
  }

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

  /** Ends the requests that add bytes: what they have received is stored. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const writers = [...this.writers.values()];
    for (const { end } of writers) end.abort();
    await Promise.allSettled(writers.map(({ done }) => done));
  }

  /** Ends the request of this process that adds bytes, and waits until what it has received is stored. */
  private async endWriter(id: string): Promise<void> {
    const writer = this.writers.get(id);
    writer?.end.abort();
    await within(END_MILLISECONDS, writer?.done ?? Promise.resolve()).catch(() => undefined);
  }

  private async store(
    { id, length, writer }: { id: string; length: number; writer: string },
    offset: number,
    content: Readable,
    checksum: Checksum | undefined,
    end: AbortSignal,
  ): Promise<number> {
    const { objects, space } = this.services;
    const hash = checksum && createHash(checksum.algorithm);
    const body = new UploadBody(content, end, hash);
    /** Stored, and not counted. */
    const parts: UploadPart[] = [];
    let position = offset;
    try {
      while (position < length && (await body.hasMore())) {
        const object_key = uploadPartKey(id, position, writer);
        const part = { start: position, size: 0, object_key };
        parts.push(part);
        const most = Math.min(PART_BYTES, length - position);
        part.size = await objects.write(object_key, space.guarded(body.part(most), "new"));
        position += part.size;
        if (position === length && (await body.hasMore())) throw errors.beyondLength(length);
        if (!checksum) await this.count(id, writer, parts);
      }
      if (position === length && (await body.hasMore())) throw errors.beyondLength(length);
      const isCut = body.failure !== undefined || end.aborted;
      if (checksum && (isCut || !hash?.digest().equals(checksum.digest))) {
        throw isCut ? errors.aborted() : errors.checksumDiffers(checksum.algorithm);
      }
      await this.count(id, writer, parts);
      if (isCut && position < length)
        throw this.isStopping || !end.aborted ? errors.aborted() : errors.uploadTakenOver();
      return position;
    } catch (error) {
      for (const { object_key } of parts) await objects.remove(object_key).catch(() => undefined);
      throw error;
    }
  }

  /** Counts stored parts and empties the list. @throws upload.taken_over */
  private async count(id: string, writer: string, parts: UploadPart[]): Promise<void> {
    const { database, objects, bounds, metrics } = this.services;
    // If the answer of the database is lost, the parts may be counted: their objects stay.
    const stored = parts.splice(0);
    if (await addUploadParts(database, { id, writer, expirySeconds: bounds.expirySeconds }, stored)) {
      metrics.uploadedBytes(stored.reduce((sum, { size }) => sum + size, 0));
      // Another machine may complete the upload; until then the copies would only fill this one's disk.
      for (const { object_key } of stored) await objects.dropCopy(object_key);
      return;
    }
    parts.push(...stored);
    throw errors.uploadTakenOver();
  }

  private async complete({ id, account_id: accountId, length }: UploadRow, judge: Judge): Promise<UploadVerdict> {
    const { database } = this.services;
    const claim = { id, writer: randomUUID(), seconds: COMPLETING_SECONDS };
    const deadline = performance.now() + WAIT_MILLISECONDS;
    while (!(await claimCompletion(database, claim))) {
      const upload = await this.find(id, accountId);
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
      await planUploadRemovals(transaction, objects, removals);
      return true;
    });
    if (!isSettled) throw errors.uploadTakenOver();
    this.services.metrics.uploadOutcome(file ? "complete" : "refused");
    await removeUploadObjects(this.services, removals);
    return verdict;
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
