// Reads an endless stream of audio over HTTP, as Icecast and encoders send it.
import { errors } from "../../../platform/errors.ts";
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

  constructor(
    private readonly fetching: Fetching,
    private readonly audio: SourceAudio,
    private readonly decoder: SourceDecoder,
    private readonly now: () => Date,
  ) {}

  /** @returns when a recording ends; @throws when the stream breaks off: live.source_failed, live.source_refused */
  async read(answer: Answer): Promise<void> {
    const { contentType, contentLength, metadataEvery } = answer;
    const page = PAGES.exec(contentType)?.[0];
    if (page !== undefined) {
      answer.close();
      throw errors.liveSourceRefused(`its address answers with ${page}, not with audio`);
    }
    const filter = new WithoutMetadata(metadataEvery);
    const beganAt = this.now();
    let since: number | undefined;
    if (this.hasStream) this.joint.begin();
    for await (const piece of this.fetching.pieces(answer)) {
      if (this.fetching.signal.aborted) return;
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

  /** The stream so far cannot be continued: its decoder has been lost. */
  forget(): void {
    this.hasStream = false;
  }
}
