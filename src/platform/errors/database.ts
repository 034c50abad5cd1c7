// The database, embedded or PostgreSQL.
import { PARLANCE } from "../command-prefix.ts";
import { beginningOf } from "../storable.ts";
import { ParlanceError } from "./parlance-error.ts";

export const databaseErrors = {
  databaseUnavailable: (cause: unknown) =>
    new ParlanceError("The database does not answer; try again in a moment", {
      code: "database.unavailable",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
      cause,
    }),
  /** @param reason  what the database said; it can quote the value */
  valueNotStorable: (reason: string, cause: unknown) =>
    new ParlanceError(`A value of this request cannot be stored: ${beginningOf(reason, 200)}`, {
      code: "database.value",
      status: 400,
      cause,
    }),
  databaseNotFound: (address: string, cause: unknown) =>
    new ParlanceError(`PostgreSQL at ${address} does not answer: ${(cause as Error).message}. Check DATABASE_URL`, {
      code: "database.unavailable",
      status: 503,
      retryable: true,
      cause,
    }),
  /** @param reason  a sentence for the operator, without secrets */
  databaseRefused: (reason: string, cause?: unknown) =>
    new ParlanceError(`The database cannot be used. ${reason}`, { code: "database.refused", status: 500, cause }),
  databaseNewer: (version: string, own: string, migration: string) =>
    new ParlanceError(
      `The database belongs to Parlance ${version}, and this is ${own}, which cannot use it (it lacks the migration ${migration}). Nothing was changed. ` +
        `Install ${version} again; or restore the backup that was made before the upgrade: docs/operating.md, "Upgrade"`,
      { code: "database.newer", status: 500 },
    ),
  databaseEncoding: (encoding: string) =>
    new ParlanceError(
      `The PostgreSQL database has the encoding ${encoding}; transcripts need UTF8. Make one with: create database parlance encoding 'UTF8' template template0`,
      { code: "database.encoding", status: 500 },
    ),
  noDatabase: (folder: string) =>
    new ParlanceError(
      `There is no database in the data folder ${folder}. Run the command in the folder in which the service runs, or set PARLANCE_DATA_DIR (or DATABASE_URL) as for the service. For a new service, start it first: ${PARLANCE} serve`,
      { code: "storage.no_database", status: 404 },
    ),
  databaseDamaged: (folder: string, reason: string, cause?: unknown) =>
    new ParlanceError(
      `The embedded database in ${folder} is damaged: ${reason}. Recordings and transcripts in the data folder were not changed. ` +
        `Keep a copy of the data folder, then restore the database of a backup: ${PARLANCE} restore FOLDER --database-only --replace`,
      { code: "database.damaged", status: 500, cause },
    ),
};
