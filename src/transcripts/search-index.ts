// Puts the words of finished transcripts into the search, behind everything else: found in the database, so that nothing
// is forgotten over a restart, and jobs of earlier versions are taken in, too.
import type { Logger } from "pino";
import { errors, toParlanceError } from "../errors.ts";
import { WatchLoop } from "../process/watch-loop.ts";
import { correctionsOfJobs } from "../storage/db/corrections.ts";
import type { Database } from "../storage/db/database.ts";
import { type JobText, saveTexts, unsearchableJobs } from "../storage/db/job-texts.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import type { Correction } from "./corrections.ts";
import type { Clerk } from "./process/clerk.ts";

export interface SearchServices {
  database: Database;
  objects: ObjectStore;
  clerk: Clerk;
  logger: Logger;
}

const LOOK_MILLISECONDS = 5_000;
/** Jobs that end within so long of each other are put in together, which takes hardly more than one. */
const GATHER_MILLISECONDS = 1_000;
const AT_ONCE = 20;
/** Long texts keep the embedded database busy; others wait no longer than for so much of them. */
const CHARACTERS_AT_ONCE = 100_000;

export class SearchIndex {
  private readonly watching = new WatchLoop({
    pauseMilliseconds: LOOK_MILLISECONDS,
    look: (signal) => this.look(signal),
    onFailed: (error) => this.services.logger.warn({ err: error }, "transcripts were not put into the search"),
  });

  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly services: SearchServices) {}

  start(): void {
    this.watching.start();
  }

  /** A job has ended, or its transcript was corrected. */
  wake(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.watching.wake();
    }, GATHER_MILLISECONDS);
    this.gathering.unref();
  }

  stop(): Promise<void> {
    clearTimeout(this.gathering);
    return this.watching.stop();
  }

  private async look(signal: AbortSignal): Promise<boolean> {
    const { database } = this.services;
    const rows = await unsearchableJobs(database, AT_ONCE);
    const corrections = await correctionsOfJobs(
      database,
      rows.map(({ id }) => id),
    );
    let texts: JobText[] = [];
    let characters = 0;
    for (const row of rows) {
      if (signal.aborted) return false;
      const made = corrections.get(row.id) ?? [];
      const undone = made.filter(({ undone_at }) => undone_at !== null).length;
      const text = await this.textOf(row, made);
      texts.push({ jobId: row.id, text, corrections: { made: made.length, undone } });
      characters += text?.length ?? 0;
      if (characters < CHARACTERS_AT_ONCE) continue;
      await saveTexts(database, texts);
      texts = [];
      characters = 0;
    }
    await saveTexts(database, texts);
    return rows.length === AT_ONCE;
  }

  private async textOf(
    { id, result_key }: { id: string; result_key: string | null },
    corrections: readonly Correction[],
  ): Promise<string | undefined> {
    const { objects, clerk, logger } = this.services;
    try {
      if (result_key === null || (await objects.size(result_key)) === undefined) throw errors.notFound("Result");
      return await clerk.text(await objects.localPath(result_key), corrections);
    } catch (thrown) {
      const { code } = toParlanceError(thrown);
      // The store of objects comes back.
      if (this.watching.isStopping || code === "storage.unavailable") throw thrown;
      logger.warn({ job: id, code }, "a transcript cannot be searched in");
      return undefined;
    }
  }
}
