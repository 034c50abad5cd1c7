// The row of a job that was just accepted.
import type { Insertable } from "kysely";
import { metadataFilter } from "./metadata-filter.ts";
import type { JobKind, JobsTable } from "./schema.ts";

export interface NewJob {
  id: string;
  accountId: string;
  kind: JobKind;
  model: string;
  createdAt: Date;
  /** The request's body after defaults. */
  params: object;
  metadata?: object;
  fileId?: string;
  audioUrl?: string;
}

export function newJobRow(job: NewJob): Insertable<JobsTable> {
  return {
    id: job.id,
    account_id: job.accountId,
    kind: job.kind,
    status: "queued",
    model: job.model,
    created_at: job.createdAt,
    started_at: null,
    completed_at: null,
    request_params: JSON.stringify(job.params),
    custom_metadata: job.metadata ? JSON.stringify(job.metadata) : null,
    metadata_filter: job.metadata ? JSON.stringify(metadataFilter(job.metadata)) : null,
    post_session_metadata: "{}",
    file_id: job.fileId ?? null,
    audio_url: job.audioUrl ?? null,
    error_code: null,
    error_message: null,
    stage: null,
    stage_outputs: "{}",
    worker: null,
    lease_until: null,
    result_key: null,
  };
}
