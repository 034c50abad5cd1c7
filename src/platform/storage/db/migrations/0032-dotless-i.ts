// The search reads the dotless i of Turkish as i: jobs with such words are indexed again.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`update jobs set is_searchable = false
    where is_searchable and id in (select job_id from job_texts where words::text like '%ı%')`.execute(db);
}
