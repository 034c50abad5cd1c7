// Work whose process no longer runs and that no other one has taken over, for parlance doctor.
import { sql } from "kysely";
import type { Database } from "./database.ts";

export interface OrphanedWork {
  /** Recorded jobs whose lease expired some time ago. */
  jobs: number;
  /** Live sessions that have begun, and that no running process owns. */
  sessions: number;
  /** Recorded jobs that wait. */
  waiting: number;
}

/** Longer than a worker takes to recover a job whose lease has expired. */
const GRACE_SECONDS = 60;

/** @param running  names of the data folders whose processes run */
export async function orphanedWork(database: Database, running: readonly string[]): Promise<OrphanedWork> {
  const { rows } = await sql<OrphanedWork>`
    select
      (select count(*)::integer from jobs where status = 'processing' and kind = 'pre-recorded'
        and lease_until < now() - make_interval(secs => ${GRACE_SECONDS}::float8)) as jobs,
      (select count(*)::integer from jobs left join live_sessions on live_sessions.id = jobs.id
        where status = 'processing' and kind = 'live'
          and not coalesce(owner = any (string_to_array(${running.join(",")}::text, ',')), false)) as sessions,
      (select count(*)::integer from jobs where status = 'queued' and kind = 'pre-recorded') as waiting
  `.execute(database);
  return rows[0] ?? { jobs: 0, sessions: 0, waiting: 0 };
}
