// Texts of utterances that a person has changed and the service does not have.
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
export function compare(edit: Edit, now: string): void {
  if (isEqual(now, edit.base)) {
    edit.theirs = undefined;
  } else if (edit.sent !== undefined && isEqual(now, edit.sent)) {
    // Shown, and not confirmed: the draft stays based on the text that the service has.
    edit.theirs = undefined;
  } else if (isEqual(now, edit.text)) {
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
