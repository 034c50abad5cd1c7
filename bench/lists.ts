// Lists of one account with very many jobs, over HTTP: every filter alone and the usual pairs, the first page and one
// at offset 10,000. On the embedded database and, if it is installed, on PostgreSQL.
// Options: --embedded N, --postgres N (jobs; 0 skips it).
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { ensureAccount } from "../src/platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../src/platform/storage/db/database.ts";
import { metadataPairs } from "../src/platform/storage/db/metadata-filter.ts";
import { hasPostgres, startPostgres } from "../test/fixtures/postgres.ts";
import { call, type RunningService, ready, startService } from "../test/service.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({
  options: {
    embedded: { type: "string", default: "200000" },
    postgres: { type: "string", default: "1000000" },
  },
});

const ROUNDS = 60;
const BATCH = 50_000;
const DAYS = 365;
const CUSTOMERS = 1_000;
const FIRST_PAGE_GOAL = 25;
const FAR_PAGE_GOAL = 100;

/** Pairs are hashed here; the rows are generated in the database. */
const pair = (filter: object) => metadataPairs(filter)[0] as string;
const PRODUCTION = pair({ environment: "production" });
const customers = Array.from({ length: CUSTOMERS }, (_, index) => pair({ customer: { id: String(index) } }));

async function fill(database: Database, count: number): Promise<void> {
  const account = await ensureAccount(database, { id: uuid(), name: "default" }, clientTime(new Date()));
  const end = Date.now();
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(count, from + BATCH) - 1;
    // Newest last; ids begin with their time (UUID version 7). One job in 30 failed, one in five was live.
    const values = sql`
      select (lpad(to_hex((${end}::bigint - (${count}::bigint - i) * ${(DAYS * 86_400_000) / count}::float8)::bigint), 12, '0')
          || '7000' || '8' || lpad(to_hex(i), 15, '0'))::uuid as id,
        to_timestamp((${end}::bigint - (${count}::bigint - i) * ${(DAYS * 86_400_000) / count}::float8) / 1000) as at,
        case when i % 5 = 0 then 'live' else 'pre-recorded' end as kind,
        case when i % 30 = 0 then 'error' else 'done' end as status, i
      from generate_series(${from}::bigint, ${to}::bigint) as i`;
    await sql`
      with made as (${values}), rows as (
        insert into jobs (id, account_id, kind, status, model, created_at, started_at, completed_at, request_params,
          custom_metadata, metadata_filter, post_session_metadata, stage_outputs)
        select id, ${account.id}, kind, status, 'moonshine-base-en', at, at, at,
          '{"audio_url":"https://example.org/recording.mp3","diarization":true}',
          json_build_object('environment', 'production', 'customer', json_build_object('id', i % ${CUSTOMERS})),
          jsonb_build_object('environment', 'production', 'customer', jsonb_build_object('id', (i % ${CUSTOMERS})::text)),
          '{}', '{}'
        from made
      )
      insert into job_metadata (account_id, pair, created_at, job_id, kind)
      select ${account.id}, unnest(array[${PRODUCTION}::bigint, (${customers}::bigint[])[1 + i % ${CUSTOMERS}]]), at, id, kind
      from made`.execute(database);
  }
  await sql`vacuum analyze`.execute(database);
}

const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
const QUERIES: Record<string, string> = {
  "no filter": "",
  "status, common": "status=done",
  "status, rare": "status=error",
  "status, none": "status=queued",
  "two statuses": "status=done&status=error",
  kind: "kind=live",
  date: `date=${day}`,
  "before a date": `before_date=${day}`,
  "after a date": `after_date=${day}`,
  "metadata of all": "custom_metadata[environment]=production",
  "metadata of few": "custom_metadata[customer][id]=77",
  "metadata of none": "custom_metadata[customer][id]=nobody",
  "status and date": `status=error&date=${day}`,
  "status and range": `status=error&before_date=${day}`,
  "metadata and kind": "custom_metadata[environment]=production&kind=live",
  "two metadata pairs": "custom_metadata[environment]=production&custom_metadata[customer][id]=77",
};

async function latencies(service: RunningService, query: string): Promise<{ p95: number; items: number }> {
  const times: number[] = [];
  let items = 0;
  for (let round = -5; round < ROUNDS; round++) {
    const started = performance.now();
    const { status, json } = await call(service, "GET", `/v2/transcription?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(json));
    if (round >= 0) times.push(performance.now() - started);
    items = json.items.length;
  }
  return { p95: percentile(times, 0.95), items };
}

async function measure(name: string, count: number, databaseUrl: string): Promise<Result[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-lists-"));
  const database = await openDatabase(databaseUrl, folder);
  const started = performance.now();
  await fill(database, count);
  await database.destroy();
  process.stderr.write(`${name}: ${count} jobs in ${Math.round((performance.now() - started) / 1000)} s\n`);
  const service = await startService({
    folder,
    environment: {
      PARLANCE_LOG_LEVEL: "warn",
      PARLANCE_WORKERS: "1",
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
  });
  try {
    await ready(service);
    const results: Result[] = [];
    for (const [label, query] of Object.entries(QUERIES)) {
      const first = await latencies(service, query);
      const far = await latencies(service, `${query}&offset=10000`);
      results.push({
        name: `${name}, ${label}`,
        values: {
          jobs: count,
          "first page P95 ms": rounded(first.p95, 1),
          items: first.items,
          "offset 10,000 P95 ms": rounded(far.p95, 1),
        },
        goal: `${FIRST_PAGE_GOAL} and ${FAR_PAGE_GOAL} ms`,
        isMet: first.p95 <= FIRST_PAGE_GOAL && far.p95 <= FAR_PAGE_GOAL,
      });
    }
    return results;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const results: Result[] = [];
if (Number(options.embedded) > 0) results.push(...(await measure("embedded", Number(options.embedded), "")));
if (hasPostgres && Number(options.postgres) > 0) {
  const postgres = await startPostgres();
  try {
    results.push(...(await measure("PostgreSQL", Number(options.postgres), postgres.url)));
  } finally {
    postgres.stop();
  }
}
printResults("Lists", results);
saveResults("lists", results);
