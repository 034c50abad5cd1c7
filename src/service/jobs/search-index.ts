// Adds the words of finished transcripts and the names of ended jobs to the search, with the lowest priority. Pending jobs are found in the
// database, so that none is lost in a restart and jobs of earlier versions are included.
import type { Logger } from "pino";
import { firstOf } from "../../contract/first-of.ts";
import type { JobOverview } from "../../contract/job-overview.ts";
import type { PrintedCorrection } from "../../contract/transcript/correction.ts";
import { toParlanceError } from "../../platform/errors.ts";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import { beginningOf } from "../../platform/storable.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { type JobText, saveTexts, unsearchableJobs } from "../../platform/storage/db/jobs/job-texts.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import type { SearchableTranscript } from "../transcripts/process/message.ts";
import type { TranscriptProcess } from "../transcripts/process/transcript-process.ts";
import type { ResultRow, StoredResults } from "./stored-results.ts";

export interface SearchServices {
  database: Database;
  /** One process indexes the jobs of all. */
  duties: Pick<Duties, "holds">;
  transcriptProcess: Pick<TranscriptProcess, "text">;
  results: StoredResults;
  logger: Logger;
}

const LOOK_MILLISECONDS = 5_000;
/** Jobs that end within this time are indexed together, which hardly takes longer than one. */
const BATCH_MILLISECONDS = 1_000;
const AT_ONCE = 20;
/** Tenant of the indexing in the transcript process, which takes turns with accounts. */
const INDEXING = "search";
/** Long texts occupy the embedded database; this bounds the wait of other queries. */
const CHARACTERS_AT_ONCE = 100_000;

/** After this many failed reads, a transcript is indexed without words: it may crash its process every time. */
const MOST_FAILURES = 5;

const MOST_SPEAKERS = 50;
const MOST_FIRST_CHARACTERS = 160;

export function overviewOf({ text, languages, speakers }: Omit<SearchableTranscript, "replaced">): JobOverview {
  const beginning = beginningOf(text, MOST_FIRST_CHARACTERS);
  // The last word of the beginning may be cut.
  const first_words = text === beginning ? text : beginning.replace(/\s\S*$/, "");
  const { first, rest } = firstOf(speakers, MOST_SPEAKERS);
  return { languages, speakers: first, ...(rest > 0 ? { further_speakers: rest } : {}), first_words };
}

const namesOf = ({ file }: JobWithFile, transcript: SearchableTranscript | undefined): string[] =>
  [file?.filename, ...(transcript?.speakers ?? []).map(({ name }) => name)].filter((name) => typeof name === "string");

export class SearchIndex {
  private readonly watching = new WatchLoop({
    pauseMilliseconds: LOOK_MILLISECONDS,
    look: (signal) => this.indexPending(signal),
    onFailed: (error) => this.services.logger.warn({ err: error }, "transcripts could not be added to the search"),
  });

  /** Failed attempts to read a transcript, by job. */
  private readonly failures = new Map<string, number>();
  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly services: SearchServices) {}

  start(): void {
    this.watching.start();
  }

  /** Called when a job has ended, or its transcript was corrected. */
  wake(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.watching.wake();
    }, BATCH_MILLISECONDS);
    this.gathering.unref();
  }

  stop(): Promise<void> {
    clearTimeout(this.gathering);
    return this.watching.stop();
  }

  private async indexPending(signal: AbortSignal): Promise<boolean> {
    const { database, duties } = this.services;
    if (!(await duties.holds("search"))) return false;
    const rows = await unsearchableJobs(database, AT_ONCE);
    for (const id of this.failures.keys()) if (!rows.some((row) => row.id === id)) this.failures.delete(id);
    let texts: JobText[] = [];
    let characters = 0;
    let hasFailed = false;
    for (const row of rows) {
      if (signal.aborted) return false;
      const made = await printedCorrections(database, row.id);
      const undone = made.filter(({ undone_at }) => undone_at !== null).length;
      const transcript = await this.transcriptOf(row, made);
      if (transcript === "later") {
        hasFailed = true;
        continue;
      }
      texts.push({
        ...{ jobId: row.id, status: row.status, resultKey: row.result_key },
        text: transcript?.text,
        name: row.name,
        tags: row.tags,
        names: namesOf(row, transcript),
        overview: transcript ? overviewOf(transcript) : null,
        replaced: transcript?.replaced ?? [],
        corrections: { made: made.length, undone },
      });
      characters += transcript?.text.length ?? 0;
      if (characters < CHARACTERS_AT_ONCE) continue;
      await this.save(texts);
      texts = [];
      characters = 0;
    }
    await this.save(texts);
    return rows.length === AT_ONCE && !hasFailed;
  }

  /**
   * Texts that cannot be stored are marked as indexed without words; otherwise they would be retried forever, before
   * all others.
   */
  private async save(texts: readonly JobText[]): Promise<void> {
    const { database, logger } = this.services;
    try {
      return await saveTexts(database, texts);
    } catch (error) {
      if (mustWait(error)) throw error;
    }
    const warn = ({ jobId }: JobText, error: unknown) =>
      logger.warn({ err: error, job: jobId }, "a transcript cannot be searched in");
    const saveApart = (text: JobText) =>
      saveTexts(database, [text]).catch((error: unknown) => {
        if (mustWait(error)) throw error;
        warn(text, error);
        return saveTexts(database, [{ ...text, text: undefined, replaced: [] }]);
      });
    await eachApart(texts, saveApart, warn);
  }

  /**
   * @returns "later" if another attempt may succeed; undefined if the job failed or its transcript is unreadable
   * @throws errors that concern every job
   */
  private async transcriptOf(
    row: ResultRow,
    corrections: readonly PrintedCorrection[],
  ): Promise<SearchableTranscript | undefined | "later"> {
    if (row.status !== "done") return undefined;
    const { results, transcriptProcess, logger } = this.services;
    try {
      return await transcriptProcess.text(
        { tenant: INDEXING },
        { result: await results.path(row), corrections: async () => corrections },
      );
    } catch (thrown) {
      const { code, retryable } = toParlanceError(thrown);
      if (this.watching.isStopping || mustWait(thrown)) throw thrown;
      const failures = (this.failures.get(row.id) ?? 0) + 1;
      this.failures.set(row.id, failures);
      if (retryable && failures < MOST_FAILURES) return "later";
      logger.warn({ job: row.id, code }, "a transcript cannot be searched in");
      return undefined;
    }
  }
}
