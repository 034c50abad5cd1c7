// The client of an upload that resumes (tus 1.0.0). After a cut, it requests the number of stored bytes and continues there. It has no code of
// Node or of a browser: the console and the command line send its requests.
import { TUS_CONTENT_TYPE, TUS_VERSION } from "../tus.ts";
import type { ResumableUpload, Upload } from "../upload.ts";

export const RESUMABLE_PATH = "/v2/upload/resumable";
/** From this size on, a file is worth the further requests. */
export const RESUMABLE_BYTES = 8_000_000;
/** Bytes of one request. A proxy that collects bodies loses at most as many. */
export const PIECE_BYTES = 16 * 1024 * 1024;
const FIRST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 10_000;
/** The upload fails when the service has stored no further byte for this long. */
const GIVE_UP_MILLISECONDS = 300_000;
/** The upload begins again at most so often when the service has removed it. */
const MOST_BEGINNINGS = 3;
const [BAD_REQUEST, NOT_FOUND, CONFLICT, GONE, SERVER_ERROR] = [400, 404, 409, 410, 500];
/** A later attempt may succeed. */
export const PASSING: ReadonlySet<number> = new Set([408, CONFLICT, 423, 429, 460]);

export interface UploadRequest<Body> {
  method: "DELETE" | "GET" | "HEAD" | "PATCH" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: Body;
  /** Receives the bytes of the body that are sent. */
  onSent?(bytes: number): void;
}

export interface UploadReply {
  status: number;
  header(name: string): string | null | undefined;
  /** The body of an answer in JSON. */
  json: unknown;
}

export interface UploadSource<Body> {
  name: string;
  size: number;
  /** @param end  one past the last byte */
  slice(start: number, end: number): Body;
}

export interface UploadTransport<Body> {
  /** @throws when the service does not answer */
  send(request: UploadRequest<Body>): Promise<UploadReply>;
  pause(milliseconds: number): Promise<unknown>;
  now(): number;
  signal: AbortSignal;
}

export interface UploadEvents {
  /** Of the unfinished upload: with it, a later call continues. */
  onPath(path: string): unknown;
  /** @param share  0 to 1 */
  onProgress(share: number): void;
}

/** The file as POST /v2/upload describes it, or an answer after which the upload cannot succeed. */
export type UploadOutcome = { upload: Upload } | { refusal: UploadReply };

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The request for the number of stored bytes. */
export const offsetRequest = <Body>(path: string): UploadRequest<Body> => ({
  method: "HEAD",
  path,
  headers: { "tus-resumable": TUS_VERSION },
});

/** The request that adds the next bytes, at most one piece. @param end  one past the last byte of the file so far */
export function pieceRequest<Body>(
  path: string,
  offset: number,
  end: number,
  source: Pick<UploadSource<Body>, "slice">,
): UploadRequest<Body> {
  return {
    method: "PATCH",
    path,
    headers: { "tus-resumable": TUS_VERSION, "upload-offset": String(offset), "content-type": TUS_CONTENT_TYPE },
    body: source.slice(offset, Math.min(end, offset + PIECE_BYTES)),
  };
}

/** Whether the service has removed the upload. */
export const isGone = (status: number): boolean => status === NOT_FOUND || status === GONE;

/** @param length  the header that announces the length, or that it comes later @throws what `send` throws */
export async function beginUpload<Body>(
  { send }: Pick<UploadTransport<Body>, "send">,
  name: string,
  length: Record<string, string>,
): Promise<{ path: string } | { refusal: UploadReply }> {
  const headers = { "tus-resumable": TUS_VERSION, ...length, "upload-metadata": `filename ${base64(name)}` };
  const reply = await send({ method: "POST", path: RESUMABLE_PATH, headers });
  if (reply.status >= BAD_REQUEST) return { refusal: reply };
  // The path may have the prefix of a proxy, which the sender adds.
  const id = (reply.header("location") ?? "").split("/").at(-1);
  return { path: `${RESUMABLE_PATH}/${id}` };
}

class ResumedUpload<Body> {
  /** Stored bytes; undefined where they must be requested. */
  private offset: number | undefined;
  /** Bytes of the upload. The service may have more of a recording than the browser. */
  private length: number;
  /** Whether the upload has no length at the service yet, as that of a recording that was sent while it was made. */
  private isLengthDeferred = false;
  private beginnings = 0;
  private pause = FIRST_PAUSE_MILLISECONDS;
  private progressAt: number;
  /** Bytes of this upload that the service had stored at its last answer. */
  private lastStored = -1;

  constructor(
    private readonly source: UploadSource<Body>,
    private readonly transport: UploadTransport<Body>,
    private readonly events: UploadEvents,
    private path: string | undefined,
  ) {
    this.progressAt = transport.now();
    this.length = source.size;
  }

  async run(): Promise<UploadOutcome> {
    const { transport } = this;
    const { signal } = transport;
    for (;;) {
      signal.throwIfAborted();
      let failure: { refusal: UploadReply } | { thrown: unknown };
      try {
        const outcome = await this.step();
        if (outcome === undefined) continue;
        if ("upload" in outcome) return outcome;
        failure = outcome;
      } catch (thrown) {
        signal.throwIfAborted();
        failure = { thrown };
      }
      // Before the first byte is stored, the upload fails at once if the service is unreachable or full.
      const isUnbegun = this.path === undefined && this.beginnings <= 1;
      const isFinal = isUnbegun || ("refusal" in failure && !this.mayPass(failure.refusal.status));
      if (isFinal || transport.now() - this.progressAt > GIVE_UP_MILLISECONDS) {
        if ("refusal" in failure) return failure;
        throw failure.thrown;
      }
      this.offset = undefined;
      await transport.pause(this.pause);
      this.pause = Math.min(LONGEST_PAUSE_MILLISECONDS, this.pause * 2);
    }
  }

  /** Sends one request. @returns undefined if further ones are needed */
  private async step(): Promise<UploadOutcome | undefined> {
    const { path, offset } = this;
    if (path === undefined) return this.begin();
    if (offset === undefined) return this.reached(await this.transport.send(offsetRequest(path)));
    if (offset < this.length || this.isLengthDeferred) return this.sendPiece(path, offset);
    const reply = await this.transport.send({ method: "GET", path, headers: {} });
    if (reply.status >= BAD_REQUEST) return { refusal: reply };
    const { upload, offset: stored } = reply.json as ResumableUpload;
    if (upload) return { upload };
    // After a restore of the service from a backup, bytes are missing again. If none are, the length must be requested.
    this.offset = stored < this.length ? stored : undefined;
    this.lastStored = stored;
    return undefined;
  }

  private async begin(): Promise<UploadOutcome | undefined> {
    const { name, size } = this.source;
    this.beginnings++;
    this.length = size;
    this.isLengthDeferred = false;
    const begun = await beginUpload(this.transport, name, { "upload-length": String(size) });
    if ("refusal" in begun) return begun;
    this.path = begun.path;
    this.offset = 0;
    await this.events.onPath(this.path);
    return undefined;
  }

  private async sendPiece(path: string, offset: number): Promise<UploadOutcome | undefined> {
    const { length } = this;
    const request = pieceRequest(path, offset, length, this.source);
    const reply = await this.transport.send({
      ...request,
      headers: { ...request.headers, ...(this.isLengthDeferred ? { "upload-length": String(length) } : {}) },
      onSent: (bytes) => this.events.onProgress(Math.min(1, (offset + bytes) / length)),
    });
    return this.reached(reply);
  }

  /** Continues at the offset of an answer. */
  private reached(reply: UploadReply): UploadOutcome | undefined {
    const offset = Number(reply.header("upload-offset") ?? -1);
    this.isLengthDeferred = (reply.header("upload-defer-length") ?? null) !== null;
    if (this.isLengthDeferred) this.length = Math.max(this.source.size, offset);
    // Another page, which has other pieces of the recording, may have set the length.
    const decided = reply.header("upload-length") ?? null;
    if (decided !== null && Number(decided) !== this.length) {
      if (Number(decided) === offset) this.length = offset;
      else return this.forget() ? undefined : { refusal: reply };
    }
    const isOffset = Number.isInteger(offset) && offset >= 0 && offset <= this.length;
    if (reply.status >= BAD_REQUEST || !isOffset) return { refusal: reply };
    this.offset = offset;
    // An answer without a further byte is no progress: the pieces may be refused one after another.
    if (offset > this.lastStored) {
      this.progressAt = this.transport.now();
      this.pause = FIRST_PAUSE_MILLISECONDS;
    }
    // A service that was restored from a backup has fewer bytes than before: those that it stores again are progress.
    this.lastStored = offset;
    this.events.onProgress(offset / this.length);
    return undefined;
  }

  /** Forgets an upload that cannot be continued. @returns whether another one may begin */
  private forget(): boolean {
    this.path = undefined;
    this.offset = undefined;
    this.lastStored = -1;
    return this.beginnings < MOST_BEGINNINGS;
  }

  /** Whether a later attempt may succeed. Forgets the path of an upload that the service has removed. */
  private mayPass(status: number): boolean {
    if (this.path !== undefined && isGone(status)) return this.forget();
    return status >= SERVER_ERROR || PASSING.has(status);
  }
}

/**
 * @param path  of the unfinished upload, where an earlier call has begun it
 * @throws what `send` throws, after five minutes without progress; the reason of the signal
 */
export function uploadResumably<Body>(
  source: UploadSource<Body>,
  transport: UploadTransport<Body>,
  events: UploadEvents,
  path?: string,
): Promise<UploadOutcome> {
  return new ResumedUpload(source, transport, events, path).run();
}
