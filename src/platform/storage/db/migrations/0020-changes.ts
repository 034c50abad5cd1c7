// PostgreSQL notifies of changes of jobs and corrections, for accounts with an open stream of events. Accounts without one send no
// notification, because transactions that notify commit one after another on the whole server.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // Written again every half minute while a stream of events is open; not in the write-ahead log.
  await sql`create unlogged table watched_accounts (
    account_id uuid primary key references accounts on delete cascade,
    until timestamptz not null
  )`.execute(db);
  await sql`create function signal_change(account uuid, job uuid) returns void language plpgsql set search_path from current as $body$
    begin
      if exists (select from watched_accounts where account_id = account and until > now()) then
        perform pg_notify(signal_channel(), 'change ' || account || ' ' || job);
      end if;
    end
  $body$`.execute(db);
  await sql`create function signal_job_change() returns trigger language plpgsql set search_path from current as $body$
    begin
      if tg_op = 'DELETE' then
        perform signal_change(old.account_id, old.id);
      else
        perform signal_change(new.account_id, new.id);
      end if;
      return null;
    end
  $body$`.execute(db);
  await sql`create function signal_correction() returns trigger language plpgsql set search_path from current as $body$
    begin
      perform signal_change(account_id, id) from jobs where id = new.job_id;
      return null;
    end
  $body$`.execute(db);
  // In the order in which a correction locks them.
  await sql`lock table jobs, corrections in share row exclusive mode`.execute(db);
  await sql`create trigger change_made after insert on jobs for each row execute function signal_job_change()`.execute(
    db,
  );
  await sql`create trigger change_of_job after update of status, stage, progress, name, has_overview on jobs for each row
    when (old.status <> new.status or old.progress <> new.progress or old.has_overview <> new.has_overview
      or old.stage is distinct from new.stage or old.name is distinct from new.name)
    execute function signal_job_change()`.execute(db);
  await sql`create trigger change_deleted after delete on jobs for each row execute function signal_job_change()`.execute(
    db,
  );
  await sql`create trigger change_of_correction after insert or update of undone_at on corrections for each row
    execute function signal_correction()`.execute(db);
}
