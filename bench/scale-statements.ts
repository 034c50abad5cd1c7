// Processor time of the database for each statement of the queue, with many jobs. Part of bench/scale.ts.
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import type pg from "pg";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { beginDeletion } from "../src/platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../src/platform/storage/db/database.ts";
import { statementTime } from "../src/platform/storage/db/database-time.ts";
import { queueTotals, repairCounts } from "../src/platform/storage/db/jobs/account-lanes.ts";
import { claimNextJob } from "../src/platform/storage/db/jobs/job-claims.ts";
import { findJob, type JobRow, jobsWaitingForModels, removeJobs } from "../src/platform/storage/db/jobs/jobs.ts";
import { recoverExpired } from "../src/platform/storage/db/jobs/leases.ts";
import { unusedSessions } from "../src/platform/storage/db/jobs/live-sessions.ts";
import { QueuePlaces } from "../src/platform/storage/db/jobs/queue-place.ts";
import { Disk } from "../src/platform/storage/disk/disk.ts";
import { FileStore } from "../src/platform/storage/objects/file-store.ts";
import { AccountRemoval } from "../src/service/jobs/account-removal.ts";
import { type Result, rounded } from "./table.ts";

const MODEL = "moonshine-base-en";
const MISSING = "a-model-that-is-missing";
/** Shares of all jobs. */
const WAITING = 0.1;
const RUNNING = 0.028;
/** Linux counts processor time in these steps. */
const TICKS_A_SECOND = 100;
/** Jobs that one statement inserts: the driver gives up a statement that takes longer than a minute. */
const INSERTED_AT_ONCE = 50_000;
const DELETED_ACCOUNTS = 10;
const JOBS_OF_DELETED = 87;

export interface StatementSizes {
  jobs: number;
  accounts: number;
  /** Of these jobs; NaN for the usual share of all. */
  waiting: number;
  running: number;
}

const waitingOf = ({ jobs, waiting }: StatementSizes) => waiting || Math.round(jobs * WAITING);
const runningOf = ({ jobs, running }: StatementSizes) => running || Math.round(jobs * RUNNING);

/** Jobs from..to of the whole, in pieces; `owners` accounts have them. */
async function insertJobs(
  database: Database,
  { from, to, owners, status, jobs }: { from: number; to: number; owners: number; status: string; jobs: number },
): Promise<void> {
  for (let first = from; first <= to; first += INSERTED_AT_ONCE) {
    await sql`insert into jobs
        (id, account_id, file_id, kind, status, model, created_at, completed_at, request_params, post_session_metadata,
          stage_outputs, worker, lease_until)
      select gen_random_uuid(), ids[1 + i % ${owners}::integer], ids[1 + i % ${owners}::integer], 'pre-recorded',
        ${status}::text, ${MODEL}, now() - (${jobs}::integer - i) * interval '1 millisecond',
        case ${status}::text when 'done' then now() end, '{}', '{}', '{}',
        case ${status}::text when 'processing' then 'bench#1' end,
        case ${status}::text when 'processing' then now() + interval '30 minutes' end
      from (select array(select id from accounts order by id) as ids) as every,
        generate_series(${first}::integer, ${Math.min(to, first + INSERTED_AT_ONCE - 1)}::integer) as i`.execute(
      database,
    );
  }
}

/** Counting each insert would take most of the time; the counts are made at the end, as in migration 0015. */
async function uncounted(database: Database, insert: () => Promise<void>): Promise<void> {
  await sql`alter table jobs disable trigger user`.execute(database);
  await insert();
  await sql`alter table jobs enable trigger user`.execute(database);
  await sql`truncate account_lanes`.execute(database);
  await sql`insert into account_lanes (account_id, lane, waiting, running, head_at)
    select account_id, lane_of_job(kind, file_id), count(*) filter (where status = 'queued'),
      count(*) filter (where status = 'processing'), min(created_at) filter (where status = 'queued')
    from jobs where status in ('queued', 'processing') group by 1, 2`.execute(database);
  await sql`vacuum analyze`.execute(database);
}

/** Jobs that have ended and that wait, of all accounts. */
export async function fillQueue(database: Database, sizes: StatementSizes): Promise<void> {
  const { jobs, accounts } = sizes;
  await sql`insert into accounts (id, name, created_at)
    select gen_random_uuid(), 'account ' || i, now() from generate_series(1, ${accounts}::integer) as i`.execute(
    database,
  );
  await sql`insert into files (id, account_id, filename, extension, size, object_key, audio_duration, created_at)
    select id, id, 'audio', 'wav', 1, id::text, 60, now() from accounts`.execute(database);
  const waiting = waitingOf(sizes);
  await uncounted(database, async () => {
    await insertJobs(database, { from: 1, to: jobs - waiting, owners: accounts, status: "done", jobs });
    await insertJobs(database, { from: jobs - waiting + 1, to: jobs, owners: accounts, status: "queued", jobs });
  });
}

/** @param busyShare  of the accounts that have the running jobs; 0 leaves out running jobs */
async function run(database: Database, sizes: StatementSizes, busyShare: number): Promise<void> {
  const { jobs, accounts } = sizes;
  await uncounted(database, async () => {
    await sql`delete from jobs where status = 'processing'`.execute(database);
    const to = busyShare === 0 ? 0 : runningOf(sizes);
    const owners = Math.max(1, Math.round(accounts * busyShare));
    await insertJobs(database, { from: 1, to, owners, status: "processing", jobs });
  });
}

/** Milliseconds of processor time that the server process of a connection has used. */
export async function processorMilliseconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  return processorSecondsOf(rows[0].pid) * 1000;
}

function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Seconds of processor time that the server process of the only connection has used. */
async function processorSeconds(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return processorSecondsOf(rows[0]?.pid ?? 0);
}

async function cost(database: Database, times: number, execute: (at: number) => Promise<unknown>): Promise<number> {
  // The first executions plan the statement.
  for (let at = 0; at < 10; at++) await execute(at);
  const before = await processorSeconds(database);
  for (let at = 10; at < times + 10; at++) await execute(at);
  return rounded(((await processorSeconds(database)) - before) * (1000 / times), 2);
}

const claim = (database: Database, concurrentJobs = 0) =>
  claimNextJob(database, { worker: "bench#1", concurrentJobs, models: [MODEL], lane: "process", busyAccounts: [] });

const row = (name: string, milliseconds: number, goal: number): Result => ({
  name,
  values: { "processor ms": milliseconds },
  goal: `< ${goal} ms`,
  isMet: milliseconds < goal,
});

/** Wall time of deleting accounts, with their objects as files. */
async function deletion(database: Database, folder: string): Promise<Result> {
  const ids = Array.from({ length: DELETED_ACCOUNTS }, () => uuid());
  for (const id of ids) {
    await sql`insert into accounts (id, name, created_at) values (${id}, ${id}, now())`.execute(database);
    await sql`insert into jobs (id, account_id, kind, status, model, created_at, completed_at, request_params,
        post_session_metadata, stage_outputs, result_key)
      select job, ${id}, 'pre-recorded', 'done', ${MODEL}, now(), now(), '{}', '{}', '{}', 'results/' || job || '.json'
      from (select gen_random_uuid() as job from generate_series(1, ${JOBS_OF_DELETED}::integer)) as made`.execute(
      database,
    );
    await beginDeletion(database, id, statementTime);
  }
  const removal = new AccountRemoval(
    {
      ...{ database, objects: new FileStore(folder, new Disk(false)), isOnlyProcess: false },
      ...{ duties: { holds: async () => true }, live: { discard: async () => undefined } },
      worker: { cancel: async () => undefined },
    },
    pino({ level: "silent" }),
  );
  const began = performance.now();
  removal.start();
  for (;;) {
    const { rows } = await sql`select 1 from accounts where deleting_at is not null limit 1`.execute(database);
    if (rows.length === 0) break;
    removal.wake();
  }
  const seconds = (performance.now() - began) / 1000;
  await removal.stop();
  return {
    name: `${DELETED_ACCOUNTS} accounts with ${JOBS_OF_DELETED} jobs each, deleted`,
    values: { "wall s": rounded(seconds, 2) },
    goal: "< 2 s",
    isMet: seconds < 2,
  };
}

export async function measureStatements(url: string, folder: string, sizes: StatementSizes): Promise<Result[]> {
  const database = await openDatabase(url, folder, undefined, { connections: 1 });
  const results: Result[] = [];
  await fillQueue(database, sizes);
  for (const [name, share] of [
    ["no account has", 0],
    ["half of the accounts have", 0.5],
    ["nearly all accounts have", 0.97],
  ] as const) {
    await run(database, sizes, share);
    results.push(row(`claim; ${name} running jobs`, await cost(database, 200, () => claim(database)), 2));
  }
  await sql`update accounts set concurrent_jobs = 1`.execute(database);
  results.push(
    row("empty claim; all accounts are at their limit", await cost(database, 500, () => claim(database, 1)), 2),
  );
  const last = await sql<{
    id: string;
  }>`select id from jobs where status = 'queued' order by created_at desc limit 1`.execute(database);
  const waiting = (await findJob(database, last.rows[0]?.id ?? "")) as JobRow;
  const places = new QueuePlaces(database);
  results.push(row("place of the last job", await cost(database, 1_000, () => places.of(waiting)), 2));
  results.push(
    row(
      "figures of the queue for all places, by each process once a second",
      await cost(database, 100, () => new QueuePlaces(database).of(waiting)),
      10,
    ),
  );
  results.push(row("state of the queue", await cost(database, 200, () => queueTotals(database)), 2));
  await sql`update jobs set model = ${MISSING} where id = ${waiting.id}`.execute(database);
  results.push(
    row("jobs that wait for models", await cost(database, 200, () => jobsWaitingForModels(database, [MODEL])), 2),
  );
  const recovery = { isOnlyProcess: false, self: { machine: "other", generation: 1 }, running: [], mostStrikes: 5 };
  results.push(
    row("recovery, by one process each 5 s", await cost(database, 100, () => recoverExpired(database, recovery)), 1),
  );
  results.push(
    row("unused sessions, by one process each 30 s", await cost(database, 100, () => unusedSessions(database, 600)), 5),
  );
  results.push(
    row(
      "comparison of all counts, by one process each hour",
      await cost(database, 5, () => repairCounts(database)),
      1_000,
    ),
  );
  const done = await sql<{ id: string }>`select id from jobs where status = 'done' limit 210`.execute(database);
  results.push(
    row(
      "deletion of a job's row",
      await cost(database, 200, (at) => removeJobs(database, [done.rows[at]?.id ?? uuid()])),
      1,
    ),
  );
  await database.destroy();
  const several = await openDatabase(url, folder);
  results.push(await deletion(several, folder));
  await several.destroy();
  return results;
}
