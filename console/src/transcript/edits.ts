// Texts of utterances that a person has changed and the service does not have.

import type { TranscriptChange } from "../../../src/contract/transcript/correction.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import type { StoredDraft } from "./drafts.ts";
import { normal, shownText } from "./placed-words.ts";
import { positionAfter, type Target, targetOf } from "./speakers.ts";

/** The changed text of one utterance. */
export interface Edit {
  target: Target;
  /** The text that the change is based on. */
  base: string;
  text: string;
  /** The text that is being sent. */
  sent?: string | undefined;
  /** Texts that were sent without an answer: the service may have stored them. */
  unanswered?: string[] | undefined;
  /** The version of another person; set if both changed the text. */
  theirs?: string | undefined;
  /** What is typed for the same words in another window of this browser, and differs. */
  elsewhere?: StoredDraft | undefined;
}

/** By position among the shown utterances. */
export type Edits = ReadonlyMap<number, Edit>;

/** The transcript with what is typed. */
export interface ShownDocument {
  reading: CorrectedTranscription;
  edits: Edits;
}

export type SaveState = { kind: "saving" } | { kind: "saved"; at: Date } | { kind: "failed"; message: string };

export const isEqual = (left: string, right: string) => normal(left) === normal(right);
export const isSameTarget = (left: Target, right: Target) => left.index === right.index && left.start === right.start;

/** Whether it can be sent. */
export const isSendable = ({ base, text, theirs }: Edit) => theirs === undefined && !isEqual(base, text);

/** Whether the service does not have it, or a person has to choose a version. */
export const isOpen = ({ base, text, sent, theirs }: Edit) =>
  !isEqual(base, text) || sent !== undefined || theirs !== undefined;

/** Compares a change with the text as the transcript reads now. */
function compare(edit: Edit, now: string): void {
  if (isEqual(now, edit.base)) {
    edit.theirs = undefined;
  } else if (edit.sent !== undefined && isEqual(now, edit.sent)) {
    // Shown, and not confirmed: the draft stays based on the text that the service has.
    edit.theirs = undefined;
  } else if (isEqual(now, edit.text) || edit.unanswered?.some((sent) => isEqual(now, sent))) {
    edit.base = now;
    edit.theirs = undefined;
  } else {
    edit.theirs = now;
  }
}

/** @property shown  the transcript in which the person types @property reading  the transcript as it reads now */
interface TypedIn {
  shown: CorrectedTranscription;
  reading: CorrectedTranscription;
}

/**
 * The change of an utterance that a person types. While an input method composes, the document does not follow the transcript: paragraphs may
 * be divided or joined meanwhile.
 * @param at  position in `shown` @returns the position in `reading`; -1 if the words are no longer one utterance
 */
export function typedEdit(edits: Edits, { shown, reading }: TypedIn, at: number, text: string) {
  const before = shown.utterances[at];
  if (!before) return undefined;
  const position = shown === reading ? at : positionAfter(shown, at, reading);
  const now = reading.utterances[position];
  const target = now ? targetOf(reading, position) : targetOf(shown, at);
  const edit: Edit = edits.get(position) ?? { target, base: shownText(before), text };
  edit.text = text;
  if (now && shown !== reading) compare(edit, shownText(now));
  return { position: now ? position : -1, edit };
}

export const typedChange = ({ target, text }: Edit) => ({ ...target, text: normal(text) });

/** A change of the transcript that includes what was typed; undefined if it changes nothing. */
export function wholeChange(
  edits: readonly Edit[],
  preview: (change: TranscriptChange) => CorrectedTranscription | undefined,
  changeOf: (reading: CorrectedTranscription) => TranscriptChange,
): TranscriptChange | undefined {
  const typed = edits.map(typedChange);
  const reading = preview({ utterances: typed });
  if (!reading) return undefined;
  const { utterances = [], ...change } = changeOf(reading);
  const texts = [...typed, ...utterances];
  const whole = { ...(texts.length > 0 ? { utterances: texts } : {}), ...change };
  return Object.keys(whole).length > 0 ? whole : undefined;
}

/** How the browser stores edits. @property keep  returns false if the edit changes nothing: it is not stored then */
interface Drafts {
  drop(edit: Edit): void;
  keep(edit: Edit): boolean;
}

function retarget(edit: Edit, target: Target, drafts: Drafts): void {
  if (isSameTarget(edit.target, target) && edit.target.end === target.end) return;
  drafts.drop(edit);
  edit.target = target;
  drafts.keep(edit);
}

/**
 * Compares edits with the transcript as it reads now.
 * @param former  the transcript in which the positions of `edits` are
 * @returns those that the service does not have; `isStored` if it has one whose request got no answer
 */
export function comparedEdits(
  edits: Edits,
  former: CorrectedTranscription | undefined,
  reading: CorrectedTranscription,
  drafts: Drafts,
): { edits: Edits; isStored: boolean } {
  const open = new Map<number, Edit>();
  let isStored = false;
  for (const [before, edit] of edits) {
    const at = former && former !== reading ? positionAfter(former, before, reading) : before;
    const utterance = reading.utterances[at];
    // Its words now belong to other utterances. The list of unsaved changes shows its text.
    if (!utterance) continue;
    retarget(edit, targetOf(reading, at), drafts);
    compare(edit, shownText(utterance));
    if (drafts.keep(edit)) open.set(at, edit);
    else isStored ||= edit.unanswered !== undefined;
  }
  return { edits: open, isStored };
}
