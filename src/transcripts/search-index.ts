// Puts the words of finished transcripts into the search, behind everything else: found in the database, so that nothing
// is forgotten over a restart, and jobs of earlier versions are taken in, too.
import type { Logger } from "pino";
import { errors, toParlanceError } from "../errors.ts";
import { Waker } from "../process/waker.ts";
import { listCorrections } from "../storage/db/corrections.ts";
import type { Database } from "../storage/db/database.ts";
import { saveText, unsearchableJobs } from "../storage/db/job-texts.ts";
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
const AT_ONCE = 20;

export class SearchIndex {
  private readonly news = new Waker();
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(private readonly services: SearchServices) {}

  start(): void {
    this.loop = this.watch();
  }

  /** A job has ended, or its transcript was corrected. */
  wake(): void {
    this.news.wake();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let found = 0;
      try {
        found = await this.look(signal);
      } catch (error) {
        if (!signal.aborted) this.services.logger.warn({ err: error }, "transcripts were not put into the search");
      }
      if (found < AT_ONCE) await this.news.wait(LOOK_MILLISECONDS, signal);
    }
  }

  /** @returns how many were found that lacked */
  private async look(signal: AbortSignal): Promise<number> {
    const { database } = this.services;
    const rows = await unsearchableJobs(database, AT_ONCE);
    for (const row of rows) {
      if (signal.aborted) return 0;
      const corrections = await listCorrections(database, row.id);
      const undone = corrections.filter(({ undone_at }) => undone_at !== null).length;
      const text = await this.textOf(row, corrections);
      await saveText(database, row.id, text, { made: corrections.length, undone });
    }
    return rows.length;
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
      if (this.stopping.signal.aborted) throw thrown;
      logger.warn({ job: id, code: toParlanceError(thrown).code }, "a transcript cannot be searched in");
      return undefined;
    }
  }
}
