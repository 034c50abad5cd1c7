// The utterance that is edited. What is typed is stored in this browser at once, and by the service when the person leaves
// the utterance: by another utterance, Escape, another page, or the end of the sign-in.
import { effect, type Signal, signal } from "@preact/signals";
import { ApiError, errorMessage } from "../api.ts";
import { openPages, page } from "../open-pages.ts";
import { notice } from "../parts/notices.tsx";
import {
  draftFor,
  draftsOf,
  dropDraft,
  dropStored,
  isSame,
  type Reading,
  type StoredDraft,
  storeDraft,
  whenDraftsChange,
} from "./drafts.ts";
import { type Target, targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

export interface Edit {
  target: Target;
  /** The utterance that the change is based on. */
  base: Reading;
  changed: Signal<Reading>;
  /** The version of another person; set if both people changed the same field. */
  theirs: Signal<Reading | undefined>;
  /** What is typed for the same words in another window of this browser, and differs. */
  elsewhere: Signal<StoredDraft | undefined>;
}

export type SaveState = { kind: "saving" } | { kind: "saved"; at: Date } | { kind: "failed"; message: string };

const CONFLICT = 409;
/** Interval at which the page looks whether another one with drafts was closed. */
const PAGES_MILLISECONDS = 2_000;
const BOTH_CHANGED = "Someone else changed this utterance. Select Continue to compare both versions.";
const LEFT_UNSAVED = "A correction is not saved. Open the transcript to save or discard it.";

export const isSameTarget = (left: Target, right: Target) => left.index === right.index && left.start === right.start;

/** Copies each field that another person has changed and this person has not. @returns whether both changed one field, to different values */
function mergeInto(edit: Edit, now: Reading): boolean {
  const { base } = edit;
  const changed = { ...edit.changed.peek() };
  let isConflict = false;
  const merge = <Field extends keyof Reading>(
    field: Field,
    isEqual: (a: Reading[Field], b: Reading[Field]) => boolean,
  ) => {
    if (isEqual(now[field], base[field])) return;
    if (isEqual(changed[field], base[field])) changed[field] = now[field];
    else if (!isEqual(changed[field], now[field])) {
      isConflict = true;
      return;
    }
    edit.base = { ...edit.base, [field]: now[field] };
  };
  merge("text", (a, b) => a.trim() === b.trim());
  merge("speaker", (a, b) => a === b);
  if (!isSame(changed, edit.changed.peek())) edit.changed.value = changed;
  return isConflict;
}

export class Editing {
  readonly edit = signal<Edit | undefined>(undefined);
  readonly state = signal<SaveState | undefined>(undefined);
  /** Drafts of this recording that the service does not have, except the one that is edited. */
  readonly unsaved = signal<StoredDraft[]>([]);
  private isLeft = false;
  private readonly stops: (() => void)[];
  /** Until it is known, other pages count as open: their drafts are not for this page. */
  private isOpen: (other: string) => boolean = () => true;

  constructor(private readonly store: TranscriptStore) {
    this.loadUnsaved();
    const stopReview = effect(() => {
      void store.reading.value;
      this.review();
    });
    const stopWatching = whenDraftsChange(store.id, () => void this.lookForPages());
    const timer = setInterval(() => {
      if (this.foreign().length > 0) void this.lookForPages();
    }, PAGES_MILLISECONDS);
    this.stops = [stopReview, stopWatching, () => clearInterval(timer)];
    void this.lookForPages();
  }

  /** Drafts of other pages, open or closed. */
  private foreign(): StoredDraft[] {
    return draftsOf(this.store.id).filter((draft) => draft.page !== page);
  }

  private async lookForPages(): Promise<void> {
    this.isOpen = await openPages();
    this.loadUnsaved();
  }

  /** Position of an utterance among the shown ones; -1 if its words are no longer one. */
  positionOf(target: Target): number {
    const reading = this.store.reading.peek();
    return reading?.utterances.findIndex((_, at) => isSameTarget(targetOf(reading, at), target)) ?? -1;
  }

  /** @param at  position among the shown utterances @param chosen  the draft to continue */
  open(at: number, chosen?: StoredDraft): void {
    const reading = this.store.reading.peek();
    if (!reading?.utterances[at]) return;
    void this.leave();
    const target = targetOf(reading, at);
    const now = this.readingOf(target) ?? { text: "" };
    const draft = draftFor(this.store.id, target) ?? this.adopted(target, chosen);
    this.edit.value = {
      target,
      base: draft?.before ?? now,
      changed: signal(draft?.changed ?? now),
      theirs: signal(undefined),
      elsewhere: signal(undefined),
    };
    this.review();
    this.loadUnsaved();
  }

  /** The draft that a closed page left for these words becomes this page's. */
  private adopted(target: Target, chosen: StoredDraft | undefined): StoredDraft | undefined {
    const isLeft = (one: StoredDraft) => isSameTarget(one.target, target) && !this.isOpen(one.page);
    const left = chosen ?? this.foreign().find(isLeft);
    if (!left) return undefined;
    const { before, changed } = left;
    storeDraft(this.store.id, { target, before, changed });
    dropStored(left);
    return left;
  }

  /** Replaces what is typed here by what is typed in another window. */
  takeOther(): void {
    const other = this.edit.peek()?.elsewhere.peek();
    if (!other) return;
    this.change(other.changed);
    if (!this.isOpen(other.page)) dropStored(other);
    this.loadUnsaved();
  }

  change(part: Partial<Reading>): void {
    const current = this.edit.peek();
    if (!current) return;
    current.changed.value = { ...current.changed.peek(), ...part };
    storeDraft(this.store.id, { target: current.target, before: current.base, changed: current.changed.peek() });
    this.compareElsewhere();
  }

  /** Closes the form and saves what was changed. A change that cannot be saved stays in `unsaved`. */
  async leave(): Promise<void> {
    this.review();
    const current = this.edit.peek();
    if (!current) return;
    this.edit.value = undefined;
    if (isSame(current.base, current.changed.peek())) dropDraft(this.store.id, current.target);
    // The person has to choose one of the two versions.
    else if (!current.theirs.peek()) return this.save(current);
    else if (this.isLeft) notice(LEFT_UNSAVED, "bad");
    this.loadUnsaved();
  }

  /** The page is left. */
  async end(): Promise<void> {
    this.isLeft = true;
    for (const stop of this.stops) stop();
    await this.leave();
  }

  /** Saves the version of this person in place of that of the other one. */
  async keepMine(): Promise<void> {
    const current = this.edit.peek();
    if (!current) return;
    current.base = current.theirs.peek() ?? current.base;
    current.theirs.value = undefined;
    await this.leave();
  }

  /** Closes the form; the change is lost. */
  discard(): void {
    const current = this.edit.peek();
    this.edit.value = undefined;
    if (current) dropDraft(this.store.id, current.target);
    this.loadUnsaved();
  }

  discardDraft(draft: StoredDraft): void {
    dropStored(draft);
    this.loadUnsaved();
  }

  private readingOf(target: Target): Reading | undefined {
    const utterance = this.store.reading.peek()?.utterances[this.positionOf(target)];
    return utterance && { text: utterance.text.trim(), speaker: utterance.speaker };
  }

  private loadUnsaved(): void {
    const edited = this.edit.peek()?.target;
    this.compareElsewhere();
    this.unsaved.value = draftsOf(this.store.id).filter((draft) => {
      const { target, changed } = draft;
      const isOwn = draft.page === page;
      if (isOwn ? edited && isSameTarget(target, edited) : this.isOpen(draft.page)) return false;
      // The page was reloaded before it received the answer to its change.
      const now = this.readingOf(target);
      const isDone = now !== undefined && isSame(changed, now);
      if (isDone) dropStored(draft);
      return !isDone;
    });
    if (this.unsaved.value.length === 0 && this.state.peek()?.kind === "failed") this.state.value = undefined;
  }

  /** Compares the open change with what is typed in other windows. */
  private compareElsewhere(): void {
    const current = this.edit.peek();
    if (!current) return;
    const mine = current.changed.peek();
    current.elsewhere.value = this.foreign().find(
      ({ target, changed }) => isSameTarget(target, current.target) && !isSame(changed, mine),
    );
  }

  /** Compares the open change with the transcript as it reads now. */
  private review(): void {
    const current = this.edit.peek();
    if (!current || !this.store.showsCorrected.peek()) return;
    const now = this.readingOf(current.target);
    if (now) {
      current.theirs.value = mergeInto(current, now) ? now : undefined;
      return;
    }
    // Its words now belong to other utterances. The list of unsaved changes shows its text.
    this.edit.value = undefined;
    this.loadUnsaved();
  }

  private async save({ target, base, changed }: Edit): Promise<void> {
    const sent = changed.peek();
    const { text, speaker } = sent;
    this.state.value = { kind: "saving" };
    try {
      await this.store.correct({
        utterances: [
          {
            ...target,
            ...(text.trim() === base.text.trim() ? {} : { text }),
            ...(speaker === base.speaker || speaker === undefined ? {} : { speaker }),
          },
        ],
      });
      // The utterance may be edited again already.
      const stored = draftFor(this.store.id, target);
      if (stored && isSame(stored.changed, sent)) dropDraft(this.store.id, target);
      this.state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === CONFLICT;
      this.state.value = { kind: "failed", message: isConflict ? BOTH_CHANGED : errorMessage(error) };
      if (this.isLeft) notice(LEFT_UNSAVED, "bad");
    }
    this.loadUnsaved();
  }
}
