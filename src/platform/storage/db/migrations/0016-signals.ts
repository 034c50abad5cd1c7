// Notifications of PostgreSQL for what idle processes wait for, sent with the transactions that make it. Triggers send them, so that no code
// can omit one, and processes of earlier versions send them as well (signals.ts receives them).
import { type Kysely, sql } from "kysely";

/** Most jobs of an account whose recordings are fetched ahead; see MOST_FETCHED_AHEAD in job-claims.ts. */
const FETCHED_AHEAD = 64;

async function makeFunctions(db: Kysely<never>): Promise<void> {
  // One channel for each schema: several services may share a database.
  await sql`create function signal_channel() returns text language sql stable set search_path from current as $body$
    select 'parlance_' || quote_ident(current_schema())::regnamespace::oid
  $body$`.execute(db);
  await sql`create function send_signal() returns trigger language plpgsql set search_path from current as $body$
    begin
      perform pg_notify(signal_channel(), tg_argv[0]);
      return null;
    end
  $body$`.execute(db);
  await sql`create function signal_lane() returns trigger language plpgsql set search_path from current as $body$
    begin
      perform pg_notify(signal_channel(), new.lane);
      return null;
    end
  $body$`.execute(db);
  await sql`create function signal_fetch() returns trigger language plpgsql set search_path from current as $body$
    begin
      if exists (select from account_lanes where account_id = new.account_id and lane = 'fetch' and waiting > 0) then
        perform pg_notify(signal_channel(), 'fetch');
      end if;
      return null;
    end
  $body$`.execute(db);
  await sql`create function signal_model() returns trigger language plpgsql set search_path from current as $body$
    begin
      perform pg_notify(signal_channel(), lane_of_job(new.kind, new.file_id));
      return null;
    end
  $body$`.execute(db);
}

/** What makes a job claimable: it was accepted, requeued or recovered, another job of its account ended, the limit was raised. */
async function signalJobs(db: Kysely<never>): Promise<void> {
  await sql`create trigger lane_begun after insert on account_lanes for each row
    when (new.lane <> 'live' and new.waiting > 0) execute function signal_lane()`.execute(db);
  await sql`create trigger lane_changed after update on account_lanes for each row
    when (new.lane <> 'live' and new.waiting > 0 and (new.waiting > old.waiting or new.running < old.running
      or new.most_running is distinct from old.most_running)) execute function signal_lane()`.execute(db);
  await sql`create trigger fetched_ahead after update on account_lanes for each row
    when (new.lane = 'process' and new.waiting < old.waiting and old.waiting >= ${sql.raw(String(FETCHED_AHEAD))})
    execute function signal_fetch()`.execute(db);
  await sql`create trigger model_changed after update of model on jobs for each row
    when (new.status = 'queued' and new.kind = 'pre-recorded' and old.model <> new.model)
    execute function signal_model()`.execute(db);
}

export async function up(db: Kysely<never>): Promise<void> {
  // In the order in which claims of processes beside lock them: triggers lock their tables one after another.
  await sql`lock table accounts, jobs, account_lanes, delivery_lanes, machines, duties in share row exclusive mode`.execute(
    db,
  );
  await makeFunctions(db);
  await signalJobs(db);
  // Only jobs that requests wait for have wanted_until.
  await sql`create trigger wanted_ended after update of status on jobs for each row
    when (new.wanted_until is not null and old.status <> new.status and new.status in ('done', 'error'))
    execute function send_signal('ended')`.execute(db);
  await sql`create trigger wanted_deleted after delete on jobs for each row
    when (old.wanted_until is not null) execute function send_signal('ended')`.execute(db);
  for (const [name, event] of [
    ["lane_due", "insert"],
    ["lane_due_again", "update of due_at"],
  ] as const)
    await sql`create trigger ${sql.raw(name)} after ${sql.raw(event)} on delivery_lanes for each row
      when (new.claimed_until is null and new.due_at <= now() + interval '1 second')
      execute function send_signal('callbacks')`.execute(db);
  await sql`create trigger account_leaves after update of deleting_at on accounts for each row
    when (new.deleting_at is not null) execute function send_signal('removal')`.execute(db);
  await sql`create index accounts_being_deleted on accounts (id) where deleting_at is not null`.execute(db);
  await sql`create trigger machine_started after update of generation on machines for each row
    execute function send_signal('machines')`.execute(db);
  await sql`create trigger duty_free after delete on duties for each row
    execute function send_signal('duties')`.execute(db);
}
