// Vocabulary lists that a person edits, kept in this browser until the service has them.
import { ApiError, get, send } from "../api.ts";
import { dropKept, keep, namesOfKept, readKept } from "../kept.ts";
import { linesOf, wordsOfLines } from "../parts/lines.ts";
import type { VocabularyListBody } from "../shapes.ts";

const ROUTE = "/v2/vocabulary-lists";
const NOT_FOUND = 404;
const CONFLICT = 409;

export interface ListDraft {
  /** The list that is edited, as it was read; undefined for a new one. */
  list?: VocabularyListBody | undefined;
  name: string;
  lines: string;
}

/** `saved`, or what somebody else did to the list: changed it, or deleted it. */
export type ListOutcome = "saved" | "deleted" | VocabularyListBody;

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

/** Stores a list. One that somebody else changed or deleted since it was read stays as it is. @throws ApiError */
export async function saveList({ list, name, lines }: ListDraft): Promise<ListOutcome> {
  const body = { name, words: wordsOfLines(lines, list?.words ?? []) };
  if (!list) {
    await send("POST", ROUTE, body);
    return "saved";
  }
  try {
    await send("PATCH", `${ROUTE}/${list.id}`, { ...body, version: list.version });
    return "saved";
  } catch (error) {
    if (!(error instanceof ApiError && [NOT_FOUND, CONFLICT].includes(error.status))) throw error;
    const now = await listNow(list.id);
    // Another list has the name.
    if (now?.version === list.version) throw error;
    return now ?? "deleted";
  }
}
