// The trace that a job belongs to, where its request was part of one.
import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // traceparent of W3C Trace Context.
  await db.schema.alterTable("jobs").addColumn("trace_parent", "text").execute();
}
