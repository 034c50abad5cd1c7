// Reads an endless stream of audio over HTTP, as Icecast and encoders send it.
import { errors } from "../../../platform/errors.ts";
import type { ByteRange } from "../../../platform/net/safe-fetch.ts";
import { Joint, WithoutMetadata } from "./endless-audio.ts";
import type { Answer, Fetching } from "./fetching.ts";
import type { SourceAudio } from "./source-audio.ts";
import type { SourceDecoder } from "./source-decoder.ts";

/** How long the bytes of a new connection are searched for the end of the previous one. Servers send the last seconds at once. */
const SEARCH_MILLISECONDS = 1_500;
const PAGES = /^(?:text\/html|application\/json|image\/[a-z]{1,10})/;

export class EndlessReading {
  private readonly joint = new Joint();
  private hasStream = false;
  /** The file that is read: its address, its bytes, and how many of them were taken. */
  private recording: { address: string; length: number; taken: number } | undefined;

  constructor(
    private readonly fetching: Fetching,
    private readonly audio: SourceAudio,
    private readonly decoder: SourceDecoder,
    private readonly now: () => Date,
  ) {}

  /** Range of the bytes that are missing after a connection broke off; undefined to request the whole address. @param url  as it is requested */
  rest(url: URL): ByteRange | undefined {
    const { address, length, taken } = this.recording ?? { address: "", length: 0, taken: 0 };
    return url.href === address && taken > 0 && taken < length ? { from: taken, length: length - taken } : undefined;
  }

  /** @param url  as it was requested @returns when a recording ends; @throws when the stream breaks off: live.source_failed, live.source_refused */
  async read(answer: Answer, url: URL): Promise<void> {
    const { contentType, contentLength, metadataEvery } = answer;
    const page = PAGES.exec(contentType)?.[0];
    if (page !== undefined) {
      answer.close();
      throw errors.liveSourceRefused(`its address answers with ${page}, not with audio`);
    }
    const filter = new WithoutMetadata(metadataEvery);
    const beganAt = this.now();
    let since: number | undefined;
    const isContinued = this.continues(answer, url);
    if (this.hasStream && !isContinued) this.joint.begin();
    for await (const piece of this.fetching.pieces(answer)) {
      if (this.fetching.signal.aborted) return;
      if (this.recording) this.recording.taken += piece.length;
      since ??= performance.now();
      const bytes = filter.push(piece);
      if (!this.joint.isSearching) {
        if (!this.hasStream) await this.beginStream(beganAt);
        await this.take(bytes);
        continue;
      }
      const found = this.joint.search(bytes, performance.now() - since > SEARCH_MILLISECONDS);
      if (!found) continue;
      if (!found.isJoined) await this.beginStream(beganAt);
      await this.take(found.bytes);
    }
    if (contentLength === undefined || metadataEvery !== undefined)
      throw errors.liveSourceFailed("its server ended the connection");
    await this.decoder.finish();
  }

  /** @returns whether the answer is the rest of the recording @throws live.source_failed: the recording has changed */
  private continues({ from, contentLength, metadataEvery, close }: Answer, { href: address }: URL): boolean {
    const { recording } = this;
    if (from > 0) {
      if (recording && from === recording.taken && from + (contentLength ?? 0) === recording.length) return true;
      this.recording = undefined;
      close();
      throw errors.liveSourceFailed("its recording has changed");
    }
    const isRecording = contentLength !== undefined && metadataEvery === undefined;
    this.recording = isRecording ? { address, length: contentLength, taken: 0 } : undefined;
    // An earlier process read the first part of it, or its decoder was lost.
    if (isRecording && !this.hasStream && this.audio.hasAudio)
      this.audio.report("the recording of the source is read from its beginning again, after an interruption");
    return false;
  }

  /** The next bytes do not continue the stream so far: what lies between them is missing. */
  private async beginStream(beganAt: Date): Promise<void> {
    await this.decoder.finish();
    await this.audio.beginStream(beganAt, "its server sent no audio");
    this.hasStream = true;
  }

  private async take(bytes: Buffer): Promise<void> {
    this.joint.note(bytes);
    await this.decoder.push(bytes);
  }

  /** The rest of the recording was refused: it may have been replaced by a shorter one, which is read from its beginning. */
  restRefused(): void {
    this.recording = undefined;
  }

  /** The stream so far cannot be continued: its decoder has been lost. */
  forget(): void {
    this.hasStream = false;
    this.recording = undefined;
  }
}
