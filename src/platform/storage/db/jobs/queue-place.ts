// The place of a job in the queue, from the counts of the accounts. The figures of the whole queue are read at most once a second, for all
// places that are requested. For each place, only the jobs of its own account are read.
import { sql } from "kysely";
import { sharedFor } from "../../../process/shared-for.ts";
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
const SAMPLE = 100;

/** Age at which the figures of the whole queue are read again. */
const KNOWN_MILLISECONDS = 1_000;

/** Whether a job is a request for add-ons that are made from the text of a transcript: it counts as no audio. */
const isOfText = sql`case when jobs.added_to is null then false
  else coalesce(jobs.request_params ->> 'diarization', 'false') <> 'true' end as is_of_text`;

interface Lengths {
  jobs: number;
  seconds: number;
  unknown: number;
}

interface WholeQueue {
  /** Accounts by the number of their waiting jobs. */
  accounts: { waiting: number; count: number }[];
  running: number;
  lengthsOfWaiting: Lengths;
  lengthsOfRunning: Lengths;
}

export class QueuePlaces {
  private readonly wholeQueue = sharedFor(KNOWN_MILLISECONDS, () => this.readQueue());

  constructor(private readonly database: Database) {}

  /** Accounts take turns: as many jobs of each other account go first as of the job's own account. */
  async of(job: Pick<JobRow, "id" | "account_id" | "created_at">): Promise<QueuePlace> {
    const [queue, own] = await Promise.all([this.wholeQueue(), this.ownJobs(job)]);
    const turns = own.earlier + 1;
    const ofAll = queue.accounts.reduce((sum, { waiting, count }) => sum + count * Math.min(waiting, turns), 0);
    const others = Math.max(0, ofAll - Math.min(own.waiting, turns));
    const { lengthsOfWaiting, lengthsOfRunning, running } = queue;
    const sum = (of: (lengths: Lengths) => number) =>
      share(of, own.lengths, own.earlier) + share(of, lengthsOfWaiting, others) + share(of, lengthsOfRunning, running);
    return {
      ahead: own.earlier + others,
      audioSecondsAhead: sum(({ seconds }) => seconds),
      unknownAhead: Math.round(sum(({ unknown }) => unknown)),
    };
  }

  private async readQueue(): Promise<WholeQueue> {
    const { database } = this;
    const [{ rows }, { running }, lengthsOfWaiting, lengthsOfRunning] = await Promise.all([
      sql<{ waiting: string; count: string }>`
        select waiting, count(*) from (
          select sum(waiting) as waiting from account_lanes
          where lane in ('fetch', 'process') and waiting > 0 group by account_id
        ) as one group by waiting`.execute(database),
      queueTotals(database),
      lengthsOf(
        database,
        sql`select next.file_id, next.is_of_text, 0::float8 as progress from (
          select account_id from account_lanes where lane in ('fetch', 'process') and waiting > 0 limit ${SAMPLE}
        ) as owners cross join lateral (
          select file_id, ${isOfText} from jobs where account_id = owners.account_id and status = 'queued' and kind = 'pre-recorded'
          order by created_at, id limit 3
        ) as next limit ${SAMPLE}`,
      ),
      lengthsOf(
        database,
        sql`select file_id, progress, ${isOfText} from jobs where status = 'processing' and kind = 'pre-recorded' limit ${SAMPLE}`,
      ),
    ]);
    const accounts = rows.map(({ waiting, count }) => ({ waiting: Number(waiting), count: Number(count) }));
    return { accounts, running, lengthsOfWaiting, lengthsOfRunning };
  }

  /** Jobs of the same account. */
  private async ownJobs({ id, account_id, created_at }: Pick<JobRow, "id" | "account_id" | "created_at">) {
    const earlier = sql`jobs.status = 'queued' and jobs.kind = 'pre-recorded' and jobs.account_id = ${account_id}
      and (jobs.created_at, jobs.id) < (${created_at}, ${id})`;
    const { rows } = await sql<{ earlier: string; waiting: string; jobs: string; seconds: number; unknown: string }>`
      select (select count(*) from jobs where ${earlier}) as earlier,
        (select coalesce(sum(waiting), 0) from account_lanes
          where account_id = ${account_id} and lane in ('fetch', 'process')) as waiting, sample.*
      from (
        select count(*) as jobs, coalesce(sum(audio_duration) filter (where not is_of_text), 0) as seconds,
          count(*) filter (where audio_duration is null and not is_of_text) as unknown
        from (select file_id, ${isOfText} from jobs where ${earlier} limit ${SAMPLE}) as sampled left join files on files.id = sampled.file_id
      ) as sample`.execute(this.database);
    const [row] = rows;
    return {
      earlier: Number(row?.earlier ?? 0),
      waiting: Number(row?.waiting ?? 0),
      lengths: lengthsIn(row),
    };
  }
}

const lengthsIn = (row: { jobs: string; seconds: number; unknown: string } | undefined): Lengths => ({
  jobs: Number(row?.jobs ?? 0),
  seconds: Number(row?.seconds ?? 0),
  unknown: Number(row?.unknown ?? 0),
});

/** Scales a sum over a sample up to `count` jobs. */
function share(of: (lengths: Lengths) => number, sample: Lengths, count: number): number {
  return sample.jobs === 0 ? 0 : (of(sample) * count) / sample.jobs;
}

async function lengthsOf(database: Database, jobs: ReturnType<typeof sql>): Promise<Lengths> {
  const { rows } = await sql<{ jobs: string; seconds: number; unknown: string }>`
    select count(*) as jobs, coalesce(sum(audio_duration * (1 - progress)) filter (where not is_of_text), 0) as seconds,
      count(*) filter (where audio_duration is null and not is_of_text) as unknown
    from (${jobs}) as sample left join files on files.id = sample.file_id`.execute(database);
  return lengthsIn(rows[0]);
}
