// Uploads that resume: bytes that were received, as parts in the object store, until the whole file is there.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("uploads")
    // The file has the same id once it is complete.
    .addColumn("id", "uuid", (column) => column.primaryKey())
    .addColumn("account_id", "uuid", (column) => column.notNull().references("accounts.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    // Bytes of the file, and those of them that are stored.
    .addColumn("length", "float8", (column) => column.notNull())
    .addColumn("received", "float8", (column) => column.notNull().defaultTo(0))
    .addColumn("filename", "text", (column) => column.notNull())
    // The header Upload-Metadata as it was sent.
    .addColumn("metadata", "text", (column) => column.notNull())
    // The request that may add bytes; a newer one replaces it.
    .addColumn("writer", "uuid")
    // Until then, a process makes the file of the complete parts.
    .addColumn("completing_until", "timestamptz")
    // What the file turned out to be, or why it was refused; null until it is complete.
    .addColumn("verdict", "json")
    .execute();
  await sql`create index uploads_of_account on uploads (account_id)`.execute(db);
  await sql`create index uploads_by_expiry on uploads (expires_at)`.execute(db);

  await db.schema
    .createTable("upload_parts")
    .addColumn("upload_id", "uuid", (column) => column.notNull().references("uploads.id").onDelete("cascade"))
    // Position of its first byte.
    .addColumn("start", "float8", (column) => column.notNull())
    .addColumn("size", "float8", (column) => column.notNull())
    .addColumn("object_key", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("upload_parts_key", ["upload_id", "start"])
    .execute();
}
