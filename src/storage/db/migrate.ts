// Brings the tables of a database up to date, whichever engine it runs on.
import { Migrator } from "kysely";
import * as foundation from "./migrations/0001-foundation.ts";
import * as live from "./migrations/0002-live.ts";
import * as accountsAndCallbacks from "./migrations/0003-accounts-and-callbacks.ts";
import * as transcripts from "./migrations/0004-transcripts.ts";
import * as manyMachines from "./migrations/0005-many-machines.ts";
import * as traces from "./migrations/0006-traces.ts";
import * as wantedJobs from "./migrations/0007-wanted-jobs.ts";
import type { Database } from "./schema.ts";

const MIGRATIONS = {
  "0001-foundation": foundation,
  "0002-live": live,
  "0003-accounts-and-callbacks": accountsAndCallbacks,
  "0004-transcripts": transcripts,
  "0005-many-machines": manyMachines,
  "0006-traces": traces,
  "0007-wanted-jobs": wantedJobs,
};

/** @returns what went wrong, if anything did */
export async function migrate(database: Database): Promise<unknown> {
  const { error } = await new Migrator({
    db: database,
    provider: { getMigrations: async () => MIGRATIONS },
  }).migrateToLatest();
  return error;
}
