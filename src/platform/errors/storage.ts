// The disk, the data folder and the object store.
import { PARLANCE } from "../command-prefix.ts";
import { megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

export const storageErrors = {
  storageExhausted: (cause: unknown) =>
    new ParlanceError(
      "There is no room left on the disk, or it can take no more files (df -h, df -i). Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room; the service resumes automatically.",
      { code: "storage.full", status: 507, retryable: true, retryAfterSeconds: 60, cause },
    ),
  storageFull: (free: number, reserve: number, folder: string) =>
    new ParlanceError(
      `There is no room left on the disk of the service's data: ${megabytes(free)} are free${reserve > 0 ? `, ${megabytes(reserve)} are kept back` : ""}. ` +
        "Delete jobs, set PARLANCE_AUDIO_RETENTION_DAYS, or make room on that disk; requests are accepted again as soon as there is room.",
      { code: "storage.full", status: 507, retryable: true, retryAfterSeconds: 60, detail: folder },
    ),
  resourcesExhausted: (cause: unknown) =>
    new ParlanceError(
      "The machine has no more file descriptors, memory or processes for this service; try again in a moment. Where it happens often, raise the limits (ulimit -n, ulimit -u, the container's memory)",
      { code: "system.exhausted", status: 503, retryable: true, retryAfterSeconds: 5, cause },
    ),
  storageUnavailable: (cause: unknown) =>
    new ParlanceError("The store of recordings and transcripts does not answer; try again in a moment", {
      code: "storage.unavailable",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
      cause,
    }),
  /** The holder is as recorded in the lock file. */
  folderInUse: (folder: string, { processId, host, since }: { processId?: number; host?: string; since?: string }) =>
    new ParlanceError(
      `The data folder ${folder} is in use by ${processId === undefined ? "another process" : `process ${processId}`}` +
        `${host === undefined ? "" : ` on ${host}`}${since === undefined ? "" : ` since ${since}`}. ` +
        "Stop that one, or set PARLANCE_DATA_DIR to another folder.",
      { code: "storage.folder_in_use", status: 500 },
    ),
  locksUnsupported: (folder: string, reason: string) =>
    new ParlanceError(
      `The file system of the data folder ${folder} has no file locks (${reason}). Without them two services could damage the same data. ` +
        "Set PARLANCE_DATA_DIR to a folder on a local disk, or mount this one with locks.",
      { code: "storage.locks_unsupported", status: 500 },
    ),
  folderUnusable: (folder: string, cause: unknown) =>
    new ParlanceError(
      `The data folder ${folder} cannot be used: ${(cause as Error).message}. Check its owner, its rights and its disk, or set PARLANCE_DATA_DIR to another folder.`,
      { code: "storage.folder_unusable", status: 500, cause },
    ),
  folderTakenOver: (folder: string) =>
    new ParlanceError(
      `A newer process uses the data folder ${folder}, or a copy of it: this process has stopped at once and has written nothing more. ` +
        "Run one service per data folder; a copy of a data folder must not use the same database.",
      { code: "storage.taken_over", status: 500 },
    ),
  /** @param place  the store as the settings name it */
  otherStore: (place: string) =>
    new ParlanceError(
      `The recordings and transcripts of this database are in another object store than ${place}. ` +
        "Processes that share a database must share the store, too: set the same PARLANCE_S3_BUCKET and PARLANCE_S3_PREFIX for all of them, or give this one a database of its own (DATABASE_URL). " +
        `If you moved the objects here, run: ${PARLANCE} store adopt`,
      { code: "storage.other_store", status: 500 },
    ),
  restoreNoRoom: (folder: string, needed: number, free: number) =>
    new ParlanceError(
      `The backup takes ${megabytes(needed)}, and ${folder} has ${megabytes(free)} free. Make room first.`,
      {
        code: "storage.full",
        status: 507,
      },
    ),
  recordingDamaged: (found: number, expected: number) =>
    new ParlanceError(
      `The stored recording is damaged: it has ${found} of ${expected} bytes. Restore it from a backup, or upload it again.`,
      { code: "storage.recording_damaged", status: 500 },
    ),
};
