// The messages of a live session that its viewers receive: stored in the database in their order, each once, and sent to the viewers. Those
// that missed a message read the database.
import { hashOf } from "../../../platform/storage/content-hash.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { addCaption, captionState } from "../../../platform/storage/db/jobs/live-captions.ts";
import type { EmittedEvent, EventKind, LiveEvent } from "../events/live-event.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { ViewerFeeds } from "./viewer-feeds.ts";

/** Events that viewers receive. */
const SHOWN: ReadonlySet<EventKind> = new Set<EventKind>([
  "final",
  "translation",
  "utteranceAddon",
  "utteranceAddonFailed",
  "speakersRevised",
  "languageDetected",
  "error",
]);

export const isPartial = (event: LiveEvent): boolean =>
  event.kind === "partial" || (event.kind === "translation" && event.isPartial === true);

export class ViewerRecord {
  private hashes = new Set<string>();
  private nextNumber = 1;
  private opening: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    readonly sessionId: string,
    readonly format: RecordFormat,
    private readonly feeds: ViewerFeeds,
  ) {}

  /** Whether a viewer receives the messages now. */
  get isWatched(): boolean {
    return this.feeds.isWatched(this.sessionId);
  }

  /** Sends an event to the viewers without storing it. */
  sendPartial(emitted: EmittedEvent): void {
    if (this.isWatched) this.send(emitted, this.format.print(emitted));
  }

  /**
   * Stores an event that viewers receive, unless it is stored.
   * @returns whether it is new
   */
  async add(emitted: EmittedEvent): Promise<boolean> {
    if (!SHOWN.has(emitted.event.kind) || isPartial(emitted.event)) return false;
    const message = this.format.print(emitted);
    const hash = hashOf(message);
    await this.open();
    for (;;) {
      if (this.hashes.has(hash)) return false;
      const number = this.nextNumber;
      if (await addCaption(this.database, this.sessionId, { number, message }, hash)) {
        this.nextNumber++;
        this.hashes.add(hash);
        this.send(emitted, message, number);
        return true;
      }
      // An earlier owner of the session has stored this message, or another one with its number.
      this.opening = undefined;
      await this.open();
    }
  }

  private send({ event }: EmittedEvent, message: string, number?: number): void {
    const type = this.format.nameOf(event);
    this.feeds.send(this.sessionId, { type, message, ...(number === undefined ? {} : { number }) });
  }

  private open(): Promise<void> {
    this.opening ??= captionState(this.database, this.sessionId).then(
      ({ hashes, last }) => {
        this.hashes = new Set(hashes);
        this.nextNumber = last + 1;
      },
      (error: unknown) => {
        this.opening = undefined;
        throw error;
      },
    );
    return this.opening;
  }
}
