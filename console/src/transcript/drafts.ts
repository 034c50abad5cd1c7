// Changes that a person types, kept in this browser until the service has stored them: a reload, another page, an expired
// sign-in or a lost connection loses none.
import { forget, namesOf, readChoice, storeChoice } from "../memory.ts";
import type { Target } from "./speakers.ts";

export interface Draft {
  /** The words that the change replaces. */
  target: Target;
  /** The utterance as it was when the change was begun. */
  before: Reading;
  changed: Reading;
}

export interface Reading {
  text: string;
  speaker?: number | undefined;
}

const prefixOf = (job: string) => `draft.${job}.`;
const nameOf = (job: string, { index, start }: Target) => `${prefixOf(job)}${index}.${start ?? ""}`;

export const isSame = (left: Reading, right: Reading) =>
  left.text.trim() === right.text.trim() && left.speaker === right.speaker;

/** Stores a draft; one that changes nothing is removed. */
export function storeDraft(job: string, draft: Draft): void {
  const name = nameOf(job, draft.target);
  if (isSame(draft.before, draft.changed)) forget(name);
  else storeChoice(name, draft);
}

export const dropDraft = (job: string, target: Target): void => forget(nameOf(job, target));

export const draftFor = (job: string, target: Target): Draft | undefined =>
  readChoice<Draft | undefined>(nameOf(job, target), undefined);

export const draftsOf = (job: string): Draft[] =>
  namesOf(prefixOf(job)).flatMap((name) => readChoice<Draft | undefined>(name, undefined) ?? []);
