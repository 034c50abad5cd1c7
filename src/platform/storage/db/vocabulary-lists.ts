// Vocabulary lists of an account, kept by name.
import type { Selectable } from "kysely";
import type { ListedWord } from "../../../contract/vocabulary.ts";
import type { Database } from "./database.ts";
import type { DatabaseTime } from "./database-time.ts";
import { isUuid } from "./ids.ts";
import type { VocabularyListsTable } from "./teaching-tables.ts";

export type VocabularyListRow = Selectable<VocabularyListsTable>;
const DESCRIPTION = ["id", "name", "created_at", "changed_at", "version", "made_by", "word_count"] as const;

/** Lists after an id, the oldest first, without their words. */
export async function listPage(
  database: Database,
  { accountId, limit, after }: { accountId: string; limit: number; after?: string | undefined },
) {
  let query = database.selectFrom("vocabulary_lists").select(DESCRIPTION).where("account_id", "=", accountId);
  if (after !== undefined) query = query.where("id", ">", after);
  return query.orderBy("id").limit(limit).execute();
}

export async function findList(
  database: Database,
  accountId: string,
  id: string,
): Promise<VocabularyListRow | undefined> {
  const query = database.selectFrom("vocabulary_lists").selectAll().where("account_id", "=", accountId);
  return query.where("id", "=", id).executeTakeFirst();
}

/** Lists with any of some ids or names. */
export async function namedLists(
  database: Database,
  accountId: string,
  references: readonly string[],
): Promise<VocabularyListRow[]> {
  const ids = references.filter(isUuid);
  return database
    .selectFrom("vocabulary_lists")
    .selectAll()
    .where("account_id", "=", accountId)
    .where(({ eb, or }) => or([eb("name", "in", [...references]), ...(ids.length > 0 ? [eb("id", "in", ids)] : [])]))
    .execute();
}

export async function countLists(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("vocabulary_lists")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function isListName(database: Database, accountId: string, name: string): Promise<boolean> {
  const query = database.selectFrom("vocabulary_lists").select("id").where("account_id", "=", accountId);
  return (await query.where("name", "=", name).executeTakeFirst()) !== undefined;
}

const columnsOf = (words: readonly ListedWord[]) => ({ words: JSON.stringify(words), word_count: words.length });

export async function insertList(
  database: Database,
  { id, accountId, madeBy, now }: { id: string; accountId: string; madeBy: string; now: DatabaseTime },
  { name, words }: { name: string; words: readonly ListedWord[] },
): Promise<VocabularyListRow> {
  return database
    .insertInto("vocabulary_lists")
    .values({ id, account_id: accountId, created_at: now, changed_at: now, made_by: madeBy, name, ...columnsOf(words) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateList(
  database: Database,
  { id, now }: { id: string; now: DatabaseTime },
  { name, words }: { name: string; words?: readonly ListedWord[] | undefined },
): Promise<VocabularyListRow> {
  return database
    .updateTable("vocabulary_lists")
    .set((update) => ({
      name,
      changed_at: now,
      version: update("version", "+", 1),
      ...(words ? columnsOf(words) : {}),
    }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns false if the account has no such list */
export async function removeList(database: Database, accountId: string, id: string): Promise<boolean> {
  const removal = database.deleteFrom("vocabulary_lists").where("account_id", "=", accountId).where("id", "=", id);
  return (await removal.executeTakeFirst()).numDeletedRows > 0n;
}
