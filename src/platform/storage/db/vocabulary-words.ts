// The vocabulary of an account.
import type { Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { DatabaseTime } from "./database-time.ts";
import type { VocabularyWordsTable } from "./teaching-tables.ts";

export type VocabularyRow = Selectable<VocabularyWordsTable>;

/** In the order of the alphabet. */
export async function vocabularyRows(database: Database, accountId: string): Promise<VocabularyRow[]> {
  return database
    .selectFrom("vocabulary_words")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("value")
    .execute();
}

/** Whether requests without `account_vocabulary` use the vocabulary of the account. */
export async function usesVocabulary(database: Database, accountId: string): Promise<boolean> {
  const row = await database
    .selectFrom("accounts")
    .select("uses_vocabulary")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.uses_vocabulary !== false;
}

export async function setUsesVocabulary(database: Database, accountId: string, isUsed: boolean): Promise<void> {
  await database.updateTable("accounts").set({ uses_vocabulary: isUsed }).where("id", "=", accountId).execute();
}

export interface VocabularyEntry {
  value: string;
  pronunciations: string[];
  language: string | null;
  intensity: number | null;
}

/** Adds a word, or replaces the one with its value. */
export async function putWord(
  database: Database,
  { id, accountId, madeBy, now }: { id: string; accountId: string; madeBy: string; now: DatabaseTime },
  { value, pronunciations, language, intensity }: VocabularyEntry,
): Promise<VocabularyRow> {
  const entry = { value, pronunciations: JSON.stringify(pronunciations), language, intensity };
  return database
    .insertInto("vocabulary_words")
    .values({ id, account_id: accountId, created_at: now, made_by: madeBy, ...entry })
    .onConflict((conflict) => conflict.columns(["account_id", "value"]).doUpdateSet(entry))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns false if the account has no such word */
export async function removeWord(database: Database, accountId: string, id: string): Promise<boolean> {
  const removal = database.deleteFrom("vocabulary_words").where("account_id", "=", accountId).where("id", "=", id);
  return (await removal.executeTakeFirst()).numDeletedRows > 0n;
}

/** Which of some texts are words of the vocabulary. */
export async function knownWords(
  database: Database,
  accountId: string,
  values: readonly string[],
): Promise<Set<string>> {
  if (values.length === 0) return new Set();
  const rows = await database
    .selectFrom("vocabulary_words")
    .select("value")
    .where("account_id", "=", accountId)
    .where("value", "in", [...values])
    .execute();
  return new Set(rows.map(({ value }) => value));
}
