// The stored parts of uploads that resume.
import type { Selectable } from "kysely";
import type { Database } from "../database.ts";
import type { UploadPartsTable } from "../upload-tables.ts";

export type UploadPart = Omit<Selectable<UploadPartsTable>, "upload_id">;

/** Parts in the order of the file. */
export async function partsOfUpload(database: Database, id: string): Promise<UploadPart[]> {
  return database
    .selectFrom("upload_parts")
    .select(["start", "size", "object_key"])
    .where("upload_id", "=", id)
    .orderBy("start")
    .execute();
}

/** Objects of all parts. */
export async function* partKeys(database: Database): AsyncGenerator<string> {
  const limit = 1_000;
  let last: { upload_id: string; start: number } | undefined;
  for (;;) {
    let page = database
      .selectFrom("upload_parts")
      .select(["upload_id", "start", "object_key"])
      .orderBy("upload_id")
      .orderBy("start")
      .limit(limit);
    if (last) {
      const { upload_id, start } = last;
      page = page.where(({ or, and, eb }) =>
        or([eb("upload_id", ">", upload_id), and([eb("upload_id", "=", upload_id), eb("start", ">", start)])]),
      );
    }
    const rows = await page.execute();
    for (const { object_key } of rows) yield object_key;
    last = rows.at(-1);
    if (rows.length < limit) return;
  }
}

export async function countUploadParts(database: Database, id: string): Promise<number> {
  const { count } = await database
    .selectFrom("upload_parts")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("upload_id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
