// The limits of the queue in PostgreSQL: processor time of each statement with many jobs (--jobs N, --accounts N, of which --waiting N and
// --running N; --statements-only ends there); claims, stage updates, lease renewals and queue positions a second, with few and with many jobs and accounts; and a capacity plan
// for a load, from these figures and the measured speed of a core. --sessions N: concurrent live sessions; --hours N: recorded audio an hour.
// Needs PostgreSQL.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { type Database, openDatabase } from "../src/platform/storage/db/database.ts";
import { databaseTime } from "../src/platform/storage/db/database-time.ts";
import { finishStage, type Hold, holdOf } from "../src/platform/storage/db/jobs/held-jobs.ts";
import { claimNextJob } from "../src/platform/storage/db/jobs/job-claims.ts";
import { endJob, findJob } from "../src/platform/storage/db/jobs/jobs.ts";
import { renewLeases } from "../src/platform/storage/db/jobs/leases.ts";
import { QueuePlaces } from "../src/platform/storage/db/jobs/queue-place.ts";
import { hasPostgres, startPostgres } from "../test/fixtures/postgres.ts";
import { fillQueue, measureStatements } from "./scale-statements.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({
  options: {
    sessions: { type: "string", default: "100000" },
    hours: { type: "string", default: "100000" },
    jobs: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "10000" },
    waiting: { type: "string" },
    running: { type: "string" },
    "statements-only": { type: "boolean", default: false },
  },
});

const CLAIMS = 400;
const CLAIMERS = 8;
const MODEL = "moonshine-base-en";
/** Per core, as the benchmarks throughput and live measure them on machines with two cores. */
const AUDIO_SECONDS_A_CORE = 30;
const SESSIONS_A_CORE = 8;
const CORES_A_MACHINE = 16;
/** Typical hosting price of a core with 2 GB for an hour, dollars: an assumption, to be replaced by one's own. */
const DOLLARS_A_CORE_HOUR = 0.02;
const MEAN_JOB_MINUTES = 10;
const STAGE_UPDATES_A_JOB = 6;
const RENEW_SECONDS = 4;
/** A session updates the database when it is created, started and ended. */
const SESSION_UPDATES = 5;
const MEAN_SESSION_MINUTES = 10;
/** Bytes of audio per second and session. */
const SESSION_BYTES = 32_000;

async function fill(database: Database, jobs: number, accounts: number): Promise<void> {
  await sql`truncate jobs, accounts cascade`.execute(database);
  await fillQueue(database, { jobs, accounts, waiting: jobs, running: 0 });
}

const worker = (index: number) => `bench:${index}`;
const claim = (database: Database, index: number) =>
  claimNextJob(database, {
    worker: worker(index),
    concurrentJobs: 0,
    models: [MODEL],
    lane: "process",
    busyAccounts: [],
  });

async function measure(database: Database, jobs: number, accounts: number): Promise<Result> {
  await fill(database, jobs, accounts);
  const times: number[] = [];
  const held: Hold[] = [];
  let left = CLAIMS;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CLAIMERS }, async (_, index) => {
      while (left-- > 0) {
        const from = performance.now();
        const row = await claim(database, index);
        times.push(performance.now() - from);
        if (row) held.push(holdOf(row));
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const stepsFrom = performance.now();
  await Promise.all(
    held.map((hold) =>
      finishStage(database, hold, { stageOutputs: {}, nextStage: "recognize", progress: 0.2, restSeconds: 10 }),
    ),
  );
  const steps = held.length / ((performance.now() - stepsFrom) / 1000);
  const renewFrom = performance.now();
  for (let round = 0; round < 20; round++) {
    const own = held.filter((job) => job.worker === worker(0));
    await renewLeases(database, own);
  }
  const renewal = (performance.now() - renewFrom) / 20;
  const last = await sql<{
    id: string;
  }>`select id from jobs where status = 'queued' order by created_at desc limit 1`.execute(database);
  const row = await findJob(database, last.rows[0]?.id ?? "");
  const placeFrom = performance.now();
  if (row) await new QueuePlaces(database).of(row);
  const place = performance.now() - placeFrom;
  for (const hold of held) {
    await endJob(database, hold.id, { status: "done", completedAt: databaseTime(database), resultKey: "" }, hold);
  }
  return {
    name: `${jobs} jobs wait, ${accounts} accounts`,
    values: {
      "claims a second": rounded(held.length / seconds, 0),
      "claim median ms": rounded(percentile(times, 0.5), 1),
      "claim 95 % ms": rounded(percentile(times, 0.95), 1),
      "stages a second": rounded(steps, 0),
      "renewal of a worker ms": rounded(renewal, 1),
      "last one's place ms": rounded(place, 0),
    },
  };
}

/** Computes the plan from the measurements. */
function plan(sessions: number, hoursAnHour: number, claimsASecond: number, stagesASecond: number): Result[] {
  const workerCores = Math.ceil(hoursAnHour / AUDIO_SECONDS_A_CORE);
  const jobsASecond = (hoursAnHour * 60) / MEAN_JOB_MINUTES / 3600;
  const running = (workerCores / 2) * 16;
  const updates =
    jobsASecond * STAGE_UPDATES_A_JOB +
    workerCores / CORES_A_MACHINE / RENEW_SECONDS +
    (sessions / (MEAN_SESSION_MINUTES * 60)) * SESSION_UPDATES;
  const liveCores = Math.ceil(sessions / SESSIONS_A_CORE);
  const cores = workerCores + liveCores;
  return [
    {
      name: "recorded",
      values: {
        "audio hours an hour": hoursAnHour,
        cores: workerCores,
        machines: Math.ceil(workerCores / CORES_A_MACHINE),
        "jobs a second": rounded(jobsASecond, 1),
        "jobs at once": running,
        "share of the claims": `${rounded((100 * jobsASecond) / claimsASecond, 0)} %`,
      },
    },
    {
      name: "live",
      values: {
        sessions,
        cores: liveCores,
        machines: Math.ceil(liveCores / CORES_A_MACHINE),
        "audio Gbit/s in": rounded((sessions * SESSION_BYTES * 8) / 1e9, 1),
        "sessions begun a second": rounded(sessions / (MEAN_SESSION_MINUTES * 60), 0),
      },
    },
    {
      name: "together",
      values: {
        cores,
        machines: Math.ceil(cores / CORES_A_MACHINE),
        "updates a second": rounded(updates, 0),
        "share of one PostgreSQL": `${rounded((100 * updates) / stagesASecond, 0)} %`,
        "dollars an hour": rounded(cores * DOLLARS_A_CORE_HOUR, 0),
      },
    },
  ];
}

if (!hasPostgres) throw new Error("this bench needs PostgreSQL: apt-get install postgresql");
const postgres = await startPostgres();
const folder = await mkdtemp(path.join(os.tmpdir(), `parlance-scale-${uuid()}`));
async function measureLoad(): Promise<Result[]> {
  const database = await openDatabase(postgres.url, folder);
  const measured: Result[] = [];
  for (const [jobs, accounts] of [
    [1_000, 1],
    [1_000, 100],
    [100_000, 1],
    [100_000, 100],
    [100_000, 10_000],
    [1_000_000, 1_000],
  ] as const) {
    measured.push(await measure(database, jobs, accounts));
  }
  printResults("the queue in PostgreSQL, on this machine", measured);
  // The last and largest queue. Claims of a single account follow one another, and say nothing about many.
  const largest = (name: string) => Number(measured.at(-1)?.values[name]);
  const planned = plan(
    Number(options.sessions),
    Number(options.hours),
    largest("claims a second"),
    largest("stages a second"),
  );
  printResults("what a load takes, by these figures", planned);
  await database.destroy();
  return [...measured, ...planned];
}

try {
  const [jobs, accounts] = [Number(options.jobs), Number(options.accounts)];
  const sizes = { jobs, accounts, waiting: Number(options.waiting), running: Number(options.running) };
  const statements = await measureStatements(postgres.url, folder, sizes);
  printResults(`processor time of PostgreSQL, ${sizes.jobs} jobs of ${sizes.accounts} accounts`, statements);
  saveResults("scale", [...statements, ...(options["statements-only"] ? [] : await measureLoad())]);
} finally {
  postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
