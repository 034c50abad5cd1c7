// The vocabulary lists of the account.
import { signal } from "@preact/signals";
import { MOST_LISTS } from "../../src/contract/bounds.ts";
import type { VocabularyListItem, VocabularyListsPage } from "../../src/contract/vocabulary.ts";
import { get } from "./api.ts";
import { formats } from "./language/language.ts";

/** Undefined until they are loaded. */
export const vocabularyLists = signal<VocabularyListItem[] | undefined>(undefined);

/** An account has no more lists than a page. */
export async function loadVocabularyLists(): Promise<void> {
  const { items } = await get<VocabularyListsPage>(`/v2/vocabulary-lists?limit=${MOST_LISTS}`);
  vocabularyLists.value = items.sort((one, other) => formats.compare(one.name, other.name));
}
