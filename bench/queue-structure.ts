// What other structures of the queue would cost in PostgreSQL: an index of the leases, and jobs in monthly partitions. --running N: jobs that
// run. Needs PostgreSQL.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { openDatabase } from "../src/platform/storage/db/database.ts";
import { hasPostgres, startPostgres } from "../test/fixtures/postgres.ts";
import { processorMilliseconds } from "./scale-statements.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({ options: { running: { type: "string", default: "28000" } } });
const RUNNING = Number(options.running);
const JOBS_OF_A_WORKER = 16;
const ROUNDS = 3;
const PLANNINGS = 60;
const ACCOUNTS = 1_000;
const NOBODY = "00000000-0000-0000-0000-000000000001";
/** A server process publishes its statistics at the end of a statement, once in this time at most. */
const STATISTICS_MILLISECONDS = 1_500;

if (!hasPostgres) throw new Error("this bench needs PostgreSQL: apt-get install postgresql");
const postgres = await startPostgres();
const folder = await mkdtemp(path.join(os.tmpdir(), `parlance-structure-${uuid()}`));
const client = new pg.Client(postgres.url);

async function fill(): Promise<void> {
  await client.query("alter table jobs disable trigger user");
  await client.query(`insert into accounts (id, name, created_at)
    select gen_random_uuid(), 'account ' || i, now() from generate_series(1, ${ACCOUNTS}) as i`);
  await client.query(
    `insert into jobs (id, account_id, kind, status, model, created_at, request_params, post_session_metadata, stage_outputs,
      worker, lease_until)
    select gen_random_uuid(), ids[1 + i % ${ACCOUNTS}], 'pre-recorded', 'processing', 'a', now(), '{}', '{}', '{}',
      'worker' || i / ${JOBS_OF_A_WORKER}, now() + interval '30 minutes'
    from (select array(select id from accounts) as ids) as every, generate_series(0, ${RUNNING - 1}) as i`,
  );
  await client.query("vacuum analyze");
}

/** Processor time of one worker's renewal, and the share of the updates that wrote no index. */
async function renewals(name: string): Promise<Result> {
  const { rows } = await client.query("select worker, array_agg(id) as ids from jobs group by worker");
  const renewAll = async () => {
    for (const { worker, ids } of rows)
      await client.query(
        "update jobs set lease_until = now() + interval '30 minutes' where id = any($1) and worker = $2",
        [ids, worker],
      );
  };
  const updates = async () => {
    await pause(STATISTICS_MILLISECONDS);
    await client.query("select");
    const { rows: counted } = await client.query(
      "select n_tup_upd::integer as all, n_tup_hot_upd::integer as hot from pg_stat_user_tables where relname = 'jobs'",
    );
    return counted[0] as { all: number; hot: number };
  };
  await renewAll();
  const [before, from] = [await updates(), await processorMilliseconds(client)];
  for (let round = 0; round < ROUNDS; round++) await renewAll();
  const spent = (await processorMilliseconds(client)) - from;
  const after = await updates();
  return {
    name,
    values: {
      "processor ms": rounded(spent / ROUNDS / rows.length),
      "updates without indexes": `${rounded((100 * (after.hot - before.hot)) / (after.all - before.all), 0)} %`,
    },
  };
}

async function planningMilliseconds(statement: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < PLANNINGS; at++) {
    const { rows } = await client.query(`explain (summary, format json) ${statement}`);
    times.push(rows[0]["QUERY PLAN"][0]["Planning Time"]);
  }
  return rounded(percentile(times, 0.5));
}

/** A table like jobs, divided by its ids, which begin with the time of their creation. */
async function divide(months: number): Promise<void> {
  await client.query("drop table if exists divided");
  await client.query("create table divided (like jobs including defaults including generated) partition by range (id)");
  const bound = (month: number) => `'01${month.toString(16).padStart(2, "0")}0000-0000-0000-0000-000000000000'`;
  for (let month = 0; month < months; month++)
    await client.query(
      `create table divided_${month} partition of divided for values from (${bound(month)}) to (${bound(month + 1)})`,
    );
  await client.query("alter table divided add primary key (id)");
  const { rows } = await client.query(
    "select pg_get_indexdef(indexrelid) as made from pg_index where indrelid = 'jobs'::regclass and not indisprimary",
  );
  for (const { made } of rows) await client.query(made.replace(/INDEX (\S+) ON \S+/, "INDEX divided_$1 ON divided"));
}

const plansOf = async (table: string, name: string): Promise<Result> => ({
  name,
  values: {
    "next job ms":
      await planningMilliseconds(`select id from ${table} where account_id = '${NOBODY}' and status = 'queued'
      and kind = 'pre-recorded' and file_id is not null and model in ('a') order by created_at, id limit 1 for update skip locked`),
    "newest jobs ms": await planningMilliseconds(
      `select id from ${table} where account_id = '${NOBODY}' order by created_at desc, id desc limit 20`,
    ),
    "by id ms": await planningMilliseconds(`select * from ${table} where id = '${NOBODY}'`),
  },
});

try {
  await (await openDatabase(postgres.url, folder)).destroy();
  await client.connect();
  await client.query("set jit = off");
  const plans = [await plansOf("jobs", "not divided")];
  for (const months of [12, 36, 60]) {
    await divide(months);
    plans.push(await plansOf("divided", `${months} partitions`));
  }
  await client.query("drop table divided");
  printResults("planning a statement", plans);
  await fill();
  const leases = [await renewals(`renewal of ${JOBS_OF_A_WORKER} leases`)];
  await client.query(
    "create index by_lease on jobs (lease_until) where status = 'processing' and kind = 'pre-recorded'",
  );
  leases.push(await renewals(`renewal of ${JOBS_OF_A_WORKER} leases, with an index of the leases`));
  printResults("leases", leases);
  saveResults("queue-structure", [...plans, ...leases]);
} finally {
  await client.end();
  postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
