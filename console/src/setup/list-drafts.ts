// Vocabulary lists that a person edits, kept in this browser until the service has them.
import { ApiError, get, send } from "../api.ts";
import { dropKept, keep, namesOfKept, readKept } from "../kept.ts";
import { linesOf, wordsOfLines } from "../parts/lines.ts";
import { type SaveOutcome, saveVersion } from "../save-version.ts";
import type { VocabularyListBody } from "../shapes.ts";

const ROUTE = "/v2/vocabulary-lists";
const NOT_FOUND = 404;

export interface ListDraft {
  /** The list that is edited, as it was read; undefined for a new one. */
  list?: VocabularyListBody | undefined;
  name: string;
  lines: string;
}

export type ListOutcome = SaveOutcome<VocabularyListBody>;

export const linesOfList = ({ words }: VocabularyListBody): string => linesOf(words);
export const draftOf = (list: VocabularyListBody | undefined): ListDraft =>
  list ? { list, name: list.name, lines: linesOfList(list) } : { name: "", lines: "" };

const isUnchanged = ({ list, name, lines }: ListDraft) => {
  const before = draftOf(list);
  return before.name === name && before.lines === lines;
};

const beginningOf = (account: string) => `list/${account}/`;
const nameOf = (account: string, { list }: ListDraft) => `${beginningOf(account)}${list?.id ?? "new"}`;

/** @param account  name of the account whose lists they are */
export function listDrafts(account: string) {
  return {
    /** One that was left. */
    any(): ListDraft | undefined {
      const [name] = namesOfKept(beginningOf(account));
      return name === undefined ? undefined : readKept<ListDraft>(name);
    },
    put(draft: ListDraft): void {
      if (isUnchanged(draft)) dropKept(nameOf(account, draft));
      else keep(nameOf(account, draft), draft);
    },
    drop: (draft: ListDraft): void => dropKept(nameOf(account, draft)),
  };
}

export const readList = (id: string): Promise<VocabularyListBody> => get<VocabularyListBody>(`${ROUTE}/${id}`);
export const deleteList = (id: string): Promise<void> => send("DELETE", `${ROUTE}/${id}`);

/** @returns the list as it is now; undefined if it was deleted @throws ApiError */
const listNow = (id: string) =>
  readList(id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === NOT_FOUND) return undefined;
    throw error;
  });

/** Stores a list. If another person has changed or deleted it since it was read, nothing is stored. @throws ApiError */
export async function saveList({ list, name, lines }: ListDraft): Promise<ListOutcome> {
  const body = { name, words: wordsOfLines(lines, list?.words ?? []) };
  if (!list) {
    await send("POST", ROUTE, body);
    return "saved";
  }
  const { id, version } = list;
  return saveVersion(
    list,
    () => send("PATCH", `${ROUTE}/${id}`, { ...body, version }),
    () => listNow(id),
  );
}
