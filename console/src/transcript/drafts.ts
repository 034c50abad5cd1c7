// Changes of a transcript that a person types, kept in this browser until the service has stored them. Each draft belongs to the page in which it is typed, so that two pages do not overwrite each other's.
import { dropKept, keep, namesOfKept, readKept } from "../kept.ts";
import { whenStoredElsewhere } from "../memory.ts";
import { page } from "../open-pages.ts";
import type { Target } from "./speakers.ts";

export interface Draft {
  /** Name of the account whose transcript it changes. Drafts that an earlier version of the console stored have none. */
  account?: string | undefined;
  /** The words that the change replaces. */
  target: Target;
  /** The utterance that the change is based on. */
  before: Reading;
  changed: Reading;
}

/** @property page  in which it was typed; "" for one that an earlier version of the console stored */
export interface StoredDraft extends Draft {
  name: string;
  page: string;
}

export interface Reading {
  text: string;
  speaker?: number | undefined;
}

const prefixOf = (job: string) => `draft.${job}.`;
const PAGE_MARK = "~";
const nameOf = (job: string, { index, start }: Target) => `${prefixOf(job)}${index}.${start ?? ""}${PAGE_MARK}${page}`;

export const isSame = (left: Reading, right: Reading) =>
  left.text.trim() === right.text.trim() && left.speaker === right.speaker;

const read = (name: string) => readKept<Draft>(name);

/** Stores a draft of this page; one that changes nothing is removed. */
export function storeDraft(job: string, draft: Draft): void {
  const name = nameOf(job, draft.target);
  if (isSame(draft.before, draft.changed)) dropKept(name);
  else keep(name, draft);
}

/** Drops the draft of this page. */
export const dropDraft = (job: string, target: Target): void => dropKept(nameOf(job, target));

export const dropStored = ({ name }: StoredDraft): void => dropKept(name);

const namesOfJob = (job: string) => namesOfKept(prefixOf(job));

/** Those of every page. */
export const draftsOf = (job: string): StoredDraft[] =>
  namesOfJob(job).flatMap((name) => {
    const draft = read(name);
    return draft ? { ...draft, name, page: name.split(PAGE_MARK)[1] ?? "" } : [];
  });

/** Calls `listener` when another page changes a draft of the job. @returns a function that removes the listener */
export const whenDraftsChange = (job: string, listener: () => void) => whenStoredElsewhere(prefixOf(job), listener);

const namesOfAccount = (job: string, account: string) =>
  namesOfJob(job).filter((name) => read(name)?.account === account);

export const hasDrafts = (job: string, account: string): boolean => namesOfAccount(job, account).length > 0;

/** For a deleted job. @param account  whose drafts are dropped; absent: those of every account */
export function dropDrafts(job: string, account?: string): void {
  for (const name of account === undefined ? namesOfJob(job) : namesOfAccount(job, account)) dropKept(name);
}
