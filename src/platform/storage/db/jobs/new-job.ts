// A job that was just accepted: its row, and what lists find it by.
import type { InsertObject } from "kysely";
import type { FetchAddress } from "../../../addresses/fetch-address.ts";
import type { Database } from "../database.ts";
import type { DatabaseTime, Moment } from "../database-time.ts";
import { metadataFilter, metadataPairs } from "../metadata-filter.ts";
import type { DatabaseSchema, JobKind } from "../schema.ts";
import { tagPairs } from "./job-tags.ts";

export interface NewJob {
  id: string;
  accountId: string;
  kind: JobKind;
  model: string;
  createdAt: DatabaseTime;
  /** The request's body after defaults. */
  params: object;
  metadata?: object;
  /** As `requestedTags` returns them. */
  tags?: readonly string[];
  fileId?: string;
  /** Address of the recording. */
  audioUrl?: FetchAddress;
  /** traceparent of the request. */
  trace?: string | undefined;
  /** Set if the job is deleted when no request waits for it. */
  wantedUntil?: Moment;
  /** The job whose transcript gets the add-ons. */
  addedTo?: string;
}

function rowOf(job: NewJob): InsertObject<DatabaseSchema, "jobs"> {
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
    tags: JSON.stringify(job.tags ?? []),
    file_id: job.fileId ?? null,
    // Nothing is fetched for an uploaded file.
    audio_url: (job.fileId === undefined ? job.audioUrl?.forStorage() : job.audioUrl?.shown) ?? null,
    error_code: null,
    error_message: null,
    stage: null,
    stage_outputs: "{}",
    worker: null,
    lease_until: null,
    result_key: null,
    result_hash: null,
    trace_parent: job.trace ?? null,
    wanted_until: job.wantedUntil ?? null,
    // Without a transcript of its own, the search has nothing to read.
    ...(job.addedTo === undefined ? {} : { added_to: job.addedTo, is_searchable: true, has_overview: true }),
  };
}

/** @param database  a transaction where the job has metadata or tags, so that lists never miss a part of it */
export async function insertJob(database: Database, job: NewJob): Promise<void> {
  await database.insertInto("jobs").values(rowOf(job)).execute();
  const pairs = [...(job.metadata ? metadataPairs(metadataFilter(job.metadata)) : []), ...tagPairs(job.tags ?? [])];
  if (pairs.length === 0) return;
  await database
    .insertInto("job_metadata")
    .values(
      pairs.map((pair) => ({
        account_id: job.accountId,
        pair,
        created_at: job.createdAt,
        job_id: job.id,
        kind: job.kind,
      })),
    )
    .execute();
}
