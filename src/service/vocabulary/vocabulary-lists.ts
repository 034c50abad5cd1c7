// Vocabulary lists of an account: made and changed, and their words for a request that names them.
import { MOST_LISTS, MOST_VARIANTS } from "../../contract/bounds.ts";
import type { AccountWord } from "../../contract/job-parameters.ts";
import type { ListedWord, NewVocabularyList, VocabularyListChange } from "../../contract/vocabulary.ts";
import { errors } from "../../platform/errors.ts";
import { lockAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import {
  countLists,
  findList,
  insertList,
  isListName,
  namedLists,
  updateList,
  type VocabularyListRow,
} from "../../platform/storage/db/vocabulary-lists.ts";
import { tidy } from "../../speech/text/tidy.ts";
import { isVisible, pronunciationsOf } from "./forms.ts";

/** @throws request.invalid */
function nameOf(given: string): string {
  const name = tidy(given);
  if (!isVisible(name)) throw errors.invalidParameters(["name must have a letter, a digit or a sign"]);
  return name;
}

/**
 * The words of a request as they are stored. A word that is there twice has the pronunciations of both.
 * @throws request.invalid
 */
function wordsOf(given: NewVocabularyList["words"]): ListedWord[] {
  const words = new Map<string, ListedWord>();
  const pronounced = new Map<string, Set<string>>();
  for (const [index, item] of given.entries()) {
    const { value: text, pronunciations: said = [], ...rest } = typeof item === "string" ? { value: item } : item;
    const value = tidy(text);
    if (!isVisible(value))
      throw errors.invalidParameters([`words.${index} must have a letter, a digit or a sign in its value`]);
    const former = words.get(value);
    const all = pronounced.get(value) ?? new Set();
    pronounced.set(value, all);
    for (const one of pronunciationsOf(value, said)) all.add(one);
    const pronunciations = [...all];
    if (pronunciations.length > MOST_VARIANTS)
      throw errors.invalidParameters([
        `words.${index} is there before; its pronunciations would be ${pronunciations.length}, at most ${MOST_VARIANTS} are possible`,
      ]);
    words.set(value, { ...former, value, ...(pronunciations.length > 0 ? { pronunciations } : {}), ...rest });
  }
  return [...words.values()];
}

interface Author {
  id: string;
  accountId: string;
  madeBy: string;
  now: DatabaseTime;
}

/** @throws request.invalid, limit.vocabulary_lists, vocabulary_list.name_taken */
export async function makeList(
  database: Database,
  author: Author,
  given: NewVocabularyList,
): Promise<VocabularyListRow> {
  const [name, words] = [nameOf(given.name), wordsOf(given.words)];
  return inTransaction(database, async (transaction) => {
    await lockAccount(transaction, author.accountId);
    if (await isListName(transaction, author.accountId, name)) throw errors.vocabularyListExists(name);
    if ((await countLists(transaction, author.accountId)) >= MOST_LISTS)
      throw errors.tooManyVocabularyLists(MOST_LISTS);
    return insertList(transaction, author, { name, words });
  });
}

/**
 * @returns undefined if the account has no such list
 * @throws request.invalid, vocabulary_list.name_taken, vocabulary_list.outdated
 */
export async function changeList(
  database: Database,
  { id, accountId, now }: Omit<Author, "madeBy">,
  change: VocabularyListChange,
): Promise<VocabularyListRow | undefined> {
  const name = change.name === undefined ? undefined : nameOf(change.name);
  const words = change.words && wordsOf(change.words);
  return inTransaction(database, async (transaction) => {
    await lockAccount(transaction, accountId);
    const former = await findList(transaction, accountId, id);
    if (!former) return undefined;
    if (change.version !== undefined && change.version !== former.version)
      throw errors.vocabularyListChanged(change.version, former.version);
    if (name !== undefined && name !== former.name && (await isListName(transaction, accountId, name)))
      throw errors.vocabularyListExists(name);
    return updateList(transaction, { id, now }, { name: name ?? former.name, words });
  });
}

/**
 * @param references  ids or names
 * @param named  words that the request has itself
 * @returns the words of the lists, in the order in which the request names the lists; of two with one value, the first
 * @throws vocabulary_list.unknown
 */
export async function wordsOfLists(
  database: Database,
  accountId: string,
  references: readonly string[],
  named: ReadonlySet<string>,
): Promise<AccountWord[]> {
  if (references.length === 0) return [];
  const wanted = references.map(tidy);
  const rows = await namedLists(database, accountId, wanted);
  const words = new Map<string, AccountWord>();
  for (const reference of wanted) {
    const row = rows.find(({ id }) => id === reference.toLowerCase()) ?? rows.find(({ name }) => name === reference);
    if (!row) throw errors.unknownVocabularyList(reference);
    for (const word of row.words) if (!named.has(word.value) && !words.has(word.value)) words.set(word.value, word);
  }
  return [...words.values()];
}
