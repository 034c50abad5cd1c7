// The vocabulary of an account: adds its words to the parameters of a job or a session when it is accepted, so that later changes of the
// vocabulary do not change jobs that wait, and the job shows the words that were added.
import { MOST_FORMS, MOST_VARIANTS, MOST_VOCABULARY_ENTRIES } from "../../contract/bounds.ts";
import type { AccountWord, AddonParameters } from "../../contract/job-parameters.ts";
import { MOST_ACCOUNT_FORMS, MOST_ACCOUNT_WORDS, type NewVocabularyWord } from "../../contract/vocabulary.ts";
import { errors } from "../../platform/errors.ts";
import { lockAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import {
  putWord,
  usesVocabulary,
  type VocabularyEntry,
  type VocabularyRow,
  vocabularyRows,
} from "../../platform/storage/db/vocabulary-words.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { tidy } from "../../speech/text/tidy.ts";
import { formsOf, isVisible, pronunciationsOf } from "./forms.ts";
import { wordsOfLists } from "./vocabulary-lists.ts";

const asWord = ({ value, pronunciations, language, intensity }: VocabularyEntry): AccountWord => ({
  value,
  ...(pronunciations.length > 0 ? { pronunciations } : {}),
  ...(language === null ? {} : { language }),
  ...(intensity === null ? {} : { intensity }),
});

/** Parameters that a vocabulary belongs to: of a recorded job, or realtime_processing of a session. */
type Switches = Pick<
  AddonParameters,
  "account_vocabulary" | "custom_vocabulary" | "custom_vocabulary_config" | "vocabulary_lists"
>;

interface AddedWords {
  /** Missing if none are added. */
  account_words?: AccountWord[];
  /** A sentence if there is no room for all. */
  warnings: string[];
}

/** Whether a request uses the vocabulary of its account. */
async function usesOf(database: Database, accountId: string, { account_vocabulary: asked }: Switches) {
  return asked ?? usesVocabulary(database, accountId);
}

/**
 * @returns the words of the account that a request uses besides its own, within the limits of a request: those of its lists, then those of
 * the vocabulary
 * @throws request.invalid, vocabulary_list.unknown
 */
export async function addedWords(database: Database, accountId: string, switches: Switches): Promise<AddedWords> {
  const own = vocabularyOf(switches);
  const named = new Set(own.map(({ value }) => value));
  const added = await wordsOfLists(database, accountId, switches.vocabulary_lists ?? [], named);
  for (const { value } of added) named.add(value);
  let [entries, forms] = [own.length + added.length, [...own, ...added].reduce((sum, term) => sum + formsOf(term), 0)];
  if (added.length > 0 && (entries > MOST_VOCABULARY_ENTRIES || forms > MOST_FORMS))
    throw errors.invalidParameters([
      `vocabulary_lists must not have more than ${MOST_VOCABULARY_ENTRIES} words, or ${MOST_FORMS} words and pronunciations, together with the vocabulary of the request; name fewer lists`,
    ]);
  const rows = (await usesOf(database, accountId, switches)) ? await vocabularyRows(database, accountId) : [];
  const missing = rows.filter(({ value }) => !named.has(value));
  let left = missing.length;
  for (const row of missing) {
    if (entries >= MOST_VOCABULARY_ENTRIES || forms + formsOf(row) > MOST_FORMS) break;
    entries++;
    forms += formsOf(row);
    left--;
    added.push(asWord(row));
  }
  return {
    ...(added.length > 0 ? { account_words: added } : {}),
    warnings:
      left === 0
        ? []
        : [
            `account_vocabulary: words of the account's vocabulary were left out (${left}), because the request has a large vocabulary of its own; they are used with a smaller one`,
          ],
  };
}

interface Author {
  id: string;
  accountId: string;
  madeBy: string;
  now: DatabaseTime;
}

/**
 * Adds a word. If the vocabulary has it already, it gets the new pronunciations besides its own, and the language and intensity that are given.
 * @throws request.invalid, limit.vocabulary
 */
export async function addWord(database: Database, author: Author, word: NewVocabularyWord): Promise<VocabularyRow> {
  const value = tidy(word.value);
  if (!isVisible(value)) throw errors.invalidParameters(["value must have a letter, a digit or a sign"]);
  return inTransaction(database, async (transaction) => {
    await lockAccount(transaction, author.accountId);
    const rows = await vocabularyRows(transaction, author.accountId);
    const former = rows.find((row) => row.value === value);
    const entry: VocabularyEntry = {
      value,
      pronunciations: pronunciationsOf(value, [...(former?.pronunciations ?? []), ...(word.pronunciations ?? [])]),
      language: word.language ?? former?.language ?? null,
      intensity: word.intensity ?? former?.intensity ?? null,
    };
    if (entry.pronunciations.length > MOST_VARIANTS)
      throw errors.invalidParameters([
        `pronunciations of ${value} would be ${entry.pronunciations.length}, those that it has included; at most ${MOST_VARIANTS} are possible`,
      ]);
    const others = rows.filter((row) => row !== former);
    const forms = others.reduce((sum, row) => sum + formsOf(row), formsOf(entry));
    if (others.length >= MOST_ACCOUNT_WORDS || forms > MOST_ACCOUNT_FORMS)
      throw errors.tooManyVocabularyWords(MOST_ACCOUNT_WORDS, MOST_ACCOUNT_FORMS);
    return putWord(transaction, author, entry);
  });
}
