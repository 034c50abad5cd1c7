// Whether the corrections are saved, and those that are not.

import { formats, t } from "../language/language.ts";
import { clock } from "../time.ts";
import type { StoredDraft } from "./drafts.ts";
import type { Editing } from "./editing.ts";
import type { NoteDraft } from "./note-drafts.ts";
import { shownSpeaker } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

export function SaveStatus({ editing }: { editing: Editing }) {
  const { value: state } = editing.state;
  return (
    <span class="hint save-status" role="status">
      {state?.kind === "saving" ? t.saving.saving : null}
      {state?.kind === "saved" ? t.saving.saved(formats.time(state.at)) : null}
      {state?.kind === "failed" ? <span class="problem">{t.saving.failed(state.message)}</span> : null}
    </span>
  );
}

interface UnsavedProps {
  editing: Editing;
  store: TranscriptStore;
  onOpen(draft: StoredDraft): void;
}

function UnsavedDraft({ draft, editing, store, onOpen }: UnsavedProps & { draft: StoredDraft }) {
  const position = editing.drafts.positionOf(draft.target);
  const { speaker } = draft.changed;
  const utterance = store.reading.value?.utterances[position];
  return (
    <li>
      <q dir="auto">{draft.changed.text.trim() || t.saving.deleted}</q>
      {speaker === undefined || speaker === draft.before.speaker ? null : (
        <span class="hint">{t.saving.speaker(shownSpeaker(speaker, store.reading.value?.speaker_names ?? {}))}</span>
      )}
      <span class="row">
        {utterance ? (
          <button type="button" onClick={() => onOpen(draft)}>
            {t.saving.continueAt(clock(utterance.start))}
          </button>
        ) : (
          <span class="hint">{t.saving.gone}</span>
        )}
        <button type="button" class="quiet" onClick={() => editing.discardDraft(draft)}>
          {t.saving.discard}
        </button>
      </span>
    </li>
  );
}

function LeftNote({ draft, store }: { draft: NoteDraft; store: TranscriptStore }) {
  const { note, words, quote, content } = draft;
  return (
    <li>
      <span dir="auto">
        {t.notes.onWords(quote)}: <q>{content.text.trim() || t.notes.colours[content.colour]}</q>
      </span>
      <span class="row">
        <button type="button" onClick={() => store.noteDrafts.open(draft)}>
          {t.saving.continueAt(clock((note ?? words[0])?.start ?? 0))}
        </button>
        <button type="button" class="quiet" onClick={() => store.noteDrafts.drop(draft)}>
          {t.saving.discard}
        </button>
      </span>
    </li>
  );
}

export function Unsaved({ editing, store, onOpen }: UnsavedProps) {
  const drafts = editing.unsaved.value;
  const notes = store.noteDrafts.left.value;
  const count = drafts.length + notes.length;
  if (count === 0) return null;
  return (
    <section class="card unsaved" aria-label={t.saving.unsaved}>
      <p>{t.saving.unsavedCount(count)}</p>
      <ul class="plain">
        {drafts.map((draft) => (
          <UnsavedDraft key={draft.name} draft={draft} editing={editing} store={store} onOpen={onOpen} />
        ))}
        {notes.map((draft) => (
          <LeftNote key={draft.name} draft={draft} store={store} />
        ))}
      </ul>
    </section>
  );
}
