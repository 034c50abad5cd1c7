// Undo and redo of the corrections that were made on this page.
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import type { TranscriptStore } from "./store.ts";

export interface UndoActions {
  undo(): void;
  redo(): void;
}

export function undoActions(store: TranscriptStore): UndoActions {
  const report = (error: unknown) => notice(errorMessage(error), "bad");
  return {
    undo: () => void store.undoLast().catch(report),
    redo: () => void store.redoLast().catch(report),
  };
}

export function UndoButtons({ store, actions }: { store: TranscriptStore; actions: UndoActions }) {
  const { undo, redo } = actions;
  if (!store.canUndo.value && !store.canRedo.value) return null;
  return (
    <fieldset class="bare row undo-buttons">
      <legend class="unseen">{t.saving.madeHere}</legend>
      <button type="button" disabled={!store.canUndo.value} onClick={undo}>
        {t.saving.undo}
      </button>
      <button type="button" disabled={!store.canRedo.value} onClick={redo}>
        {t.saving.redo}
      </button>
    </fieldset>
  );
}
