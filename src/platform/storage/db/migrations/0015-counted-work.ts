// What each account has waiting and running, counted in the transactions that change its jobs. The claim locks a count, so that limits are
// exact over any number of processes, and reads no other jobs. Triggers change the counts, so that processes of
// earlier versions count as well.
import { type Kysely, sql } from "kysely";

async function makeTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("account_lanes")
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    // fetch, process: recorded jobs without and with a recording; live: sessions
    .addColumn("lane", "text", (column) => column.notNull())
    .addColumn("waiting", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("running", "integer", (column) => column.notNull().defaultTo(0))
    // When the oldest waiting job was created.
    .addColumn("head_at", "timestamptz")
    // Limit of `running`; null where the service's setting holds.
    .addColumn("most_running", "integer")
    .addPrimaryKeyConstraint("account_lanes_key", ["account_id", "lane"])
    .execute();
  // Accounts with waiting jobs, in the order of their turns: those at their limit are not read.
  await sql`create index account_lanes_turns on account_lanes (lane, running, head_at)
    where waiting > 0 and most_running is null`.execute(db);
  await sql`create index account_lanes_own_turns on account_lanes (lane, running, head_at)
    where waiting > 0 and running < most_running`.execute(db);
  await sql`create index account_lanes_in_use on account_lanes (lane) include (waiting, running, head_at)
    where waiting > 0 or running > 0`.execute(db);

  // Sessions that were admitted and whose start is not stored yet.
  await db.schema
    .createTable("live_admissions")
    .addColumn("session_id", "uuid", (column) => column.primaryKey().references("jobs.id").onDelete("cascade"))
    .addColumn("account_id", "uuid", (column) => column.notNull())
    .addColumn("until", "timestamptz", (column) => column.notNull())
    .execute();
  await sql`create index live_admissions_of_account on live_admissions (account_id)`.execute(db);

  // Which process does the work that one process does for all.
  await db.schema
    .createTable("duties")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("until", "timestamptz", (column) => column.notNull())
    .execute();

  await sql`create index jobs_by_waiting_model on jobs (model, created_at)
    where status = 'queued' and kind = 'pre-recorded'`.execute(db);
}

async function makeFunctions(db: Kysely<never>): Promise<void> {
  await sql`create function lane_of_job(kind text, file_id uuid) returns text language sql immutable as $body$
    select case when kind = 'live' then 'live' when file_id is null then 'fetch' else 'process' end
  $body$`.execute(db);
  // In plpgsql, which keeps the plans of its statements: a function in SQL is planned at each call.
  await sql`create function oldest_waiting(account uuid, lane text) returns timestamptz language plpgsql stable
    set search_path from current as $body$
    begin
      case lane
        when 'fetch' then return (select min(created_at) from jobs where account_id = account
          and status = 'queued' and kind = 'pre-recorded' and file_id is null);
        when 'process' then return (select min(created_at) from jobs where account_id = account
          and status = 'queued' and kind = 'pre-recorded' and file_id is not null);
        else return null;
      end case;
    end
  $body$`.execute(db);
  await sql`create function most_running_of(account uuid, lane text) returns integer language plpgsql stable
    set search_path from current as $body$
    declare
      own integer;
    begin
      select case lane when 'process' then concurrent_jobs when 'live' then live_sessions end into own
      from accounts where id = account;
      return case when own <= 0 then 2147483647 else own end;
    end
  $body$`.execute(db);
  await sql`create function count_job() returns trigger language plpgsql set search_path from current as $body$
    declare
      account uuid;
      was text; was_lane text; was_created timestamptz;
      becomes text; becomes_lane text; becomes_created timestamptz;
    begin
      if tg_op <> 'INSERT' then
        account := old.account_id;
        was := old.status; was_lane := lane_of_job(old.kind, old.file_id); was_created := old.created_at;
      end if;
      if tg_op <> 'DELETE' then
        account := new.account_id;
        becomes := new.status; becomes_lane := lane_of_job(new.kind, new.file_id); becomes_created := new.created_at;
      end if;
      if becomes in ('queued', 'processing') then
        perform from account_lanes where account_id = account and lane = becomes_lane;
        if not found then
          insert into account_lanes (account_id, lane, most_running)
          values (account, becomes_lane, most_running_of(account, becomes_lane)) on conflict do nothing;
        end if;
      end if;
      -- This statement only takes the locks. The next statement then reads the jobs that the former holder of a lock committed.
      perform from account_lanes where account_id = account and lane in (was_lane, becomes_lane) order by lane for update;
      update account_lanes as counted set
        waiting = counted.waiting + change.waiting,
        running = counted.running + change.running,
        head_at = case
          when counted.lane = 'live' then null
          when change.waiting > 0 then least(counted.head_at, becomes_created)
          when change.waiting < 0 and (counted.head_at is null or was_created <= counted.head_at)
            then oldest_waiting(account, counted.lane)
          else counted.head_at
        end
      from (
        select lane, sum(waiting) as waiting, sum(running) as running from (values
          (was_lane, case was when 'queued' then -1 else 0 end, case was when 'processing' then -1 else 0 end),
          (becomes_lane, case becomes when 'queued' then 1 else 0 end, case becomes when 'processing' then 1 else 0 end)
        ) as one(lane, waiting, running) group by lane
      ) as change
      where counted.account_id = account and counted.lane = change.lane and (change.waiting <> 0 or change.running <> 0);
      return null;
    end
  $body$`.execute(db);
  await sql`create function limit_lanes() returns trigger language plpgsql set search_path from current as $body$
    begin
      update account_lanes set most_running = most_running_of(new.id, lane) where account_id = new.id;
      return null;
    end
  $body$`.execute(db);
}

async function makeTriggers(db: Kysely<never>): Promise<void> {
  const active = "in ('queued', 'processing')";
  await sql`create trigger job_inserted after insert on jobs for each row
    when (new.status ${sql.raw(active)}) execute function count_job()`.execute(db);
  await sql`create trigger job_changed after update of status, file_id on jobs for each row
    when ((old.status ${sql.raw(active)} or new.status ${sql.raw(active)})
      and (old.status <> new.status or (old.file_id is null) <> (new.file_id is null)))
    execute function count_job()`.execute(db);
  await sql`create trigger job_deleted after delete on jobs for each row
    when (old.status ${sql.raw(active)}) execute function count_job()`.execute(db);
  await sql`create trigger account_limited after update of concurrent_jobs, live_sessions on accounts for each row
    execute function limit_lanes()`.execute(db);
}

export async function up(db: Kysely<never>): Promise<void> {
  await makeTables(db);
  await makeFunctions(db);
  await makeTriggers(db);
  // After the triggers, which hold up other writers until the end of this transaction: no change of a job is missed.
  await sql`insert into account_lanes (account_id, lane, waiting, running, head_at, most_running)
    select account_id, lane, waiting, running, oldest_waiting(account_id, lane), most_running_of(account_id, lane) from (
      select account_id, lane_of_job(kind, file_id) as lane, count(*) filter (where status = 'queued') as waiting,
        count(*) filter (where status = 'processing') as running
      from jobs where status in ('queued', 'processing') group by 1, 2
    ) as counted`.execute(db);
}
