// Text of a job that will not change, while it runs: the stretches of speech from the beginning on that are done, but for the
// last, whose full stop depends on what follows. Each look reads what was recognised since the last one.

import { text } from "node:stream/consumers";
import type { JobParameters } from "../../contract/job-parameters.ts";
import { eventLoopTurn } from "../../platform/process/sleep.ts";
import { findAttempt } from "../../platform/storage/db/jobs/jobs.ts";
import { parseJsonLines } from "../../platform/storage/json-lines.ts";
import type { ChannelSegments, StageOutputs } from "../../service/jobs/stages/stage.ts";
import { WorkFiles } from "../../service/jobs/stages/work-files.ts";
import type { SentText } from "../../service/transcripts/openai-answer.ts";
import {
  onRecordingClock,
  type RecognizedSegment,
  segmentName,
  utterancesOf,
  type Writing,
} from "../../service/transcripts/recognized-segments.ts";
import type { Gap } from "../../speech/audio/decode/gaps.ts";
import type { Segment } from "../../speech/audio/voice-activity/segmentation.ts";
import { blocksOf, isDoubtful } from "../../speech/recognition/english-evidence.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { withoutStrayDashes } from "../../speech/text/stray-dashes.ts";
import type { ApiContext } from "../context.ts";

/** Whether options of a job change the text after it is complete: no text can be sent before. */
export const changesText = (parameters: JobParameters): boolean =>
  vocabularyOf(parameters).length > 0 || parameters.diarization === true || parameters.translation === true;

/** Bytes of the log that are parsed, and segments that are written, in one turn of the event loop: about 30 ms each. */
const READ_BYTES = 1_000_000;
const WRITTEN_SEGMENTS = 50;

export class SettledText {
  /** Texts that were returned. */
  readonly sent: SentText[] = [];
  private attempt: number | undefined;
  private channel = 0;
  /** Segments of the channel in time order; undefined until they are known. */
  private planned: readonly Segment[] | undefined;
  /** Bytes of the log that were read. */
  private read = 0;
  private readonly lines = new Map<string, RecognizedSegment>();
  /** Recognised segments from the beginning on, without gaps between them. */
  private readonly segments: RecognizedSegment[] = [];
  /** Number of these segments whose text was returned. */
  private settled = 0;
  private isEnglish = true;
  /** Number of these segments in blocks that further ones cannot change, and that are English beyond doubt. */
  private judged = 0;

  /**
   * Reads the files of the job: those of this machine if it runs here, and otherwise the copies that its process stores meanwhile.
   * @param writing  as the finished transcript is written
   */
  constructor(
    private readonly context: Pick<ApiContext, "database" | "objects">,
    private readonly jobId: string,
    private readonly writing: Writing,
  ) {}

  /**
   * @param signal  ends the work early
   * @returns texts that were not returned before; none while there are none
   */
  async next(signal?: AbortSignal): Promise<SentText[]> {
    const row = await findAttempt(this.context.database, this.jobId);
    if (!row) return [];
    const files = WorkFiles.ofRow(row);
    if (!(await this.findPlan(files))) return [];
    // Another attempt may recognise another language. What it finds is sent at its end.
    this.attempt ??= row.attempt;
    if (row.attempt !== this.attempt || !(await this.readLines(files))) return [];
    const { gaps = [] } = (row.stage_outputs as StageOutputs | null)?.decode ?? {};
    const lastSpoken = this.segments.findLastIndex(({ words }) => words.length > 0);
    const until = Math.min(lastSpoken, this.firstDoubtful);
    const fresh: SentText[] = [];
    while (until > this.settled && !signal?.aborted) {
      if (fresh.length > 0) await eventLoopTurn();
      fresh.push(...this.settle(Math.min(until, this.settled + WRITTEN_SEGMENTS), gaps));
    }
    return fresh;
  }

  /** @param until  a spoken segment is there, or behind it @returns the texts of the segments before it */
  private settle(until: number, gaps: readonly Gap[]): SentText[] {
    // The last text that was returned decides how the next one begins.
    const before = Math.max(
      0,
      this.segments.slice(0, this.settled).findLastIndex(({ words }) => words.length > 0),
    );
    // How a text ends depends on the next one.
    const next = this.segments.findIndex(({ words }, at) => at >= until && words.length > 0);
    const utterances = utterancesOf(onRecordingClock(this.segments.slice(before, next + 1), gaps), this.writing);
    const spokenIn = (from: number, to: number) =>
      this.segments.slice(from, to).filter(({ words }) => words.length > 0).length;
    const known = spokenIn(before, this.settled);
    const fresh = utterances
      .slice(known, known + spokenIn(this.settled, until))
      .map(({ text, language }) => ({ text, language }));
    this.settled = until;
    this.sent.push(...fresh);
    return fresh;
  }

  private async findPlan({ segments }: WorkFiles): Promise<boolean> {
    if (this.planned) return this.planned.length > 0;
    const plan = await this.context.objects
      .read(segments)
      .then(text)
      .catch(() => undefined);
    if (plan === undefined) return false;
    const channels = JSON.parse(plan) as ChannelSegments[];
    // The texts of several channels are in the order of their words, which is known at the end.
    const [only] = channels;
    this.planned = channels.length === 1 && only ? only.segments : [];
    this.channel = only?.channel ?? 0;
    return this.planned.length > 0;
  }

  /** @returns whether there are new segments */
  private async readLines({ recognized }: WorkFiles): Promise<boolean> {
    const { objects } = this.context;
    const size = (await objects.size(recognized)) ?? 0;
    if (size <= this.read) return false;
    for (let length = READ_BYTES; ; ) {
      const last = Math.min(size, this.read + length);
      const bytes = await objects
        .read(recognized, { start: this.read, end: last - 1 })
        .then(text)
        .catch(() => "");
      const end = bytes.lastIndexOf("\n") + 1;
      this.read += Buffer.byteLength(bytes.slice(0, end));
      for (const line of parseJsonLines<RecognizedSegment>(bytes.slice(0, end)))
        this.lines.set(segmentName(line), line);
      if (last === size || bytes === "") break;
      // A line may be longer than what was read.
      if (end === 0) length *= 2;
      await eventLoopTurn();
    }
    const known = this.segments.length;
    for (const segment of this.planned?.slice(known) ?? []) {
      const line = this.lines.get(segmentName({ channel: this.channel, segment }));
      if (!line) break;
      // A segment of dashes alone has no text.
      this.segments.push({ ...line, words: withoutStrayDashes(line.words) });
      this.isEnglish &&= line.language === "en";
    }
    return this.segments.length > known;
  }

  /** The first segment whose words may turn out not to be English: they are not sent before that is decided. */
  private get firstDoubtful(): number {
    if (!this.isEnglish) return Number.POSITIVE_INFINITY;
    const blocks = blocksOf(this.segments.slice(this.judged));
    let at = this.judged;
    for (const [index, { segments }] of blocks.entries()) {
      if (isDoubtful(segments.flatMap(({ words }) => words))) return at;
      at += segments.length;
      // Further segments change the last block, or divide it from the one before it.
      if (index < blocks.length - 2) this.judged = at;
    }
    return Number.POSITIVE_INFINITY;
  }
}
