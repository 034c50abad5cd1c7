// Changes that a person types, kept in this browser until the service has stored them: a reload, another page, an expired
// sign-in or a lost connection loses none. Each draft belongs to the page in which it is typed, so that two pages do not overwrite each other's.
import { forget, namesOf, readChoice, storeChoice, whenStoredElsewhere } from "../memory.ts";
import { page } from "../open-pages.ts";
import type { Target } from "./speakers.ts";

export interface Draft {
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

/** Drafts of this visit, by name, and whether the browser's storage has them, too. */
const ofVisit = new Map<string, { draft: Draft; isStored: boolean }>();

const prefixOf = (job: string) => `draft.${job}.`;
const PAGE_MARK = "~";
const nameOf = (job: string, { index, start }: Target) => `${prefixOf(job)}${index}.${start ?? ""}${PAGE_MARK}${page}`;

export const isSame = (left: Reading, right: Reading) =>
  left.text.trim() === right.text.trim() && left.speaker === right.speaker;

const read = (name: string) => ofVisit.get(name)?.draft ?? readChoice<Draft | undefined>(name, undefined);

function drop(name: string): void {
  ofVisit.delete(name);
  forget(name);
}

/** Stores a draft of this page; one that changes nothing is removed. */
export function storeDraft(job: string, draft: Draft): void {
  const name = nameOf(job, draft.target);
  if (isSame(draft.before, draft.changed)) drop(name);
  else ofVisit.set(name, { draft, isStored: storeChoice(name, draft) });
}

/** Drops the draft of this page. */
export const dropDraft = (job: string, target: Target): void => drop(nameOf(job, target));

export const dropStored = ({ name }: StoredDraft): void => drop(name);

const namesOfJob = (job: string) => {
  const prefix = prefixOf(job);
  return [...new Set([...namesOf(prefix), ...[...ofVisit.keys()].filter((name) => name.startsWith(prefix))])];
};

/** Those of every page. */
export const draftsOf = (job: string): StoredDraft[] =>
  namesOfJob(job).flatMap((name) => {
    const draft = read(name);
    return draft ? { ...draft, name, page: name.split(PAGE_MARK)[1] ?? "" } : [];
  });

/** Calls `listener` when another page changes a draft of the job. @returns stops that */
export const whenDraftsChange = (job: string, listener: () => void) => whenStoredElsewhere(prefixOf(job), listener);

/** For a deleted job. */
export function dropDrafts(job: string): void {
  for (const name of namesOfJob(job)) drop(name);
}

// A draft that the browser could not store is lost when the page is closed.
addEventListener("beforeunload", (event) => {
  if ([...ofVisit.values()].some(({ isStored }) => !isStored)) event.preventDefault();
});
