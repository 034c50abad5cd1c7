// The place of a job in the queue, from the counts of the accounts.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { queueTotals } from "./account-lanes.ts";
import type { JobRow } from "./jobs.ts";

export interface QueuePlace {
  /** Jobs that will be served before this one. */
  ahead: number;
  /** Seconds of audio in them and in those that run, as far as known. An estimate from some of them where there are many. */
  audioSecondsAhead: number;
  /** How many of them have an unknown length. */
  unknownAhead: number;
}

/** Jobs whose lengths are read; the others are estimated to be like them. */
const SAMPLE = 500;

interface Lengths {
  jobs: number;
  seconds: number;
  unknown: number;
}

/** Accounts take turns: as many jobs of each other account go first as of the job's own account. */
export async function queuePlace(
  database: Database,
  job: Pick<JobRow, "id" | "account_id" | "created_at">,
): Promise<QueuePlace> {
  const earlier = sql`jobs.status = 'queued' and jobs.kind = 'pre-recorded' and jobs.account_id = ${job.account_id}
    and (jobs.created_at, jobs.id) < (${job.created_at}, ${job.id})`;
  const { rows } = await sql<{ own: string; others: string }>`
    with own as (select count(*) as jobs from jobs where ${earlier})
    select (select jobs from own) as own, coalesce(sum(least(waiting, (select jobs + 1 from own))), 0) as others
    from (
      select sum(waiting) as waiting from account_lanes
      where lane in ('fetch', 'process') and waiting > 0 and account_id <> ${job.account_id} group by account_id
    ) as other`.execute(database);
  const own = Number(rows[0]?.own ?? 0);
  const ahead = own + Number(rows[0]?.others ?? 0);
  const [before, running, totals] = await Promise.all([
    lengthsOf(
      database,
      sql`(select jobs.file_id, 0::float8 as progress from jobs where ${earlier} limit ${SAMPLE})
        union all
        (select next.file_id, 0 from (
          select distinct account_id from (
            select account_id from account_lanes
            where lane in ('fetch', 'process') and waiting > 0 and account_id <> ${job.account_id} limit ${2 * SAMPLE}
          ) as lanes
        ) as other cross join lateral (
          select file_id from jobs where account_id = other.account_id and status = 'queued' and kind = 'pre-recorded'
          order by created_at, id limit ${own + 1}
        ) as next limit ${SAMPLE})`,
    ),
    lengthsOf(
      database,
      sql`select file_id, progress from jobs where status = 'processing' and kind = 'pre-recorded' limit ${SAMPLE}`,
    ),
    queueTotals(database),
  ]);
  const ofAll = (share: number, sample: Lengths, all: number) =>
    sample.jobs === 0 ? 0 : (share * Math.max(all, sample.jobs)) / sample.jobs;
  const sum = (of: (sample: Lengths) => number) =>
    ofAll(of(before), before, ahead) + ofAll(of(running), running, totals.running);
  return {
    ahead,
    audioSecondsAhead: sum(({ seconds }) => seconds),
    unknownAhead: Math.round(sum(({ unknown }) => unknown)),
  };
}

async function lengthsOf(database: Database, jobs: ReturnType<typeof sql>): Promise<Lengths> {
  const { rows } = await sql<{ jobs: string; seconds: number; unknown: string }>`
    select count(*) as jobs, coalesce(sum(audio_duration * (1 - progress)), 0) as seconds,
      count(*) filter (where audio_duration is null) as unknown
    from (${jobs}) as sample left join files on files.id = sample.file_id`.execute(database);
  const [row] = rows;
  return { jobs: Number(row?.jobs ?? 0), seconds: Number(row?.seconds ?? 0), unknown: Number(row?.unknown ?? 0) };
}
