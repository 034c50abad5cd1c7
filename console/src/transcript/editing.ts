// What a person types in the document. It is stored in this browser at once, and by the service after a pause, when the person
// leaves the text, and before another page, the end of the sign-in, or any other change of the transcript.
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { ApiError } from "../api.ts";
import { t } from "../language/language.ts";
import { dropDraft, dropStored, type StoredDraft, storeDraft } from "./drafts.ts";
import {
  comparedEdits,
  type Edit,
  type Edits,
  isEqual,
  isOpen,
  isSendable,
  type SaveState,
  type ShownDocument,
  typedChange,
  typedEdit,
  wholeChange,
} from "./edits.ts";
import type { TranscriptChange, TranscriptStore } from "./store.ts";
import { UnsavedDrafts } from "./unsaved-drafts.ts";
import { endUnsaved, reportUnsaved } from "./unsaved-notice.ts";
import { AGAIN_MILLISECONDS, failure, noteFailure, WholeChanges } from "./whole-changes.ts";

const CONFLICT = 409;
/** Without a key press. */
const PAUSE_MILLISECONDS = 1_200;

export class Editing {
  /** The transcript with what is typed. */
  readonly document = signal<ShownDocument | undefined>(undefined);
  readonly state = signal<SaveState | undefined>(undefined);
  private readonly whole: WholeChanges;
  private edits: Edits = new Map();
  private isLeft = false;
  private shown: CorrectedTranscription | undefined;
  private saving: Promise<void> | undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private readonly stops: (() => void)[];
  readonly drafts: UnsavedDrafts;

  constructor(private readonly store: TranscriptStore) {
    this.whole = new WholeChanges(store, this.state, {
      onFailure: (edits) => {
        for (const edit of edits) this.restore(edit);
        // Another person may have changed the same words meanwhile.
        this.review();
      },
      onEnd: () => this.loadUnsaved(),
    });
    const shown = () => [...this.edits.values(), ...this.whole.held];
    this.drafts = new UnsavedDrafts(store, shown, () => this.loadUnsaved());
    this.stops = [
      effect(() => {
        void store.reading.value;
        this.review();
      }),
      () => this.drafts.end(),
    ];
  }

  /** Drafts of this recording that the service does not have, except those that the document shows. */
  get unsaved(): ReadonlySignal<StoredDraft[]> {
    return this.drafts.list;
  }

  /** Whether the service does not have everything that was typed. */
  get isDirty(): boolean {
    return this.edits.size > 0;
  }

  /**
   * The text of an utterance as a person has typed it. If its words are no longer one utterance, the list of unsaved changes shows the text.
   * @param at  position among the utterances of `shown` @param shown  the transcript in which the person types
   */
  write(at: number, text: string, shown = this.store.reading.peek()): void {
    const reading = this.store.reading.peek();
    const typed = reading && shown && typedEdit(this.edits, { shown, reading }, at, text);
    if (!typed) return;
    const { position, edit } = typed;
    const isKept = this.keep(edit);
    if (position >= 0) this.put(position, isKept ? edit : undefined);
    this.settle();
    this.loadUnsaved();
    this.waitForPause(PAUSE_MILLISECONDS);
  }

  /** Stores what is typed in this browser. @returns false if it changes nothing */
  private keep(edit: Edit): boolean {
    const { target, base, text } = edit;
    storeDraft(this.store.id, { account: this.store.account, target, before: { text: base }, changed: { text } });
    return isOpen(edit);
  }

  private put(at: number, edit: Edit | undefined): void {
    const edits = new Map(this.edits);
    if (edit) edits.set(at, edit);
    else edits.delete(at);
    this.show(edits);
  }

  private show(edits: Edits): void {
    this.edits = edits;
    const reading = this.store.reading.peek();
    if (reading) this.document.value = { reading, edits: this.store.showsCorrected.peek() ? edits : new Map() };
  }

  /** What is typed in an utterance and not stored. */
  typedAt(at: number): string | undefined {
    return this.edits.get(at)?.text;
  }

  private waitForPause(milliseconds: number): void {
    clearTimeout(this.pause);
    this.pause = this.isLeft ? undefined : setTimeout(() => void this.save(), milliseconds);
  }

  /** Continues a draft in the document. @returns its position; undefined if its words are no longer one utterance */
  async adopt(draft: StoredDraft): Promise<number | undefined> {
    const { target, before, changed } = draft;
    // Of the same utterance, something else may be typed.
    await this.save();
    const at = this.drafts.positionOf(target);
    if (at < 0 || this.edits.has(at)) return at < 0 ? undefined : at;
    dropStored(draft);
    const edit: Edit = { target, base: before.text, text: changed.text };
    this.put(at, this.keep(edit) ? edit : undefined);
    this.review();
    if (changed.speaker !== undefined && changed.speaker !== before.speaker) {
      await this.store.correct({ utterances: [{ ...target, speaker: changed.speaker }] });
    }
    await this.save();
    return at;
  }

  /** Replaces what is typed here by what is typed in another window. */
  takeOther(at: number): void {
    const other = this.edits.get(at)?.elsewhere;
    if (!other) return;
    this.write(at, other.changed.text);
    this.drafts.dropTaken(other);
    this.loadUnsaved();
  }

  /** Saves the version of this person in place of that of the other one. */
  async keepMine(at: number): Promise<void> {
    this.insist(at);
    await this.save();
  }

  /** The version of this person is to replace that of the other one. The next save stores it. */
  insist(at: number): void {
    const edit = this.edits.get(at);
    if (!edit) return;
    edit.base = edit.theirs ?? edit.base;
    edit.theirs = undefined;
    this.put(at, this.keep(edit) ? edit : undefined);
  }

  /** Drops the change of an utterance. */
  discard(at: number): void {
    const edit = this.edits.get(at);
    if (!edit) return;
    dropDraft(this.store.id, edit.target);
    this.put(at, undefined);
    this.settle();
    this.loadUnsaved();
  }

  discardDraft(draft: StoredDraft): void {
    dropStored(draft);
    this.loadUnsaved();
  }

  /** Sends everything that was typed. What cannot be sent stays in the document and in this browser. */
  save(): Promise<void> {
    clearTimeout(this.pause);
    this.saving ??= this.saveAll().finally(() => {
      this.saving = undefined;
    });
    return this.saving;
  }

  /** Before another change, another page, or the end of the sign-in. */
  leave(): Promise<void> {
    return this.whole.ending(async () => {
      await this.save();
      // Typed while it was sent.
      if (this.sendable().length > 0 && this.state.peek()?.kind !== "failed") await this.save();
    });
  }

  /** The page is left. */
  async end(): Promise<void> {
    this.isLeft = true;
    for (const stop of this.stops) stop();
    await this.leave();
    if (this.isDirty) reportUnsaved(this.store);
  }

  /**
   * Stores a change of paragraphs, speakers or cues together with what was typed in these utterances, and shows it at once.
   * @param ats  positions among the shown utterances @param changeOf  given the transcript with what was typed
   * @param isRepeated  whether it is sent until the service answers, and shown meanwhile @throws ApiError
   */
  async changeWith(
    ats: readonly number[],
    changeOf: (reading: CorrectedTranscription) => TranscriptChange,
    isRepeated = false,
  ): Promise<void> {
    const edits = ats.flatMap((at) => {
      const edit = this.edits.get(at);
      return edit && isSendable(edit) ? [edit] : [];
    });
    const whole = wholeChange(edits, (change) => this.store.preview(change), changeOf);
    if (!whole) return;
    // The document follows when the change is shown.
    this.edits = new Map([...this.edits].filter(([, edit]) => !edits.includes(edit)));
    await this.whole.store(whole, edits, isRepeated);
  }

  private restore(edit: Edit): void {
    const at = this.drafts.positionOf(edit.target);
    if (at < 0 || this.edits.has(at)) return;
    this.put(at, edit);
    this.waitForPause(AGAIN_MILLISECONDS);
  }

  private loadUnsaved(): void {
    if (this.drafts.compareElsewhere(this.edits.values())) this.show(new Map(this.edits));
    this.drafts.load();
    const isSaved = !this.isDirty && this.whole.held.size === 0 && this.unsaved.peek().length === 0;
    if (isSaved) endUnsaved(this.store);
  }

  /** Compares the changes with the transcript as it reads now. */
  private review(): void {
    const reading = this.store.reading.peek();
    if (!reading || !this.store.showsCorrected.peek()) {
      this.show(this.edits);
      return;
    }
    const former = this.shown;
    this.shown = reading;
    const { edits, isStored } = comparedEdits(this.edits, former, reading, {
      drop: ({ target }) => dropDraft(this.store.id, target),
      keep: (edit) => this.keep(edit),
    });
    this.show(edits);
    this.loadUnsaved();
    this.settle(isStored);
  }

  /** Ends the message that something is not saved when nothing is left of it. */
  private settle(isStored = false): void {
    if (this.state.peek()?.kind !== "failed" || this.whole.held.size > 0 || this.sendable().length > 0) return;
    if (this.isDirty) this.state.value = { kind: "failed", message: t.saving.bothChanged };
    else this.state.value = isStored ? { kind: "saved", at: new Date() } : undefined;
  }

  private sendable(): Edit[] {
    return [...this.edits.values()].filter(isSendable);
  }

  private async saveAll(): Promise<void> {
    if (this.sendable().some(({ unanswered }) => unanswered)) await this.store.refreshCorrections();
    const edits = this.sendable();
    if (edits.length === 0) return this.settle();
    for (const edit of edits) edit.sent = edit.text;
    this.state.value = this.whole.begun;
    let isAgain = false;
    try {
      await this.store.correct({ utterances: edits.map(typedChange) });
      for (const edit of edits) {
        edit.base = edit.sent ?? edit.base;
        edit.unanswered = undefined;
      }
      this.state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      noteFailure(edits, error);
      // Of another part of the transcript, or of the same words: the comparison below finds these.
      isAgain = error instanceof ApiError && error.status === CONFLICT;
      if (!isAgain) this.state.value = failure(error);
      this.waitForPause(isAgain ? PAUSE_MILLISECONDS : AGAIN_MILLISECONDS);
    }
    const now = new Map(this.edits);
    for (const [at, edit] of now) {
      if (!edits.includes(edit)) continue;
      edit.sent = undefined;
      if (!this.keep(edit)) now.delete(at);
      else if (!isEqual(edit.base, edit.text) && this.state.peek()?.kind === "saved")
        this.waitForPause(PAUSE_MILLISECONDS);
    }
    this.edits = now;
    this.review();
    if (isAgain && this.sendable().length === 0)
      this.state.value = this.isDirty ? { kind: "failed", message: t.saving.bothChanged } : undefined;
  }
}
