// The audio of a source on the clock of its session: samples, silence for what is missing, and the parts that its captions have.
import { sleep } from "../../../platform/process/sleep.ts";
import type { CaptionPart } from "../../../platform/storage/db/jobs/caption-parts.ts";
import { keptWarning } from "../events/client-command.ts";
import type { Session } from "../session/session.ts";
import type { Captions } from "./captions.ts";
import type { SourceConnection } from "./source-connection.ts";
import { SOURCE_RATE } from "./source-decoder.ts";

const SAMPLE_BYTES = 2;
const TICKS_PER_SECOND = 90_000;
/** Length of the parts of a source without parts, such as a station. */
const PART_SECONDS = 6;
/** Longest gap that is filled. */
export const MOST_GAP_SECONDS = 3_600;
/** A shorter gap between two connections of an endless stream is not filled: clocks and buffers may differ by this much. */
const LEAST_GAP_SECONDS = 0.3;
/** Shorter gaps are not reported: the clocks of two machines may differ by as much. */
const REPORTED_SECONDS = 0.5;
/** The session takes this many seconds of a connection at once, and then MOST_SPEED seconds of audio a second. */
const BURST_SECONDS = 60;
const MOST_SPEED = 2;
/** The session takes this many parts of a playlist at once, and then PARTS_A_SECOND. The length of the parts does not count. */
const BURST_PARTS = 1_000;
const PARTS_A_SECOND = 10;
const SILENCE = Buffer.alloc(SOURCE_RATE * SAMPLE_BYTES);
/** Gaps that are reported one by one, for each connection to the session. Further ones are reported as a sum when the session is stopped. */
const MOST_REPORTS = 50;

const shown = (seconds: number) => `${Math.round(seconds * 10) / 10} s`;

export class SourceAudio {
  /** Place on the clock of the session, in samples. */
  private position = 0;
  private connection: SourceConnection | undefined;
  /** Where an endless stream began on the clock of the session, and when. */
  private anchor: { seconds: number; at: number } | undefined;
  private paced = { since: 0, seconds: 0 };
  /** Parts of a playlist that began on this connection. */
  private begunParts = 0;
  private reports = 0;
  private unreported = { gaps: 0, seconds: 0 };
  /** When samples arrived last, by performance.now(). */
  private arrivedAt = performance.now();
  hasAudio = false;

  constructor(
    private readonly session: Session,
    readonly captions: Captions,
    /** Seconds since the session was created, by the clock of the database. */
    private readonly age: () => number,
    private readonly signal: AbortSignal,
  ) {}

  /** @param position  bytes that the session has */
  begin(connection: SourceConnection, position: number): void {
    this.connection = connection;
    this.position = position / SAMPLE_BYTES;
    this.hasAudio ||= position > 0;
    this.paced = { since: performance.now(), seconds: this.seconds };
  }

  /** Time on the clock of the session. */
  get seconds(): number {
    return this.position / SOURCE_RATE;
  }

  /** Seconds by which the audio is shorter than the time since the session was created. */
  get secondsBehind(): number {
    return this.age() - this.seconds;
  }

  get secondsWithoutAudio(): number {
    return (performance.now() - this.arrivedAt) / 1000;
  }

  /**
   * An endless stream begins here, which does not continue the audio so far: silence fills the time since then.
   * @param at  when it began: its parts follow from this time
   */
  async beginStream(at: Date, why: string): Promise<void> {
    const { expectedAt } = this;
    const gap = expectedAt ? (at.getTime() - expectedAt.getTime()) / 1000 : 0;
    if (gap >= LEAST_GAP_SECONDS) await this.fillGap(gap, why);
    this.anchor = { seconds: this.seconds, at: at.getTime() };
  }

  /** When the source sent the audio of the current place, by the times of its parts; undefined before the first part. */
  get expectedAt(): Date | undefined {
    const { last } = this.captions;
    return last && new Date(last.onAirAt.getTime() + 1000 * (this.seconds - last.starts));
  }

  /** @param samples  16-bit, SOURCE_RATE */
  async add(samples: Buffer): Promise<void> {
    this.arrivedAt = performance.now();
    this.hasAudio = true;
    await this.pace(this.aheadOfPace);
    await this.send(samples);
  }

  /** Silence for audio that is missing. */
  async addSilence(seconds: number): Promise<void> {
    for (let bytes = SAMPLE_BYTES * Math.round(seconds * SOURCE_RATE); bytes > 0; bytes -= SILENCE.length) {
      if (this.signal.aborted) return;
      // Silence for the past is added at once. Silence beyond the present is added at the pace of audio.
      await this.pace(Math.min(this.aheadOfPace, this.seconds - BURST_SECONDS - this.age()));
      if (this.signal.aborted) return;
      await this.send(SILENCE.subarray(0, bytes));
    }
  }

  /** Fills a gap with silence, and reports it. */
  async fillGap(seconds: number, why: string): Promise<void> {
    const from = this.seconds;
    await this.addSilence(Math.min(seconds, MOST_GAP_SECONDS));
    this.reportGap(from, why);
  }

  /** Reports the silence from a time on the clock of the session until now. */
  reportGap(from: number, why: string): void {
    const seconds = this.seconds - from;
    if (seconds < REPORTED_SECONDS) return;
    if (++this.reports > MOST_REPORTS) {
      this.unreported = { gaps: this.unreported.gaps + 1, seconds: this.unreported.seconds + seconds };
      return;
    }
    const isLast = this.reports === MOST_REPORTS;
    this.report(
      `the source has a gap of ${shown(seconds)} at ${shown(from)}, which is silence: ${why}${isLast ? "; further gaps are reported in sum, at the end" : ""}`,
    );
  }

  /** Reports the sum of the gaps that were not reported. */
  finishReports(): void {
    const { gaps, seconds } = this.unreported;
    if (gaps > 0) this.report(`the source has ${gaps} further gaps of ${shown(seconds)} together, which are silence`);
    this.unreported = { gaps: 0, seconds: 0 };
  }

  report(reason: string): void {
    if (this.connection) this.session.receive(this.connection, { ...keptWarning(reason), code: "source_gap" });
  }

  /** A part of a playlist begins here. */
  async beginPart(part: { sequence: number | null; seconds: number; onAirAt: Date; isBreak: boolean }): Promise<void> {
    await this.paceParts();
    const { last } = this.captions;
    const starts = this.seconds;
    const ticks =
      part.isBreak || last?.ticks == null ? null : last.ticks + Math.round((starts - last.starts) * TICKS_PER_SECOND);
    const discontinuities = (last?.discontinuities ?? 0) + (part.isBreak && last ? 1 : 0);
    const { sequence, seconds, onAirAt } = part;
    await this.captions.begin({ sequence, seconds, onAirAt, starts, ticks, discontinuities });
  }

  /** The clock of the source at the current place. */
  async setTicks(ticks: number): Promise<void> {
    const { last } = this.captions;
    if (last) await this.captions.setTicks(ticks - Math.round((this.seconds - last.starts) * TICKS_PER_SECOND));
  }

  private async send(samples: Buffer): Promise<void> {
    let at = 0;
    while (at < samples.length && !this.signal.aborted) {
      const room = await this.roomInPart();
      const piece = samples.subarray(at, at + Math.min(room, SILENCE.length));
      await this.connection?.ready;
      if (!this.connection || this.signal.aborted) return;
      this.session.receive(this.connection, { kind: "audio", bytes: Buffer.from(piece), continues: true });
      this.position += piece.length / SAMPLE_BYTES;
      at += piece.length;
    }
  }

  /** Begins the next part of an endless stream where it is due. @returns bytes until the one after it */
  private async roomInPart(): Promise<number> {
    const { anchor } = this;
    if (!anchor) return Number.POSITIVE_INFINITY;
    const { last } = this.captions;
    let end = last ? last.starts + PART_SECONDS : this.seconds;
    if (this.seconds >= end - 1 / SOURCE_RATE) {
      const onAirAt = new Date(anchor.at + 1000 * (this.seconds - anchor.seconds));
      const part: Omit<CaptionPart, "text" | "number"> = {
        ...{ sequence: null, starts: this.seconds, seconds: PART_SECONDS, onAirAt, ticks: null },
        discontinuities: last?.discontinuities ?? 0,
      };
      await this.captions.begin(part);
      end = this.seconds + PART_SECONDS;
    }
    return SAMPLE_BYTES * Math.max(1, Math.round((end - this.seconds) * SOURCE_RATE));
  }

  /** Seconds since this connection began. */
  private get elapsed(): number {
    return (performance.now() - this.paced.since) / 1000;
  }

  /** Seconds of audio beyond what the session may have received by now. */
  private get aheadOfPace(): number {
    return this.seconds - this.paced.seconds - BURST_SECONDS - MOST_SPEED * this.elapsed;
  }

  /** Waits where the server sends faster than the session may receive. */
  private async pace(aheadSeconds: number): Promise<void> {
    if (aheadSeconds > 0) await sleep((1000 * aheadSeconds) / MOST_SPEED, this.signal);
  }

  /** Waits if the playlist lists parts faster than PARTS_A_SECOND. */
  private async paceParts(): Promise<void> {
    const ahead = ++this.begunParts - BURST_PARTS - PARTS_A_SECOND * this.elapsed;
    if (ahead > 0) await sleep((1000 * ahead) / PARTS_A_SECOND, this.signal);
  }
}
