// Files that the stages of a job exchange. Every attempt writes to a folder of its own: a process that stalled, and whose job another
// attempt continues, cannot change what that attempt reads. A file of a completed stage is read from the folder of the attempt that
// completed it.
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";

/** All working files of a job. Versions without attempts stored theirs in this folder itself. */
export const workFolder = (jobId: string) => `jobs/${jobId}`;

export const attemptFolder = (jobId: string, attempt: number | undefined) =>
  attempt === undefined ? workFolder(jobId) : `${workFolder(jobId)}/${attempt}`;

type Stage = "decode" | "segment" | "recognize" | "translate" | "speakers";
/** The attempt that completed each stage. */
type Attempts = { readonly [Name in Stage]?: { attempt?: number } };

/** The folder of a stage: of the attempt that completed it, otherwise of this attempt. */
type FolderOf = (stage: Stage) => string;

/** Keys of the working files. */
export class WorkFiles {
  private constructor(private readonly folderOf: FolderOf) {}

  /** @param outputs  of the completed stages; read at each use, as stages are completed meanwhile */
  static of(jobId: string, attempt: number, outputs: Attempts): WorkFiles {
    return new WorkFiles((stage) => {
      const output = outputs[stage];
      return attemptFolder(jobId, output ? output.attempt : attempt);
    });
  }

  /** Files of a job that runs or ran in this or another process. */
  static ofRow({ id, attempt, stage_outputs }: Pick<JobRow, "id" | "attempt" | "stage_outputs">): WorkFiles {
    return WorkFiles.of(id, attempt, (stage_outputs ?? {}) as Attempts);
  }

  /** Those of one attempt, whether or not it completed a stage. @param attempt  undefined for a version without attempts */
  static ofAttempt(jobId: string, attempt: number | undefined): WorkFiles {
    return new WorkFiles(() => attemptFolder(jobId, attempt));
  }

  channel = (channel: number) => `${this.folderOf("decode")}/channel-${channel}.pcm`;
  get segments(): string {
    return `${this.folderOf("segment")}/segments.json`;
  }
  /** Models and languages with which the two logs below were made. Earlier versions have none. */
  get plan(): string {
    return `${this.folderOf("recognize")}/plan.jsonl`;
  }
  /** Results of the language detection. */
  get detectedLanguages(): string {
    return `${this.folderOf("recognize")}/sounded.jsonl`;
  }
  get recognized(): string {
    return `${this.folderOf("recognize")}/recognized.jsonl`;
  }
  get translated(): string {
    return `${this.folderOf("translate")}/translated.jsonl`;
  }
  get voices(): string {
    return `${this.folderOf("speakers")}/voices.jsonl`;
  }
}
