// Changes that a person types, kept in this browser until the service has stored them: a reload, another page, an expired
// sign-in or a lost connection loses none.
import { forget, namesOf, readChoice, storeChoice } from "../memory.ts";
import type { Target } from "./speakers.ts";

export interface Draft {
  /** The words that the change replaces. */
  target: Target;
  /** The utterance that the change is based on. */
  before: Reading;
  changed: Reading;
}

export interface Reading {
  text: string;
  speaker?: number | undefined;
}

/** Drafts of this visit, by name, and whether the browser's storage has them, too. */
const ofVisit = new Map<string, { draft: Draft; isStored: boolean }>();

const prefixOf = (job: string) => `draft.${job}.`;
const nameOf = (job: string, { index, start }: Target) => `${prefixOf(job)}${index}.${start ?? ""}`;

export const isSame = (left: Reading, right: Reading) =>
  left.text.trim() === right.text.trim() && left.speaker === right.speaker;

const read = (name: string) => ofVisit.get(name)?.draft ?? readChoice<Draft | undefined>(name, undefined);

function drop(name: string): void {
  ofVisit.delete(name);
  forget(name);
}

/** Stores a draft; one that changes nothing is removed. */
export function storeDraft(job: string, draft: Draft): void {
  const name = nameOf(job, draft.target);
  if (isSame(draft.before, draft.changed)) drop(name);
  else ofVisit.set(name, { draft, isStored: storeChoice(name, draft) });
}

export const dropDraft = (job: string, target: Target): void => drop(nameOf(job, target));

export const draftFor = (job: string, target: Target): Draft | undefined => read(nameOf(job, target));

const namesOfJob = (job: string) => {
  const prefix = prefixOf(job);
  return [...new Set([...namesOf(prefix), ...[...ofVisit.keys()].filter((name) => name.startsWith(prefix))])];
};

export const draftsOf = (job: string): Draft[] => namesOfJob(job).flatMap((name) => read(name) ?? []);

/** For a deleted job. */
export function dropDrafts(job: string): void {
  for (const name of namesOfJob(job)) drop(name);
}

// A draft that the browser could not store is lost when the page is closed.
addEventListener("beforeunload", (event) => {
  if ([...ofVisit.values()].some(({ isStored }) => !isStored)) event.preventDefault();
});
