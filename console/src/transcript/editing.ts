// What a person types in the document. It is stored in this browser at once, and by the service after a pause, when the person
// leaves the text, and before another page, the end of the sign-in, or any other change of the transcript.
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { ApiError, errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import { dropDraft, dropStored, type StoredDraft, storeDraft } from "./drafts.ts";
import {
  compare,
  type Edit,
  type Edits,
  isEqual,
  isOpen,
  isSameTarget,
  isSendable,
  type SaveState,
  type ShownDocument,
  typedEdit,
} from "./edits.ts";
import { normal, shownText } from "./placed-words.ts";
import { positionAfter, type Target, targetOf } from "./speakers.ts";
import type { TranscriptChange, TranscriptStore } from "./store.ts";
import { UnsavedDrafts } from "./unsaved-drafts.ts";

const CONFLICT = 409;
/** Without a key press. */
const PAUSE_MILLISECONDS = 1_200;
const AGAIN_MILLISECONDS = 4_000;

export class Editing {
  /** The transcript with what is typed. */
  readonly document = signal<ShownDocument | undefined>(undefined);
  readonly state = signal<SaveState | undefined>(undefined);
  /** Edits that are stored together with a change of paragraphs or speakers. */
  private readonly held = new Set<Edit>();
  private edits: Edits = new Map();
  private isLeft = false;
  private shown: CorrectedTranscription | undefined;
  private saving: Promise<void> | undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private readonly stops: (() => void)[];
  readonly drafts: UnsavedDrafts;

  constructor(private readonly store: TranscriptStore) {
    const shown = () => [...this.edits.values(), ...this.held];
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
    const edit = this.edits.get(at);
    if (!edit) return;
    edit.base = edit.theirs ?? edit.base;
    edit.theirs = undefined;
    this.put(at, this.keep(edit) ? edit : undefined);
    await this.save();
  }

  /** Drops the change of an utterance. */
  discard(at: number): void {
    const edit = this.edits.get(at);
    if (!edit) return;
    dropDraft(this.store.id, edit.target);
    this.put(at, undefined);
    if (!this.isDirty) this.state.value = undefined;
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
  async leave(): Promise<void> {
    await this.save();
    // Typed while it was sent.
    if (this.sendable().length > 0 && this.state.peek()?.kind !== "failed") await this.save();
  }

  /** The page is left. */
  async end(): Promise<void> {
    this.isLeft = true;
    for (const stop of this.stops) stop();
    await this.leave();
    if (this.isDirty) notice(t.saving.leftUnsaved, "bad");
  }

  /**
   * Stores a change of paragraphs or speakers together with what was typed in these utterances, and shows it at once.
   * @param ats  positions among the shown utterances @param changeOf  given the transcript with what was typed @throws ApiError
   */
  async changeWith(
    ats: readonly number[],
    changeOf: (reading: CorrectedTranscription) => TranscriptChange,
  ): Promise<void> {
    const edits = ats.flatMap((at) => {
      const edit = this.edits.get(at);
      return edit && isSendable(edit) ? [edit] : [];
    });
    const typed = edits.map(({ target, text }) => ({ ...target, text: normal(text) }));
    const reading = this.store.preview({ utterances: typed });
    if (!reading) return;
    const { utterances = [], ...change } = changeOf(reading);
    const texts = [...typed, ...utterances];
    const whole = { ...(texts.length > 0 ? { utterances: texts } : {}), ...change };
    if (Object.keys(whole).length === 0) return;
    // The document follows when the change is shown.
    this.edits = new Map([...this.edits].filter(([, edit]) => !edits.includes(edit)));
    for (const edit of edits) this.held.add(edit);
    this.state.value = { kind: "saving" };
    try {
      await this.store.correct(whole);
      for (const edit of edits) dropDraft(this.store.id, edit.target);
      this.state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      this.state.value = { kind: "failed", message: errorMessage(error) };
      throw error;
    } finally {
      for (const edit of edits) {
        this.held.delete(edit);
        if (this.state.peek()?.kind === "failed") this.restore(edit);
      }
      this.loadUnsaved();
    }
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
    const edits = new Map<number, Edit>();
    for (const [before, edit] of this.edits) {
      const at = former && former !== reading ? positionAfter(former, before, reading) : before;
      const utterance = reading.utterances[at];
      // Its words now belong to other utterances. The list of unsaved changes shows its text.
      if (!utterance) continue;
      this.retarget(edit, targetOf(reading, at));
      compare(edit, shownText(utterance));
      if (this.keep(edit)) edits.set(at, edit);
    }
    this.show(edits);
    this.loadUnsaved();
  }

  private retarget(edit: Edit, target: Target): void {
    if (isSameTarget(edit.target, target) && edit.target.end === target.end) return;
    dropDraft(this.store.id, edit.target);
    edit.target = target;
    this.keep(edit);
  }

  private sendable(): Edit[] {
    return [...this.edits.values()].filter(isSendable);
  }

  private async saveAll(): Promise<void> {
    const edits = this.sendable();
    if (edits.length === 0) return;
    for (const edit of edits) edit.sent = edit.text;
    this.state.value = { kind: "saving" };
    try {
      await this.store.correct({
        utterances: edits.map(({ target, text }) => ({ ...target, text: normal(text) })),
      });
      for (const edit of edits) edit.base = edit.sent ?? edit.base;
      this.state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === CONFLICT;
      this.state.value = { kind: "failed", message: isConflict ? t.saving.bothChanged : errorMessage(error) };
      this.waitForPause(AGAIN_MILLISECONDS);
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
  }
}
