// Results of jobs with the names that the library of voices has for their speakers.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { findJob, type JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import type { TranscriptProcess } from "../transcripts/process/transcript-process.ts";
import type { VoiceLibrary } from "../voices/library.ts";
import type { StoredResults } from "./stored-results.ts";

export interface NamedResultServices {
  database: Database;
  results: StoredResults;
  voices: VoiceLibrary;
  transcriptProcess: TranscriptProcess;
  /** Emptied at every start. */
  temporaryFolder: string;
}

export interface NamedResult {
  /** File with the whole result. */
  path: string;
  /** To be called when the file has been read. */
  close(): Promise<void>;
}

export class NamedResults {
  constructor(private readonly services: NamedResultServices) {}

  /** @param signal  aborted when the result is no longer needed @throws as StoredResults.path; work.aborted */
  async open(row: JobRow, signal?: AbortSignal): Promise<NamedResult> {
    const { results, voices, transcriptProcess, temporaryFolder } = this.services;
    const stored = await results.path(row);
    const names = await voices.namesOf(row.id);
    if (names.length === 0) return { path: stored, close: async () => undefined };
    const folder = await mkdtemp(path.join(temporaryFolder, "named-"));
    const close = () => rm(folder, { recursive: true, force: true });
    try {
      const file = path.join(folder, "result.json");
      await transcriptProcess.name({ tenant: row.account_id, signal }, stored, names, file);
      return { path: file, close };
    } catch (thrown) {
      await close();
      throw thrown;
    }
  }

  /** The result of a job as text, for its callback. @throws as StoredResults.path */
  async text(jobId: string): Promise<string> {
    const row = await findJob(this.services.database, jobId);
    if (!row) throw errors.notFound("Job");
    const { path: file, close } = await this.open(row);
    try {
      return await readFile(file, "utf8");
    } finally {
      await close();
    }
  }
}
