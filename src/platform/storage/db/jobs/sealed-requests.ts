// Requests of jobs that have texts sealed with the operator's key: the value of a webhook's header, and voices of named people.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { jobStatusesWith } from "./job-states.ts";

export interface SealedRequest {
  id: string;
  /** JSON text of request_params. */
  stored: string;
}

/** Rows read at once. */
const BATCH = 200;
/** Rows examined at once, in order of their ids: the time of a statement does not depend on the number of jobs. */
const EXAMINED = 1_000;

const HAS_SECRETS = sql<boolean>`request_params::text like any (array['%"webhook"%', '%"sealed_voices"%'])`;

/**
 * Requests that may have sealed texts, in batches.
 * @param isEvery  also those of ended jobs without callbacks to send, which takes a scan of all jobs
 */
export const requestsWithSecrets = (database: Database, isEvery: boolean): AsyncGenerator<SealedRequest[]> =>
  isEvery ? everyRequest(database) : openRequests(database);

/** @param read  reads rows in order of their ids, `limit` at most, that are greater than an id, or the first ones */
async function* inOrder<Row extends { id: string }>(
  limit: number,
  read: (after: string | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: string | undefined; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1)?.id;
  }
}

async function* everyRequest(database: Database): AsyncGenerator<SealedRequest[]> {
  const read = (after: string | undefined) => {
    const query = database
      .selectFrom("jobs")
      .select(["id", sql<string | null>`case when ${HAS_SECRETS} then request_params::text end`.as("stored")])
      .orderBy("id")
      .limit(EXAMINED);
    return (after ? query.where("id", ">", after) : query).execute();
  };
  for await (const rows of inOrder(EXAMINED, read)) {
    const found = rows.flatMap(({ id, stored }) => (stored === null ? [] : [{ id, stored }]));
    if (found.length > 0) yield found;
  }
}

/** Those of jobs that have not ended, or that have callbacks to send. */
function openRequests(database: Database): AsyncGenerator<SealedRequest[]> {
  const query = database
    .selectFrom("jobs")
    .select(["id", sql<string>`request_params::text`.as("stored")])
    .where(HAS_SECRETS)
    .where("id", "in", (from) =>
      from
        .selectFrom("jobs")
        .select("id")
        .where("status", "in", jobStatusesWith("fail"))
        .union(from.selectFrom("delivery_lanes").select("job_id as id").where("due_at", "is not", null)),
    )
    .orderBy("id")
    .limit(BATCH);
  return inOrder(BATCH, (after) => (after ? query.where("id", ">", after) : query).execute());
}

/** Replaces a request unless it has changed since it was read. */
export async function replaceRequest(
  database: Database,
  { id, stored }: SealedRequest,
  changed: string,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ request_params: changed })
    .where("id", "=", id)
    .where(sql<boolean>`request_params::text = ${stored}`)
    .execute();
}
