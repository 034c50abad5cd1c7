// Uploads that resume, after the protocol tus 1.0.0. Bytes that are acknowledged lie in the object store as parts, and the row of the upload
// counts them: any process continues the upload. A newer request replaces the one that adds bytes. The row names the writer, so that parts
// of a replaced request are not counted, on any machine. When every byte is there, upload-completion.ts makes the file of the parts.
import { createHash, randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { errors, type ParlanceError } from "../../platform/errors.ts";
import { within } from "../../platform/process/within.ts";
import { countUploadParts, type UploadPart } from "../../platform/storage/db/files/upload-parts.ts";
import {
  addUploadParts,
  bytesOfOtherUploads,
  claimUpload,
  decideLength,
  findUpload,
  insertUpload,
  type NewUpload,
  type UploadRow,
} from "../../platform/storage/db/files/uploads.ts";
import { uploadPartKey } from "../../platform/storage/objects/keys.ts";
import { removeUploads } from "./remove-uploads.ts";
import { UploadBody } from "./upload-body.ts";
import { type Judge, presentUpload, UploadCompletion, type UploadServices } from "./upload-completion.ts";

/** Bytes that are stored and counted at once: a process that is killed loses at most as many of a request. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts of an upload beyond those that its length needs: each request makes at least one. */
const SPARE_PARTS = 10_000;
/** A replaced request of this process stores what it has received. */
const END_MILLISECONDS = 5_000;
const CLAIM_TRIES = 5;

export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** The error for a byte behind the length of an upload, or behind the greatest file where the upload has no length yet. */
export const beyondLength = ({ length, is_length_deferred }: Pick<UploadRow, "length" | "is_length_deferred">) =>
  is_length_deferred ? errors.fileTooLarge(length) : errors.beyondLength(length);

interface Writer {
  end: AbortController;
  done: Promise<unknown>;
}

export class ResumableUploads {
  /** Requests of this process that add bytes, by upload. */
  private readonly writers = new Map<string, Writer>();
  private readonly completion: UploadCompletion;
  private isStopping = false;

  constructor(private readonly services: UploadServices) {
    this.completion = new UploadCompletion(services);
  }

  /** @throws limit.uploads, limit.upload_bytes, storage.full */
  async create(upload: NewUpload): Promise<UploadRow> {
    const { database, space, bounds, metrics } = this.services;
    await space.check("new", upload.isLengthDeferred ? 0 : upload.length);
    const begun = await insertUpload(database, upload, bounds);
    metrics.uploadOutcome("begun");
    return begun;
  }

  /** @throws request.not_found, upload.expired */
  async find(id: string, accountId: string): Promise<UploadRow> {
    return presentUpload(this.services.database, id, accountId);
  }

  async exists({ id, account_id: accountId }: UploadRow): Promise<boolean> {
    return (await findUpload(this.services.database, id, accountId)) !== undefined;
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

  /**
   * Sets the length of an upload that has none. Any other upload must have this length.
   * @returns the upload with its length
   * @throws request.header, file.empty, file.too_large, limit.upload_bytes, storage.full
   */
  async withLength(upload: UploadRow, length: number): Promise<UploadRow> {
    if (!upload.is_length_deferred) {
      if (length === upload.length) return upload;
      throw errors.headerMalformed("Upload-Length", `must stay ${upload.length}, which an earlier request has decided`);
    }
    if (length > upload.length) throw errors.fileTooLarge(upload.length);
    if (length === 0) throw errors.emptyFile();
    const { database, space, bounds } = this.services;
    await space.check("begun", Math.max(0, length - upload.received));
    if (await decideLength(database, upload, length, bounds.mostBytes))
      return { ...upload, length, is_length_deferred: false };
    const now = await this.find(upload.id, upload.account_id);
    if (!now.is_length_deferred) return this.withLength(now, length);
    throw errors.headerMalformed("Upload-Length", `must not be less than the ${now.received} bytes that are stored`);
  }

  /** @throws request.not_found */
  async remove(id: string): Promise<void> {
    await this.endWriter(id);
    if ((await removeUploads([id], this.services)) === 0) throw errors.notFound("Upload");
    this.services.metrics.uploadOutcome("deleted");
  }

  /**
   * Stores the bytes of a request. Those that arrive before the request is cut off are stored, too.
   * @throws upload.wrong_offset, upload.taken_over, upload.beyond_length, file.too_large, upload.checksum_differs, limit.upload_parts,
   *   limit.upload_bytes, storage.full
   */
  async append(upload: UploadRow, offset: number, body: Readable, checksum?: Checksum): Promise<void> {
    if (this.isStopping) throw errors.aborted();
    const { id, account_id: accountId, length } = upload;
    const { database, bounds } = this.services;
    const isDeferred = upload.is_length_deferred;
    const room = isDeferred ? bounds.mostBytes - (await bytesOfOtherUploads(database, upload)) : length;
    if (isDeferred && offset >= room) throw errors.tooManyUploadBytes(bounds.mostBytes);
    const mostParts = SPARE_PARTS + Math.ceil(length / PART_BYTES);
    if ((await countUploadParts(database, id)) >= mostParts) throw errors.tooManyUploadParts(mostParts);
    const name = randomUUID();
    if (!(await claimUpload(database, id, name, offset))) {
      const { received, verdict } = await this.find(id, accountId);
      if (received !== offset) throw errors.wrongOffset(offset, received);
      if (verdict === null && received < length) throw errors.uploadTakenOver();
      if (isDeferred) throw beyondLength(upload);
      return;
    }
    this.writers.get(id)?.end.abort();
    const end = new AbortController();
    const beyond = room < length ? errors.tooManyUploadBytes(bounds.mostBytes) : beyondLength(upload);
    const bounded = { id, length: Math.min(length, room), writer: name, beyond };
    const storing = this.store(bounded, offset, body, checksum, end.signal);
    const writer: Writer = { end, done: storing };
    this.writers.set(id, writer);
    try {
      await storing;
    } finally {
      if (this.writers.get(id) === writer) this.writers.delete(id);
    }
  }

  /** See `UploadCompletion.verdict`. */
  verdict(upload: UploadRow, judge: Judge): Promise<Record<string, unknown>> {
    return this.completion.verdict(upload, judge);
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
    { id, length, writer, beyond }: { id: string; length: number; writer: string; beyond: ParlanceError },
    offset: number,
    content: Readable,
    checksum: Checksum | undefined,
    end: AbortSignal,
  ): Promise<void> {
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
        if (position === length && (await body.hasMore())) throw beyond;
        if (!checksum) await this.count(id, writer, parts);
      }
      const isCut = body.failure !== undefined || end.aborted;
      if (checksum && (isCut || !hash?.digest().equals(checksum.digest))) {
        throw isCut ? errors.aborted() : errors.checksumDiffers(checksum.algorithm);
      }
      await this.count(id, writer, parts);
      if (isCut && position < length)
        throw this.isStopping || !end.aborted ? errors.aborted() : errors.uploadTakenOver();
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
}
