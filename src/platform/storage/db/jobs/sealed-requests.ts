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

/**
 * Requests that may have sealed texts, in batches.
 * @param isEvery  also those of ended jobs without callbacks to send, which takes a scan of all jobs
 */
export async function* requestsWithSecrets(database: Database, isEvery: boolean): AsyncGenerator<SealedRequest[]> {
  let last = "";
  for (;;) {
    let query = database
      .selectFrom("jobs")
      .select(["id", sql<string>`request_params::text`.as("stored")])
      .where(sql<boolean>`request_params::text like any (array['%"webhook"%', '%"sealed_voices"%'])`);
    if (!isEvery) {
      query = query.where("id", "in", (from) =>
        from
          .selectFrom("jobs")
          .select("id")
          .where("status", "in", jobStatusesWith("fail"))
          .union(from.selectFrom("delivery_lanes").select("job_id as id").where("due_at", "is not", null)),
      );
    }
    if (last !== "") query = query.where("id", ">", last);
    const rows = await query.orderBy("id").limit(BATCH).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id as string;
  }
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
