// Repeated corrections of an account with very many corrections, on the embedded database: a page of the list, those of one transcript, and
// the counting of a transcript's replaced words after a correction.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { ensureAccount } from "../src/platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../src/platform/storage/db/client-time.ts";
import { openDatabase } from "../src/platform/storage/db/database.ts";
import { saveTexts } from "../src/platform/storage/db/jobs/job-texts.ts";
import { listRepeated } from "../src/platform/storage/db/jobs/replaced-phrases.ts";
import { percentile, printResults, rounded, saveResults } from "./table.ts";

const JOBS = 2_000;
const OF_JOB = 50;
/** Each pair is in this many transcripts, one in ten of them in a single one. */
const SHARED_BY = 5;
const ROUNDS = 40;

const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-teaching-"));
const database = await openDatabase("", folder);
try {
  const account = await ensureAccount(database, { id: crypto.randomUUID(), name: "default" }, clientTime(new Date()));
  const jobOf = sql`('00000000-0000-7000-8000-' || lpad(job::text, 12, '0'))::uuid`;
  await sql`insert into jobs (id, account_id, kind, status, model, created_at, completed_at, request_params, post_session_metadata, stage_outputs)
    select ${jobOf}, ${account.id}, 'pre-recorded', 'done', 'a-model', now(), now(), '{}', '{}', '{}'
    from generate_series(1, ${JOBS}) as job`.execute(database);
  await sql`insert into replaced_phrases (job_id, pair, phrase, account_id, before, after, utterances, changed_at)
    select ${jobOf}, md5(word::text)::uuid, md5('phrase ' || word)::uuid, ${account.id}, 'before ' || word, 'after ' || word, 1,
      now() - make_interval(secs => ${JOBS} - job)
    from generate_series(1, ${JOBS}) as job, generate_series(1, ${OF_JOB}) as place,
      lateral (select case when place % 10 = 0 then job * ${OF_JOB} + place else (job / ${SHARED_BY}) * ${OF_JOB} + place end as word) as words
    on conflict do nothing`.execute(database);
  await sql`vacuum analyze`.execute(database);
  const jobId = "00000000-0000-7000-8000-000000001000";
  const one = { accountId: account.id, isDismissed: false, limit: 21 };
  const replaced = Array.from({ length: OF_JOB }, (_, place) => ({
    ...{ before: `before ${place}`, after: `after ${place}`, key: `before ${place}`, utterances: 1 },
  }));
  const asRead = { status: "done" as const, resultKey: null };
  const text = { ...asRead, jobId, text: "so we go there", name: null, tags: [], names: [], overview: null };
  const work: Record<string, () => Promise<unknown>> = {
    "a page of the list": () => listRepeated(database, one),
    "those of one transcript": () => listRepeated(database, { ...one, jobId }),
    "counting after a correction": () =>
      saveTexts(database, [{ ...text, replaced, corrections: { made: 0, undone: 0 } }]),
  };
  const results = [];
  for (const [name, run] of Object.entries(work)) {
    const times: number[] = [];
    for (let round = -5; round < ROUNDS; round++) {
      const started = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - started);
    }
    const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    results.push({
      name,
      values: { "replaced words": JOBS * OF_JOB, "median ms": rounded(median, 1), "P95 ms": rounded(p95, 1) },
    });
  }
  printResults("Repeated corrections", results);
  saveResults("teaching", results);
} finally {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
}
