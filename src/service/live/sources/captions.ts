// What viewers of a source read: the messages of its session, and parts of WebVTT for HLS players. Both are in the database, so that every
// process serves them, and a part that was published never changes.
import type { Database } from "../../../platform/storage/db/database.ts";
import {
  addPart,
  type CaptionPart,
  openParts,
  publishPart,
  setTicks,
} from "../../../platform/storage/db/jobs/caption-parts.ts";
import { lastCaptions } from "../../../platform/storage/db/jobs/live-captions.ts";
import { type Caption, layoutCaptions } from "../../../speech/subtitles/layout.ts";
import { clock, writeVtt } from "../../../speech/subtitles/write.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import { isPartial, type ViewerRecord } from "../viewers/viewer-record.ts";

/** Messages that a new owner of the session reads: their finals may belong to parts that are not published. */
const MOST_RECENT = 200;

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
    this.latest = parts.at(-1);
    this.waiting = parts.filter(({ text }) => text === null);
    const [first] = this.waiting;
    this.publishedUntil = first?.starts ?? (this.latest ? this.latest.starts + this.latest.seconds : 0);
    const messages = await lastCaptions(this.database, this.sessionId, MOST_RECENT);
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
    // Stored first: after an error, the reading begins the part again.
    await addPart(this.database, this.sessionId, next);
    this.latest = next;
    this.waiting.push(next);
  }

  /** The clock of the source at the start of the last part. */
  async setTicks(ticks: number): Promise<void> {
    if (!this.latest || this.latest.ticks !== null) return;
    this.latest.ticks = ticks;
    await setTicks(this.database, this.sessionId, this.latest.number, ticks);
  }

  /** Stores an event before it counts as received; viewers in this process receive partials, too. */
  async add(emitted: EmittedEvent): Promise<void> {
    if (isPartial(emitted.event)) return this.record.sendPartial(emitted);
    if (await this.record.add(emitted)) this.addCues(emitted, false);
  }

  /** Publishes the parts whose audio ends before this time: their finals have been sent. */
  async publish(settledSeconds: number): Promise<void> {
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
