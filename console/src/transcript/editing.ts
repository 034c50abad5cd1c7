// The utterance that is edited. What is typed is stored in this browser at once, and by the service when the person leaves
// the utterance: by another utterance, Escape, another page, or the end of the sign-in.
import { type Signal, signal } from "@preact/signals";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { errorMessage } from "../api.ts";
import { type Draft, draftFor, draftsOf, dropDraft, isSame, type Reading, storeDraft } from "./drafts.ts";
import { type Target, targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

export interface Edit {
  target: Target;
  before: Reading;
  changed: Signal<Reading>;
  /** The utterance as somebody else has changed it meanwhile. */
  theirs: Signal<Reading | undefined>;
}

export type SaveState = { kind: "saving" } | { kind: "saved"; at: Date } | { kind: "failed"; message: string };

export const isSameTarget = (left: Target, right: Target) => left.index === right.index && left.start === right.start;

function readingAt(reading: CorrectedTranscription, at: number): Reading {
  const utterance = reading.utterances[at];
  return { text: utterance?.text.trim() ?? "", speaker: utterance?.speaker };
}

export function createEditing(store: TranscriptStore) {
  const edit = signal<Edit | undefined>(undefined);
  const state = signal<SaveState | undefined>(undefined);
  /** Drafts of this recording that the service does not have, except the one that is edited. */
  const unsaved = signal<Draft[]>([]);
  const loadUnsaved = () => {
    unsaved.value = draftsOf(store.id).filter(({ target }) => !edit.value || !isSameTarget(target, edit.value.target));
  };

  /** Position of an utterance among the shown ones; -1 if its words are no longer one. */
  const positionOf = (target: Target): number => {
    const reading = store.reading.peek();
    return reading?.utterances.findIndex((_, at) => isSameTarget(targetOf(reading, at), target)) ?? -1;
  };

  const open = (at: number) => {
    const reading = store.reading.peek();
    if (!reading?.utterances[at]) return;
    void leave();
    const target = targetOf(reading, at);
    const now = readingAt(reading, at);
    const draft = draftFor(store.id, target);
    const isChanged = draft !== undefined && !isSame(draft.before, now);
    edit.value = {
      target,
      before: now,
      changed: signal(draft?.changed ?? now),
      theirs: signal(isChanged ? now : undefined),
    };
    loadUnsaved();
  };

  const change = (part: Partial<Reading>) => {
    const current = edit.peek();
    if (!current) return;
    current.changed.value = { ...current.changed.peek(), ...part };
    storeDraft(store.id, { target: current.target, before: current.before, changed: current.changed.peek() });
  };

  const save = async ({ target, before, changed }: Edit) => {
    const { text, speaker } = changed.peek();
    state.value = { kind: "saving" };
    try {
      await store.correct({
        utterances: [
          {
            ...target,
            ...(text.trim() === before.text ? {} : { text }),
            ...(speaker === before.speaker || speaker === undefined ? {} : { speaker }),
          },
        ],
      });
      dropDraft(store.id, target);
      state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      state.value = { kind: "failed", message: errorMessage(error) };
    }
    loadUnsaved();
  };

  /** Closes the form and saves what was changed. A change that cannot be saved stays in `unsaved`. */
  const leave = async () => {
    const current = edit.peek();
    if (!current) return;
    edit.value = undefined;
    if (isSame(current.before, current.changed.peek())) dropDraft(store.id, current.target);
    // Two versions are open: a person decides which one is kept.
    else if (!current.theirs.peek()) return save(current);
    loadUnsaved();
  };

  loadUnsaved();
  return {
    edit,
    state,
    unsaved,
    open,
    change,
    leave,
    positionOf,
    /** Saves the text of this person although somebody else has changed the utterance. */
    async keepMine() {
      const current = edit.peek();
      if (!current) return;
      current.theirs.value = undefined;
      await leave();
    },
    /** Closes the form; the change is lost. */
    discard() {
      const current = edit.peek();
      edit.value = undefined;
      if (current) dropDraft(store.id, current.target);
      loadUnsaved();
    },
    discardDraft({ target }: Draft) {
      dropDraft(store.id, target);
      loadUnsaved();
    },
  };
}

export type Editing = ReturnType<typeof createEditing>;
