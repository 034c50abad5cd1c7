// Sends a recording while it is made, as an upload whose length comes last (tus 1.0.0, creation-defer-length). Nothing depends on it: at the
// end, the client of uploads that resume continues its upload and sends what is missing.
import { TUS_CONTENT_TYPE, TUS_VERSION } from "../tus.ts";
import {
  beginUpload,
  PIECE_BYTES,
  type UploadReply,
  type UploadSource,
  type UploadTransport,
} from "./resumable-upload.ts";

/** An upload begins again at most so often: where the answers are lost, each attempt leaves one at the service, until it expires. */
const MOST_BEGINNINGS = 20;
/** Of an upload, of which the service takes 10,000 more than its length needs. Later bytes are sent at the end. */
const MOST_REQUESTS = 5_000;
const [BAD_REQUEST, SERVER_ERROR] = [400, 500];
/** A later request may succeed. */
const PASSING = new Set([401, 408, 409, 423, 429, 460]);
const GONE = new Set([404, 410]);

export class GrowingUpload<Body> {
  private readonly headers = { "tus-resumable": TUS_VERSION };
  /** Of the upload; undefined until it has begun. */
  private path: string | undefined;
  /** Stored bytes; undefined where they must be requested. */
  private offset: number | undefined;
  private beginnings = 0;
  private requests = 0;
  /** Whether the service does not take the recording in this way. */
  private isRefused = false;

  /** @param onPath  called with the path of the upload once it has begun */
  constructor(
    private readonly transport: Pick<UploadTransport<Body>, "send">,
    private readonly onPath: (path: string) => unknown,
  ) {}

  /**
   * Sends bytes that the service does not have yet, at most one piece. One call at a time.
   * @param source  the recording so far
   * @throws what `send` throws; a later call continues
   */
  async send(source: UploadSource<Body>): Promise<void> {
    if (this.isRefused) return;
    if (this.path === undefined) await this.begin(source.name);
    const { path, offset: known } = this;
    if (path === undefined) return;
    this.offset = undefined;
    const offset = known ?? this.judged(await this.transport.send({ method: "HEAD", path, headers: this.headers }));
    if (offset === undefined) return;
    this.offset = offset;
    if (offset >= source.size) return;
    if (++this.requests === MOST_REQUESTS) this.isRefused = true;
    this.offset = undefined;
    const headers = { ...this.headers, "upload-offset": String(offset), "content-type": TUS_CONTENT_TYPE };
    const body = source.slice(offset, Math.min(source.size, offset + PIECE_BYTES));
    this.offset = this.judged(await this.transport.send({ method: "PATCH", path, headers, body }));
  }

  private async begin(name: string): Promise<void> {
    if (++this.beginnings === MOST_BEGINNINGS) this.isRefused = true;
    const begun = await beginUpload(this.transport, name, { "upload-defer-length": "1" });
    if ("refusal" in begun) {
      this.judged(begun.refusal);
      return;
    }
    this.path = begun.path;
    this.offset = 0;
    await this.onPath(begun.path);
  }

  /** @returns the stored bytes that an answer names */
  private judged(reply: UploadReply): number | undefined {
    const { status } = reply;
    const offset = Number(reply.header("upload-offset") ?? -1);
    if (status < BAD_REQUEST) return offset >= 0 ? offset : undefined;
    if (GONE.has(status)) this.path = undefined;
    else if (status < SERVER_ERROR && !PASSING.has(status)) this.isRefused = true;
    return undefined;
  }
}
