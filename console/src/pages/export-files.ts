// The transcripts of several recordings as one zip file. Each is written by the service and requested alone, so that each failure has its reason.
import { ApiError, errorMessage, request } from "../api.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import type { JobItem } from "../shapes.ts";
import { type ExportChoices, exportAddress } from "../transcript/export-choices.ts";
import { fileNames } from "./file-names.ts";

/** A recording that is not in the zip file. */
export interface LeftOut {
  id: string;
  name: string;
  reason: string;
}

export interface ExportedFiles {
  /** Undefined if it would be empty. */
  zip: Blob | undefined;
  /** Number of its files. */
  count: number;
  leftOut: LeftOut[];
}

/** Why there is nothing to write of a recording. */
function reasonAgainst({ status, overview }: JobItem, { format }: ExportChoices): string | undefined {
  if (status !== "done") return t.recordings.states[status];
  // The format for programs describes such a recording, too.
  return overview?.first_words === "" && format !== "json" ? t.exported.noWords : undefined;
}

/** Whether the next request would fail in the same way: no connection, or no sign-in. */
const concernsAll = (thrown: unknown) => thrown instanceof ApiError && (thrown.status === 0 || thrown.status === 401);

/**
 * @param onProgress  called with the number of recordings that are done
 * @throws errors of the connection, and that of `signal`
 */
export async function exportFiles(
  jobs: readonly JobItem[],
  choices: ExportChoices,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<ExportedFiles> {
  const { ZipFile } = await import("./zip-file.ts");
  const zip = new ZipFile();
  const names = fileNames(jobs.map(jobName), choices.format);
  const leftOut: LeftOut[] = [];
  // One after another: the service has a bound on transcripts that an account has written at once.
  for (const [at, job] of jobs.entries()) {
    const leaveOut = (reason: string) => leftOut.push({ id: job.id, name: jobName(job), reason });
    const against = reasonAgainst(job, choices);
    if (against !== undefined) leaveOut(against);
    else {
      try {
        const answer = await request("GET", exportAddress(`/v2/transcription/${job.id}`, choices), undefined, signal);
        zip.add(names[at] as string, new Uint8Array(await answer.arrayBuffer()));
      } catch (thrown) {
        if (signal.aborted || concernsAll(thrown)) throw thrown;
        leaveOut(errorMessage(thrown));
      }
    }
    onProgress(at + 1);
  }
  const count = jobs.length - leftOut.length;
  return { zip: count > 0 ? zip.finish() : undefined, count, leftOut };
}
