// Rows of the models that the processes on one database share. A process holds the fetch of a model for a time by the clock of the
// database, and renews it; if it is lost, another one takes over.
import { sql } from "kysely";
import type { CatalogueError } from "../../process/child-messages.ts";
import type { Database } from "./database.ts";
import { fromStatement, statementTime } from "./database-time.ts";

/** Renewals are a second apart: the hold outlasts a short outage of the database. */
const HELD_SECONDS = 20;

export type FleetModelState = "wanted" | "fetching" | "stored" | "failed" | "removed";

/** @property share  0 to 1 */
export interface FleetModel<Manifest> {
  name: string;
  state: FleetModelState;
  share: number;
  /** Its process no longer renews the fetch. */
  isLost: boolean;
  /** Seconds since its process stopped renewing the fetch; 0 for a fetch that is not lost. */
  lostSeconds: number;
  /** Since the state changed. */
  ageSeconds: number;
  /** When the state changed, by the clock of the database. */
  changedAt: Date;
  failure: FetchFailure | null;
  manifest: Manifest | null;
  /** Whether the object store has its files. */
  hasCopy: boolean;
}

export interface FetchFailure extends CatalogueError {
  message: string;
}

const COLUMNS = sql`name, state, share, failure, manifest, has_copy as "hasCopy", changed_at as "changedAt",
  state = 'fetching' and (until is null or until < now()) as "isLost",
  case when state = 'fetching' then greatest(0, extract(epoch from now() - coalesce(until, changed_at)))::float8 else 0 end as "lostSeconds",
  extract(epoch from now() - changed_at)::float8 as "ageSeconds"`;

export async function fleetModels<Manifest>(database: Database): Promise<FleetModel<Manifest>[]> {
  const { rows } = await sql<FleetModel<Manifest>>`select ${COLUMNS} from fleet_models order by name`.execute(database);
  return rows;
}

export async function fleetModel<Manifest>(
  database: Database,
  name: string,
): Promise<FleetModel<Manifest> | undefined> {
  const { rows } = await sql<FleetModel<Manifest>>`select ${COLUMNS} from fleet_models where name = ${name}`.execute(
    database,
  );
  return rows[0];
}

/**
 * Requests that a process which recognises speech fetches the model. A model that is stored or being fetched stays as it is.
 * @param againSeconds  a request that no process has answered starts again after this time
 */
export async function wantModel(database: Database, name: string, againSeconds: number): Promise<void> {
  await sql`insert into fleet_models (name, state, changed_at) values (${name}, 'wanted', ${statementTime})
    on conflict (name) do update set state = 'wanted', changed_at = now(), share = 0, failure = null
      where fleet_models.state in ('failed', 'removed')
        or (fleet_models.state = 'wanted' and fleet_models.changed_at < ${fromStatement(-againSeconds)})`.execute(
    database,
  );
}

/** The files of a stored model are missing in the object store. */
export async function wantCopy(database: Database, name: string): Promise<void> {
  await sql`update fleet_models set state = 'wanted', changed_at = now(), share = 0, has_copy = false
    where name = ${name} and state = 'stored'`.execute(database);
}

/** @returns whether this process fetches the model from now on; false where another one does, or has stored it */
export async function claimFetch(database: Database, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into fleet_models (name, state, changed_at, holder, until)
    values (${name}, 'fetching', ${statementTime}, ${holder}, ${fromStatement(HELD_SECONDS)})
    on conflict (name) do update set state = 'fetching', changed_at = now(), holder = excluded.holder, until = excluded.until,
      share = 0, failure = null
      where fleet_models.state in ('wanted', 'failed', 'removed')
        or (fleet_models.state = 'fetching' and (fleet_models.until < now() or fleet_models.holder = excluded.holder))
    returning name`.execute(database);
  return rows.length > 0;
}

export async function renewFetch(database: Database, name: string, holder: string, share: number): Promise<void> {
  await sql`update fleet_models set until = ${fromStatement(HELD_SECONDS)}, share = ${share}
    where name = ${name} and state = 'fetching' and holder = ${holder}`.execute(database);
}

export type FetchEnding =
  | { state: "stored"; manifest: object; hasCopy: boolean }
  | { state: "failed"; failure: FetchFailure }
  | { state: "wanted" };

/** Nothing changes if another process has taken the fetch over. */
export async function endFetch(database: Database, name: string, holder: string, ending: FetchEnding): Promise<void> {
  const failure = ending.state === "failed" ? JSON.stringify(ending.failure) : null;
  const manifest = ending.state === "stored" ? JSON.stringify(ending.manifest) : null;
  const hasCopy = ending.state === "stored" && ending.hasCopy;
  await sql`update fleet_models set state = ${ending.state}, changed_at = now(), holder = null, until = null,
      failure = ${failure}::json, manifest = ${manifest}::json, has_copy = ${hasCopy}
    where name = ${name} and state = 'fetching' and holder = ${holder}`.execute(database);
}

/** Every process then removes the copy that it has installed before. */
export async function markRemoved(database: Database, name: string): Promise<void> {
  await sql`insert into fleet_models (name, state, changed_at) values (${name}, 'removed', ${statementTime})
    on conflict (name) do update set state = 'removed', changed_at = now(), holder = null, until = null, share = 0,
      failure = null, manifest = null, has_copy = false`.execute(database);
}

/** Ends the fetches of an earlier process with the data folder of this one. @param prefix  beginning of the names of its processes */
export async function releaseEarlierFetches(database: Database, prefix: string, holder: string): Promise<void> {
  await sql`update fleet_models set state = 'wanted', changed_at = now(), holder = null, until = null
    where state = 'fetching' and starts_with(holder, ${prefix}) and holder <> ${holder}`.execute(database);
}
