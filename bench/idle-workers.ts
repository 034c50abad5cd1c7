// Statements a second that idle workers send to PostgreSQL: three worker processes without a job. The first one has the duties of
// all, the others are alike, so that 100 workers are one of the first kind and 99 of the other. Then the time until a worker takes a job that
// another process accepted. Needs PostgreSQL and versitygw.
import { sql } from "kysely";
import { sleep } from "../src/platform/process/sleep.ts";
import { openDatabase } from "../src/platform/storage/db/database.ts";
import { startPostgres } from "../test/fixtures/postgres.ts";
import { silence, wav } from "../test/fixtures/recordings.ts";
import { startS3 } from "../test/fixtures/s3.ts";
import { finished, type RunningService, ready, startService, submit } from "../test/service.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const MEASURE_SECONDS = 60;
const QUIET_MILLISECONDS = 30_000;
const JOBS = 15;
const WORKERS = 100;

// Transactions of autovacuum would be counted.
const [postgres, s3] = [await startPostgres({ settings: { autovacuum: "off" } }), await startS3()];
const database = await openDatabase(postgres.url, "", undefined, { migrates: false, connections: 1 });
const started: RunningService[] = [];
const start = async (roles: string) => {
  const environment = { DATABASE_URL: postgres.url, ...s3.environment, PARLANCE_ROLES: roles, PARLANCE_WORKERS: "1" };
  const service = await startService({ environment });
  started.push(service);
  await ready(service);
  return service;
};

/** Transactions a second; a statement outside a transaction is one. */
async function rate(): Promise<number> {
  await sleep(QUIET_MILLISECONDS);
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select xact_commit::integer as count from pg_stat_database
      where datname = current_database()`.execute(database);
    return rows[0]?.count ?? 0;
  };
  const before = await count();
  await sleep(MEASURE_SECONDS * 1000);
  return ((await count()) - before) / MEASURE_SECONDS;
}

try {
  await start("worker");
  const first = await rate();
  await start("worker");
  await start("worker");
  const further = ((await rate()) - first) / 2;
  const api = await start("api");
  const delays: number[] = [];
  for (let job = 0; job < JOBS; job++) {
    const id = await submit(api, wav([silence(1)]));
    await finished(api, id);
    const { rows } = await sql<{ milliseconds: number }>`select
      (extract(epoch from started_at - created_at) * 1000)::float8 as milliseconds from jobs where id = ${id}`.execute(
      database,
    );
    delays.push(rows[0]?.milliseconds ?? Number.NaN);
  }
  const total = first + (WORKERS - 1) * further;
  const results: Result[] = [
    {
      name: "idle workers",
      values: {
        "first, a second": rounded(first, 2),
        "each further one": rounded(further, 2),
        [`${WORKERS} together`]: rounded(total, 1),
        "wait of a job, median ms": rounded(percentile(delays, 0.5), 0),
        "95 % ms": rounded(percentile(delays, 0.95), 0),
      },
      goal: "< 20 a second",
      isMet: total < 20,
    },
  ];
  printResults(`idle workers, ${MEASURE_SECONDS} s each`, results);
  saveResults("idle-workers", results);
} finally {
  for (const service of started) await service.remove();
  await database.destroy();
  await s3.remove();
  postgres.stop();
}
