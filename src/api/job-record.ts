// Prints the row of a job as the interface shows it.

import type { JobListItem } from "../contract/job.ts";
import { messageDetails } from "../contract/messages/message-details.ts";
import { publicText } from "../platform/public-message.ts";
import { databaseTime } from "../platform/storage/db/database-time.ts";
import { fetchStateOf } from "../platform/storage/db/jobs/fetch-attempts.ts";
import type { JobWithFile } from "../platform/storage/db/jobs/job-files.ts";
import type { ListedJob } from "../platform/storage/db/jobs/job-lists.ts";
import { type ApiContext, requestIdOf } from "./context.ts";

const RECORD_VERSION = 2;

/** A damaged row may hold a time that PostgreSQL can represent and JavaScript cannot; one row must not fail a whole list. */
export const isoTime = (time: Date) => (Number.isFinite(time.getTime()) ? time : new Date(0)).toISOString();

/** The fields that every answer about a job shares. */
export function jobRecord(row: ListedJob): Omit<JobListItem, "overview"> {
  const { file } = row;
  return {
    id: row.id,
    name: row.name,
    tags: row.tags,
    request_id: requestIdOf(row.id),
    version: RECORD_VERSION,
    status: row.status,
    created_at: isoTime(row.created_at),
    completed_at: row.completed_at && isoTime(row.completed_at),
    custom_metadata: row.custom_metadata,
    error_code: row.error_code,
    error_message: row.error_message,
    ...(row.error_message === null ? {} : { error_details: messageDetails(row.error_message) }),
    post_session_metadata: row.post_session_metadata,
    kind: row.kind,
    file: file
      ? {
          id: file.id,
          filename: file.filename,
          source: file.source,
          audio_duration: file.audio_duration,
          number_of_channels: file.number_of_channels,
        }
      : null,
  };
}

function fetchProgress(row: JobWithFile) {
  const state = fetchStateOf(row);
  if (!state) return null;
  const { attempts, failure = null, nextAttemptAt = null } = state;
  return { attempts, last_failure: failure && publicText(failure), next_attempt_at: nextAttemptAt };
}

/** Progress of an unfinished job; null for one that has ended. */
export async function jobProgress(
  row: JobWithFile,
  {
    database,
    queuePlaces,
    throughput,
    recordingModels,
    supply,
  }: Pick<ApiContext, "database" | "queuePlaces" | "recordingModels" | "supply" | "throughput">,
) {
  if (row.status !== "queued" && row.status !== "processing") return null;
  const isQueued = row.status === "queued";
  const place = isQueued ? await queuePlaces.of(row) : { ahead: 0, audioSecondsAhead: 0, unknownAhead: 0 };
  const { file } = row;
  const ownAudio = (file?.audio_duration ?? 0) * (1 - row.progress);
  const lacks = isQueued && !(await recordingModels.isReady(row.model));
  return {
    waits_for: lacks ? { model: row.model, share: Math.round((supply.shareOf(row.model) ?? 0) * 1000) / 1000 } : null,
    queue_position: isQueued ? place.ahead + 1 : null,
    stage: row.stage,
    fetch: fetchProgress(row),
    share: Math.round(row.progress * 1000) / 1000,
    estimated_seconds:
      !isQueued && row.expected_at
        ? Math.round(Math.max(0, row.expected_at.getTime() - databaseTime(database).getTime()) / 100) / 10
        : throughput.estimate({
            audioSeconds: ownAudio + place.audioSecondsAhead,
            jobs: place.ahead + 1,
            unknown: (file?.audio_duration == null ? 1 : 0) + place.unknownAhead,
          }),
  };
}
