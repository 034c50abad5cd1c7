// Sends a recording while it is made, as an upload whose length comes last (tus 1.0.0, creation-defer-length). Nothing depends on it: at the
// end, the client of uploads that resume continues its upload and sends what is missing.
import {
  beginUpload,
  isGone,
  offsetRequest,
  PASSING,
  pieceRequest,
  type UploadReply,
  type UploadSource,
  type UploadTransport,
} from "./resumable-upload.ts";

/** Each beginning whose answer is lost leaves an upload at the service until it expires. */
const MOST_BEGINNINGS = 20;
/** The service takes 10,000 requests more than the length of an upload needs. Bytes after the last of these requests are sent at the end. */
const MOST_REQUESTS = 5_000;
const [BAD_REQUEST, UNAUTHORIZED, SERVER_ERROR] = [400, 401, 500];
/** A later request may succeed. */
const mayPass = (status: number) => status >= SERVER_ERROR || status === UNAUTHORIZED || PASSING.has(status);

export class GrowingUpload<Body> {
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
    const offset = known ?? this.judged(await this.transport.send(offsetRequest(path)));
    if (offset === undefined) return;
    this.offset = offset;
    if (offset >= source.size) return;
    if (++this.requests === MOST_REQUESTS) this.isRefused = true;
    this.offset = undefined;
    this.offset = this.judged(await this.transport.send(pieceRequest(path, offset, source.size, source)));
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
    if (isGone(status)) this.path = undefined;
    else if (!mayPass(status)) this.isRefused = true;
    return undefined;
  }
}
