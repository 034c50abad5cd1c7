// Text of a job that will not change, while it runs: the stretches of speech from the beginning on that are done, but for the
// last, whose full stop depends on what follows. Each look reads what was recognised since the last one.
import { text } from "node:stream/consumers";
import type { JobParameters } from "../../contract/job-parameters.ts";
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
import type { Segment } from "../../speech/audio/voice-activity/segmentation.ts";
import { blocksOf, isDoubtful } from "../../speech/recognition/english-evidence.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { withoutStrayDashes } from "../../speech/text/stray-dashes.ts";
import type { ApiContext } from "../context.ts";

/** Whether options of a job change the text after it is complete: no text can be sent before. */
export const changesText = (parameters: JobParameters): boolean =>
  vocabularyOf(parameters).length > 0 || parameters.diarization === true || parameters.translation === true;

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

  /**
   * Reads the files of the job: those of this machine if it runs here, and otherwise the copies that its process stores meanwhile.
   * @param writing  as the finished transcript is written
   */
  constructor(
    private readonly context: Pick<ApiContext, "database" | "objects">,
    private readonly jobId: string,
    private readonly writing: Writing,
  ) {}

  /** @returns texts that were not returned before; none while there are none */
  async next(): Promise<SentText[]> {
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
    if (until <= this.settled) return [];
    // The last text that was returned decides how the next one begins.
    const before = Math.max(
      0,
      this.segments.slice(0, this.settled).findLastIndex(({ words }) => words.length > 0),
    );
    const utterances = utterancesOf(onRecordingClock(this.segments.slice(before), gaps), this.writing);
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
    const bytes = await objects
      .read(recognized, { start: this.read, end: size - 1 })
      .then(text)
      .catch(() => "");
    const end = bytes.lastIndexOf("\n") + 1;
    this.read += Buffer.byteLength(bytes.slice(0, end));
    for (const line of parseJsonLines<RecognizedSegment>(bytes.slice(0, end))) this.lines.set(segmentName(line), line);
    const known = this.segments.length;
    for (const segment of this.planned?.slice(known) ?? []) {
      const line = this.lines.get(segmentName({ channel: this.channel, segment }));
      if (!line) break;
      // A segment of dashes alone has no text.
      this.segments.push({ ...line, words: withoutStrayDashes(line.words) });
    }
    return this.segments.length > known;
  }

  /** The first segment whose words may turn out not to be English: they are not sent before that is decided. */
  private get firstDoubtful(): number {
    if (!this.segments.every(({ language }) => language === "en")) return Number.POSITIVE_INFINITY;
    let at = 0;
    for (const { segments } of blocksOf(this.segments)) {
      if (isDoubtful(segments.flatMap(({ words }) => words))) return at;
      at += segments.length;
    }
    return Number.POSITIVE_INFINITY;
  }
}
