// Models that the processes on one database share: which process fetches one, what the fleet has, what failed, what was removed.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("fleet_models")
    // As a fetch names it: an id, or hf:OWNER/NAME.
    .addColumn("name", "text", (column) => column.primaryKey())
    // wanted, fetching, stored, failed, removed
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull())
    // The process that fetches it, and the end of its hold.
    .addColumn("holder", "text")
    .addColumn("until", "timestamptz")
    .addColumn("share", "float8", (column) => column.notNull().defaultTo(0))
    // Message and code of the error of the last fetch.
    .addColumn("failure", "json")
    // Description of a stored model.
    .addColumn("manifest", "json")
    // Whether the object store has its files.
    .addColumn("has_copy", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  await sql`create trigger model_of_fleet after insert or update of state on fleet_models for each row
    execute function send_signal('models')`.execute(db);
}
