// What viewers of a source read: the messages of its session, and parts of WebVTT for HLS players. Both are in the database, so that every
// process serves them, and a part that was published never changes.
import { errors } from "../../../platform/errors.ts";
import { within } from "../../../platform/process/within.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import {
  addPart,
  type CaptionPart,
  openParts,
  publishPart,
  setTicks,
} from "../../../platform/storage/db/jobs/caption-parts.ts";
import { lastCaptions } from "../../../platform/storage/db/jobs/live-captions.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { type Caption, layoutCaptions } from "../../../speech/subtitles/layout.ts";
import { clock, writeVtt } from "../../../speech/subtitles/write.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import { isPartial, type ViewerRecord } from "../viewers/viewer-record.ts";

/** Messages that a new owner of the session reads: their finals may belong to parts that are not published. */
const MOST_RECENT = 200;
/** Parts that wait while the database is unavailable: about a day of parts of six seconds. */
const MOST_UNSTORED = 15_000;
/** The audio of a part waits this long for the database. */
const MOST_STORING_MILLISECONDS = 2_000;

/** The text of a part (RFC 8216, 3.5). Times of cues are those of the session. */
function partText({ starts, ticks }: Pick<CaptionPart, "starts" | "ticks">, cues: readonly Caption[]): string {
  const map = ticks === null ? "MPEGTS:0,LOCAL:00:00:00.000" : `MPEGTS:${ticks % 2 ** 33},LOCAL:${clock(starts, ".")}`;
  return writeVtt(cues).replace("WEBVTT\n", `WEBVTT\nX-TIMESTAMP-MAP=${map}\n`);
}

export class Captions {
  /** Parts that are not published, in their order. */
  private waiting: CaptionPart[] = [];
  private latest: CaptionPart | undefined;
  /** Cues of finals whose part is not published, or was published before the final arrived. */
  private cues: Caption[] = [];
  private publishedUntil = 0;
  /** Writes about parts that are to be stored, in their order. */
  private unstored: (() => Promise<void>)[] = [];
  private storing: Promise<void> | undefined;
  /** Whether the last write could not be stored: until one can, no part waits for the database. */
  private isAway = false;
  private publishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly record: ViewerRecord,
  ) {}

  private get sessionId(): string {
    return this.record.sessionId;
  }

  /** Reads what an earlier owner of the session stored. */
  async open(): Promise<void> {
    const parts = await openParts(this.database, this.sessionId);
    const messages = await lastCaptions(this.database, this.sessionId, MOST_RECENT);
    this.latest = parts.at(-1);
    this.waiting = parts.filter(({ text }) => text === null);
    const [first] = this.waiting;
    this.publishedUntil = first?.starts ?? (this.latest ? this.latest.starts + this.latest.seconds : 0);
    for (const { message } of messages) {
      const emitted = this.record.format.parse(message);
      if (emitted) this.addCues(emitted, true);
    }
  }

  /** The part that began last. */
  get last(): Readonly<CaptionPart> | undefined {
    return this.latest;
  }

  /** The next part begins. The first one has the number of the playlist of its source. */
  async begin(part: Omit<CaptionPart, "text" | "number">): Promise<void> {
    const number = this.latest ? this.latest.number + 1 : (part.sequence ?? 0);
    const next: CaptionPart = { ...part, number, text: null };
    if (this.unstored.length >= MOST_UNSTORED) throw errors.databaseUnavailable(undefined);
    // Stored before its audio, unless the database is unavailable: the audio does not wait for it.
    const values = { ...next };
    this.latest = next;
    this.waiting.push(next);
    await this.store(() => addPart(this.database, this.sessionId, values));
  }

  /** @throws errors that are not temporary */
  private async store(write: () => Promise<void>): Promise<void> {
    this.unstored.push(write);
    if (this.isAway) return;
    const stored = this.storeAll();
    await within(MOST_STORING_MILLISECONDS, stored, () => errors.databaseUnavailable(undefined)).catch((error) => {
      this.isAway = true;
      // The wait may have ended before the write.
      stored.catch(() => undefined);
      if (!mustWait(error)) throw error;
    });
  }

  private async storeAll(): Promise<void> {
    do {
      this.storing ??= this.storeEach().finally(() => {
        this.storing = undefined;
      });
      await this.storing;
      // A write may have been added after the last one was done.
    } while (this.unstored.length > 0);
  }

  private async storeEach(): Promise<void> {
    for (let [write] = this.unstored; write; [write] = this.unstored) {
      try {
        await write();
      } catch (error) {
        if (mustWait(error)) throw error;
        this.unstored.shift();
        throw error;
      }
      this.unstored.shift();
    }
    this.isAway = false;
  }

  /** The clock of the source at the start of the last part. */
  async setTicks(ticks: number): Promise<void> {
    if (!this.latest || this.latest.ticks !== null) return;
    this.latest.ticks = ticks;
    const { number } = this.latest;
    await this.store(() => setTicks(this.database, this.sessionId, number, ticks));
  }

  /** Stores an event before it counts as received; viewers in this process receive partials, too. */
  async add(emitted: EmittedEvent): Promise<void> {
    if (isPartial(emitted.event)) return this.record.sendPartial(emitted);
    if (await this.record.add(emitted)) this.addCues(emitted, false);
  }

  /** Publishes the parts whose audio ends before this time: their finals have been sent. Calls are processed one after the other. */
  publish(settledSeconds: number): Promise<void> {
    const published = this.publishing.then(() => this.publishAll(settledSeconds));
    this.publishing = published.catch(() => undefined);
    return published;
  }

  private async publishAll(settledSeconds: number): Promise<void> {
    await this.storeAll();
    for (;;) {
      const [part] = this.waiting;
      if (!part) return;
      const next = this.waiting[1];
      const end = next?.starts ?? part.starts + part.seconds;
      // The last part may be longer than it says.
      if (end > settledSeconds || (!next && settledSeconds !== Number.POSITIVE_INFINITY)) return;
      const cues = this.cues.filter(({ start }) => start < end);
      await publishPart(this.database, this.sessionId, part.number, end - part.starts, partText(part, cues));
      this.waiting.shift();
      this.publishedUntil = end;
      this.cues = this.cues.filter((cue) => cue.end > end);
    }
  }

  private addCues({ event }: EmittedEvent, isOld: boolean): void {
    if (event.kind !== "final") return;
    for (const cue of layoutCaptions({ utterances: [event.utterance] }, {}, "beside")) {
      if (!isOld || cue.end > this.publishedUntil) this.cues.push(cue);
    }
  }
}
